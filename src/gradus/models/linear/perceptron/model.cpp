#include "gradus/models/linear/perceptron/model.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "gradus/contract/entry_impl.hpp"

namespace gradus {

template const Entry& entry<Perceptron>();

namespace {

Value history(const PerceptronRun& run) {
  Value out = object({{"mistakes", run.mistakes},
                      {"mistakes_by_pass", Value(run.mistakes_by_pass)},
                      {"passes", run.passes},
                      {"converged", run.converged},
                      {"errors", run.errors},
                      {"margin", run.margin},
                      {"radius", run.radius}});
  if (run.margin > 0) {
    const double bound = (run.radius / run.margin) * (run.radius / run.margin);
    if (std::isfinite(bound)) out["mistake_bound"] = bound;
  }
  if (run.separable != Separable::not_tested) out["separable"] = run.separable == Separable::yes;
  return out;
}

// Why mistakes are left, as far as it is known.
const char* note_on(const std::vector<PerceptronRun>& runs) {
  const auto any = [&](Separable answer) {
    return std::any_of(runs.begin(), runs.end(),
                       [&](const PerceptronRun& run) { return run.separable == answer; });
  };
  if (any(Separable::no)) {
    return "no plane separates the classes, so some rows stay wrong; the variants averaged and "
           "pocket give an answer anyway.";
  }
  if (!any(Separable::not_tested)) {
    return "no pass was without mistakes, but a plane can separate the classes: allow more passes "
           "with max_iter.";
  }
  return "no pass was without mistakes: the classes overlap, or more passes are needed; "
         "test_separability tells which, and the variants averaged and pocket give an answer "
         "anyway.";
}

}  // namespace

Value PerceptronModel::fitted(const Signature& signature) const {
  Value out = object();
  out["coefficients"] = functions.by_name(signature);
  bool clean = true;
  std::int64_t most = 0;
  for (std::size_t k = 0; k < runs.size(); ++k) {
    clean = clean && runs[k].converged;
    most = std::max<std::int64_t>(most, runs[k].passes);
    const Value one = history(runs[k]);
    for (const auto& [name, value] : one.as_object()) {
      if (runs.size() == 1) {
        out[name] = value;
      } else {
        out[name][functions.name(k, signature)] = value;
      }
    }
  }
  out["n_iter"] = most;
  if (!clean) out["note"] = note_on(runs);
  return out;
}

void PerceptronModel::check(const Signature& signature) const {
  functions.check(signature);
  bool fits = runs.size() == functions.count();
  for (const PerceptronRun& run : runs) {
    fits = fits && std::isfinite(run.margin) && std::isfinite(run.radius);
  }
  if (!fits) throw Error(ErrorKind::bad_data, "model", "its numbers do not fit its functions");
}

}  // namespace gradus
