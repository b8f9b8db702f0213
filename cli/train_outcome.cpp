#include "train_outcome.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "gradus/core/text.hpp"
#include "gradus/evaluate/doctor.hpp"
#include "gradus/report/preparation.hpp"
#include "gradus/report/scores.hpp"
#include "model_page.hpp"

namespace gradus::cli {
namespace {

constexpr std::size_t kColumnsNamed = 12;  // more columns than this are only counted

std::string columns_text(const std::vector<std::string>& names) {
  if (names.size() > kColumnsNamed) return counted(names.size(), "column");
  return names.empty() ? "none" : join(names, ", ");
}

// 12 µs, 3.4 ms, 5.6 s, 7 min 8 s.
std::string duration_text(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.0f} µs", seconds * 1e6);
  if (seconds < 1) return fmt::format("{} ms", readable(seconds * 1e3, 3));
  if (seconds < 60) return fmt::format("{} s", readable(seconds, 3));
  const auto whole = static_cast<long>(seconds);
  return fmt::format("{} min {} s", whole / 60, whole % 60);
}

std::string seconds_text(const Seconds& seconds) {
  return fmt::format("{}: read {}, prepare {}, fit {}", duration_text(seconds.total),
                     duration_text(seconds.read), duration_text(seconds.fit.prepare),
                     duration_text(seconds.fit.fit));
}

}  // namespace

Value outcome_value(const Outcome& outcome) {
  const AnyModel& model = outcome.model;
  Value out = object({{"learner", model.info().name}});
  out["parameters"] = parameters_value(model.learner().values());
  out["rows"] = Value(outcome.rows);
  if (outcome.parts > 0) out["parts"] = Value(outcome.parts);
  if (!outcome.validation.file.empty()) {
    out["validation"] =
        object({{"data", outcome.validation.file}, {"rows", outcome.validation.rows}});
  }
  if (model.provenance().partial()) out["partial"] = unfinished_value(model);
  out["features"] = Value(feature_columns(model.preparation()));
  out["target"] = target_value(model.signature());
  out["task"] = task_word(model.signature().task);
  out["metrics"] = outcome.metrics;
  out["fingerprint"] = model.fingerprint();
  out["seconds"] = object({{"read", outcome.seconds.read},
                           {"prepare", outcome.seconds.fit.prepare},
                           {"fit", outcome.seconds.fit.fit},
                           {"total", outcome.seconds.total}});
  out["threads"] = outcome.threads;
  out["model"] = outcome.model_file.empty() ? Value() : Value(outcome.model_file);
  out["fitted"] = model.fitted();
  return out;
}

report::Document outcome_page(const Outcome& outcome) {
  const AnyModel& model = outcome.model;
  report::Document page{
      .title = std::string(model.info().name),
      .subtitle =
          fmt::format("{}, learned from {}", task_word(model.signature().task), outcome.data_file)};
  const Preparation& preparation = model.preparation();
  report::KeyValues facts{{{"rows", std::to_string(outcome.rows)}}};
  if (outcome.parts > 0) facts.items.emplace_back("parts", std::to_string(outcome.parts));
  if (model.provenance().partial()) facts.items.emplace_back("partial", unfinished_text(model));
  if (!target_value(model.signature()).is_null()) {
    facts.items.emplace_back("target", join(model.signature().outputs, ", "));
  }
  if (!outcome.validation.file.empty()) {
    facts.items.emplace_back(
        "examined by",
        fmt::format("{} of {}", counted(outcome.validation.rows, "row"), outcome.validation.file));
  }
  facts.items.emplace_back("features", columns_text(feature_columns(preparation)));
  page.add(std::move(facts));
  report::Table changed =
      report::preparation_table(preparation, model.info(), &outcome.data, report::Shown::changed);
  if (!changed.rows.empty()) {
    page.add(report::Heading{"Prepared columns"});
    page.add(std::move(changed));
  }
  page.add(report::Heading{outcome.parts == 0 ? std::string("On the training data")
                                              : fmt::format("On the last part ({})",
                                                            counted(outcome.data.rows(), "row"))});
  page.add(report::score_blocks(outcome.metrics));
  page.add(report::Heading{"Model"});
  page.add(report::KeyValues{
      {{"fingerprint", model.fingerprint()},
       {"saved as",
        outcome.model_file.empty() ? "not saved; --model FILE keeps it" : outcome.model_file},
       {"time", seconds_text(outcome.seconds)}}});
  return page;
}

namespace {

// A learner of classes takes every number of a target for one, and rarely is that what was meant.
std::optional<std::string> numbers_as_classes(const Outcome& outcome) {
  constexpr std::size_t kManyClasses = 30;
  const Signature& signature = outcome.model.signature();
  const bool answers_numbers = outcome.model.info().tasks.has(Task::regress);
  if (signature.task != Task::classify || answers_numbers || signature.outputs.size() != 1 ||
      signature.classes.size() <= kManyClasses) {
    return std::nullopt;
  }
  const Column* target = outcome.data.find(signature.outputs.front());
  if (target == nullptr || !target->is_numeric()) return std::nullopt;
  return fmt::format(
      "target {}: {} different numbers became a class each, for {} gives classes only; `gradus "
      "list` "
      "shows learners that answer with numbers",
      in_quotes(signature.outputs.front()), signature.classes.size(), outcome.model.info().name);
}

}  // namespace

std::vector<std::string> outcome_warnings(const Outcome& outcome) {
  std::vector<std::string> warnings;
  for (const SourceColumn& source : outcome.model.preparation().sources) {
    const Column* column = outcome.data.find(source.name);
    if (column == nullptr || !looks_like_identifier(*column)) continue;
    warnings.push_back(fmt::format(
        "column {}: nearly every row has another text, as an identifier has, and nothing can "
        "be learned from it; leave it out with --ignore",
        in_quotes(source.name)));
  }
  if (std::optional<std::string> numbers = numbers_as_classes(outcome)) {
    warnings.push_back(std::move(*numbers));
  }
  return warnings;
}

}  // namespace gradus::cli
