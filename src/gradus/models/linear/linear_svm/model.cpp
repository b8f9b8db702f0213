#include "gradus/models/linear/linear_svm/model.hpp"

#include <algorithm>
#include <cmath>

#include "gradus/blocks/linear/words.hpp"
#include "gradus/contract/entry_impl.hpp"
#include "gradus/simd/kernels.hpp"

namespace gradus {

template const Entry& entry<LinearSvm>();

namespace {

// One number per function: alone, or by the name of the class.
template <class Numbers>
Value per_function(const LinearSvmModel& model, const Signature& signature,
                   const Numbers& numbers) {
  if (numbers.size() == 1) return numbers[0];
  Value out = object();
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    out[model.functions.name(k, signature)] = numbers[k];
  }
  return out;
}

}  // namespace

double LinearSvmModel::length(std::size_t function) const {
  const auto w = functions.coefficients.row(function);
  return std::sqrt(simd::dot(w.data(), w.data(), w.size()));
}

Value LinearSvmModel::fitted(const Signature& signature) const {
  Value out = object();
  out["coefficients"] = functions.by_name(signature);
  std::vector<Value> margins;
  std::vector<Value> gaps;
  for (std::size_t k = 0; k < functions.count(); ++k) {
    margins.push_back(number_or_null(1 / length(k)));
    gaps.push_back(number_or_null(gap[k]));
  }
  if (signature.task == Task::classify) out["margin"] = per_function(*this, signature, margins);
  out["objective"] = per_function(*this, signature, objective);
  out["duality_gap"] = per_function(*this, signature, gaps);
  out["support_vectors"] = per_function(*this, signature, support_vectors);
  out["lambda"] = lambda;
  out["loss"] = enum_names(loss)[static_cast<std::size_t>(loss)];
  out["solver"] = enum_names(solver)[static_cast<std::size_t>(solver)];
  out["n_iter"] = *std::max_element(n_iter.begin(), n_iter.end());
  if (n_iter.size() > 1) out["n_iter_by_class"] = per_function(*this, signature, n_iter);
  if (!curve.empty()) {
    out[solver == SvmSolver::primal ? "loss_curve" : "bound_curve"] = Value(curve);
  }
  out["converged"] = converged;
  if (!converged) {
    out["note"] =
        "max_iter was reached before the tolerance: bring the columns to similar sizes "
        "(--standardize), raise max_iter or tol, or take a squared loss with solver primal.";
  }
  return out;
}

void LinearSvmModel::check(const Signature& signature) const {
  functions.check(signature);
  for (const std::size_t size :
       {objective.size(), gap.size(), support_vectors.size(), n_iter.size()}) {
    if (size == functions.count()) continue;
    throw Error(ErrorKind::bad_data, "model", "its numbers do not fit its functions");
  }
}

void LinearSvmModel::explain(std::span<const double> row, const Signature& signature,
                             Trace& trace) const {
  functions.explain(row, signature, trace);
}

}  // namespace gradus
