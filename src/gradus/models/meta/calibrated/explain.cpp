#include "gradus/models/meta/calibrated/explain.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gradus/core/text.hpp"
#include "gradus/models/meta/inner_task.hpp"
#include "gradus/trace/nested.hpp"

namespace gradus {
namespace {

Value by_class(const Signature& signature, std::span<const double> numbers) {
  Value out = object();
  for (std::size_t c = 0; c < numbers.size(); ++c) out[signature.classes[c]] = numbers[c];
  return out;
}

std::string listed(const Signature& signature, std::span<const double> numbers, const char* word) {
  std::vector<std::string> parts;
  for (std::size_t c = 0; c < numbers.size(); ++c) {
    parts.push_back(fmt::format("{}({}) = {}", word, signature.classes[c], readable(numbers[c])));
  }
  return join(parts, ", ");
}

}  // namespace

Step told_map(const CalibratedModel& model, std::size_t i, std::size_t rows,
              const Signature& signature) {
  const CalibratedMember& member = model.members[i];
  Step step{.title = fmt::format("The map of member {}", i + 1),
            .path = fmt::format("member {}", i + 1)};
  step.values = object({{"rows", rows}});
  if (model.method == CalibrationMethod::temperature) {
    step.values["temperature"] = member.temperature;
    step.formula = fmt::format("P = softmax(log p / {})", readable(member.temperature));
    step.text = member.temperature > 1 ? "The base was too sure: its answers are softened."
                                       : "The base was not sure enough: its answers are sharpened.";
    return step;
  }
  Value& maps = step.values["maps"] = object();
  for (std::size_t k = 0; k < member.maps.size(); ++k) {
    const ClassMap& map = member.maps[k];
    const std::string& name = signature.classes[member.maps.size() == 1 ? 1 : k];
    if (model.method == CalibrationMethod::sigmoid) {
      maps[name] = object({{"a", map.a}, {"b", map.b}});
      step.formula += fmt::format("{}P({}) = 1/(1 + exp({}·f + {}))", k == 0 ? "" : ", ", name,
                                  readable(map.a), readable(map.b));
    } else {
      maps[name] = object({{"scores", Value(map.scores)}, {"values", Value(map.values)}});
      step.formula +=
          fmt::format("{}P({}): {} points from {} to {}", k == 0 ? "" : ", ", name,
                      map.scores.size(), readable(map.values.front()), readable(map.values.back()));
    }
  }
  step.text = fmt::format("Learned from the answers to {} that the base had not seen.",
                          counted(rows, "row"));
  return step;
}

void CalibratedModel::explain(std::span<const double> row, const Signature& signature,
                              Trace& trace) const {
  const auto all = static_cast<std::size_t>(classes);
  const RowBlock block{row.data(), 1, row.size()};
  std::vector<double> numbers(all);
  for (std::size_t i = 0; i < members.size() && trace.wants_more(); ++i) {
    const std::string path = fmt::format("member {}", i + 1);
    const CalibratedMember& member = members[i];
    if (i == 0 && member.model && member.model->entry().info.gives.has(Give::explains_row)) {
      std::vector<std::string> names;
      for (const std::int32_t c : member.classes) {
        names.push_back(signature.classes[static_cast<std::size_t>(c)]);
      }
      Recorder inner;
      member.model->core().explain(row, inner_signature(signature, {}, names), inner);
      replay(inner, trace, path);
    }
    scores(member, block, numbers.data());
    Step step{.title = fmt::format("Member {}: from scores to probabilities", i + 1), .path = path};
    step.values = object({{"scores", by_class(signature, numbers)}});
    step.formula = listed(signature, numbers, "score");
    calibrate(member, numbers);
    step.values["probabilities"] = by_class(signature, numbers);
    step.text = listed(signature, numbers, "P");
    trace.add(std::move(step));
  }
  predict(block, numbers.data());
  const auto best = std::max_element(numbers.begin(), numbers.end()) - numbers.begin();
  Step step{.title = "The answer", .path = "answer"};
  step.values = object({{"probabilities", by_class(signature, numbers)},
                        {"prediction", signature.classes[static_cast<std::size_t>(best)]}});
  step.formula = listed(signature, numbers, "P");
  step.text =
      members.size() == 1 ? "The probabilities of the one member." : "The mean over the members.";
  trace.add(std::move(step));
}

}  // namespace gradus
