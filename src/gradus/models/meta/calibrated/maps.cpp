#include "gradus/models/meta/calibrated/maps.hpp"

#include <cmath>
#include <numeric>

#include "gradus/blocks/calibrate/calibrate.hpp"
#include "gradus/contract/entry_impl.hpp"
#include "gradus/core/error.hpp"

namespace gradus {
namespace {

ClassMap class_map(CalibrationMethod method, const ScoredRows& rows) {
  if (method == CalibrationMethod::sigmoid) {
    const PlattMap map = fit_platt(rows);
    if (!std::isfinite(map.a) || !std::isfinite(map.b)) {
      throw Error(ErrorKind::numerical, "", "the scores of the base are too large for a sigmoid",
                  "use --method isotonic");
    }
    return {.a = map.a, .b = map.b};
  }
  IsotonicMap map = fit_isotonic(rows);
  return {.scores = std::move(map.scores), .values = std::move(map.values)};
}

}  // namespace

void learn_map(const CalibratedModel& model, CalibratedMember& member,
               const HonestAnswers& answers) {
  const auto width = static_cast<std::size_t>(model.classes);
  const std::size_t rows = answers.labels.size();
  GRADUS_ASSERT(answers.scores.size() == rows * width && answers.weights.size() == rows);
  if (width == 1) return;
  if (model.method == CalibrationMethod::temperature) {
    std::vector<double> logs(answers.scores.begin(), answers.scores.end());
    for (double& z : logs) z = log_score(model.probabilities, z);
    member.temperature = fit_temperature({logs, width, answers.labels, answers.weights});
    return;
  }
  for (std::size_t c = width == 2 ? 1 : 0; c < width; ++c) {
    std::vector<double> f(rows);
    std::vector<std::uint8_t> positive(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      f[i] = mapped_score(model.probabilities, answers.scores.subspan(i * width, width), c);
      positive[i] = static_cast<std::size_t>(answers.labels[i]) == c ? 1 : 0;
    }
    member.maps.push_back(class_map(model.method, {f, positive, answers.weights}));
  }
}

CoreModelPtr calibrate_base(FittedBase base, CalibrationMethod method,
                            const HonestAnswers& answers) {
  CalibratedModel model;
  model.method = method;
  model.classes = static_cast<std::int32_t>(base.classes);
  model.probabilities = base.probabilities;
  CalibratedMember member;
  member.classes.resize(base.classes);
  std::iota(member.classes.begin(), member.classes.end(), 0);
  if (base.classes > 1) member.model = std::move(base.model);
  learn_map(model, member, answers);
  model.members.push_back(std::move(member));
  return std::make_shared<detail::HeldModel<CalibratedModel>>(std::move(model));
}

}  // namespace gradus
