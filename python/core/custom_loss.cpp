#include "custom_loss.hpp"

#include <nanobind/ndarray.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "gradus/core/error.hpp"
#include "gradus/models/boosting/gradient_boosting/custom_loss.hpp"

namespace gradus::python {
namespace {

using Array = nb::ndarray<nb::numpy, double, nb::c_contig>;
using Answer = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;

// A copy, which Python may keep: outputs x rows, or one number per row.
Array as_array(std::span<const double> numbers, std::size_t rows, std::size_t dimensions) {
  auto* copy = std::make_unique<std::vector<double>>(numbers.begin(), numbers.end()).release();
  nb::capsule owner(copy, [](void* pointer) noexcept {
    const std::unique_ptr<std::vector<double>> freed(static_cast<std::vector<double>*>(pointer));
  });
  const std::size_t shape[] = {dimensions == 2 ? numbers.size() / rows : rows, rows};
  return Array(copy->data(), dimensions, shape, owner);
}

void take(nb::handle answer, std::span<double> out) {
  const auto numbers = nb::cast<Answer>(answer);
  std::copy_n(numbers.data(), out.size(), out.data());
}

// A method of the loss at these rows.
nb::object ask(nb::handle loss, const char* method, const ScoredRows& rows) {
  if (!loss.is_valid()) {
    throw Error(ErrorKind::usage, "--loss", "the function of this loss was lent to one fit only",
                "give the function again");
  }
  const std::size_t count = rows.targets.size();
  return loss.attr(method)(as_array(rows.targets, count, 1), as_array(rows.scores, count, 2));
}

}  // namespace

LentLoss::LentLoss(const nb::object& loss) : lent_(std::make_shared<nb::handle>()) {
  if (!loss.is_none()) *lent_ = loss;
}

AnyLearner LentLoss::given_to(const AnyLearner& learner) const {
  if (!lent_->is_valid()) return learner;
  CustomLoss loss;
  loss.derivatives = [lent = lent_](const ScoredRows& rows, std::span<double> gradient,
                                    std::span<double> hessian) {
    const nb::gil_scoped_acquire locked;
    const nb::object answer = ask(*lent, "derivatives", rows);
    take(answer[0], gradient);
    take(answer[1], hessian);
  };
  if (nb::cast<bool>(lent_->attr("tells_values"))) {
    loss.values = [lent = lent_](const ScoredRows& rows, std::span<double> values) {
      const nb::gil_scoped_acquire locked;
      take(ask(*lent, "values", rows), values);
    };
  }
  return with_custom_loss(learner, std::move(loss));
}

}  // namespace gradus::python
