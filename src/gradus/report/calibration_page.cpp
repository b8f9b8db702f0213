#include "gradus/report/calibration_page.hpp"

#include <fmt/format.h>

#include "gradus/core/text.hpp"
#include "gradus/evaluate/intervals.hpp"

namespace gradus::report {
namespace {

constexpr const char* kMeasures[] = {"log_loss", "brier", "ece", "accuracy", "auc"};

std::string number_text(const Value& scores, const char* name) {
  const Value* found = scores.find(name);
  return found == nullptr || !found->is_number() ? "undefined" : readable(found->as_number(), 4);
}

// A point per tenth of the probabilities, with the interval of the share.
Series reliability(const Value& scores, std::string name) {
  Series out{.name = std::move(name), .mark = Mark::points};
  const Value* bins = scores.find("calibration");
  if (bins == nullptr) return out;
  for (const Value& bin : bins->as_array()) {
    const double weight = bin.at("weight").as_number();
    const double share = bin.at("share").as_number();
    const Interval interval = wilson_interval({share * weight, weight}, 0.95);
    out.x.push_back(bin.at("probability").as_number());
    out.y.push_back(share);
    out.low.push_back(interval.low);
    out.high.push_back(interval.high);
  }
  return out;
}

// How many rows had which probability: calibration moves them away from, or towards, 0 and 1.
Figure spread_figure(const Value& before, const Value& after) {
  const auto weights = [](const Value& scores, std::string name) {
    Series out{.name = std::move(name)};
    const Value* bins = scores.find("calibration");
    if (bins == nullptr) return out;
    for (const Value& bin : bins->as_array()) {
      out.x.push_back((bin.at("low").as_number() + bin.at("high").as_number()) / 2);
      out.y.push_back(bin.at("weight").as_number());
    }
    return out;
  };
  return {Chart{.title = "Probabilities said",
                .description = "How many rows were given a probability in each tenth.",
                .x = {"predicted probability", 0, 1},
                .y = {.label = "rows", .low = 0},
                .series = {weights(before, "before"), weights(after, "after")}}};
}

std::string outcome_words(const Value& before, const Value& after) {
  const Value* from = before.find("log_loss");
  const Value* to = after.find("log_loss");
  if (from == nullptr || to == nullptr || !from->is_number() || !to->is_number()) return "";
  const double change = to->as_number() - from->as_number();
  if (change == 0) return " The log-loss did not change.";
  return fmt::format(" The log-loss {} from {} to {}.", change < 0 ? "fell" : "rose",
                     readable(from->as_number(), 4), readable(to->as_number(), 4));
}

}  // namespace

Table calibration_table(const Value& before, const Value& after) {
  Table table{.caption = "on the rows that calibrated; `gradus evaluate` judges other rows",
              .header = {"", "before", "after"},
              .align = {Align::left, Align::right, Align::right}};
  for (const char* name : kMeasures) {
    table.rows.push_back({name, number_text(before, name), number_text(after, name)});
  }
  return table;
}

Figure reliability_figure(const Value& before, const Value& after) {
  return {Chart{
      .title = "Calibration before and after",
      .description =
          fmt::format("How often a prediction came true against how probable it was said to be, in "
                      "tenths, with 95 % intervals. The mean gap (ECE) was {} and is {}.",
                      number_text(before, "ece"), number_text(after, "ece")),
      .x = {"predicted probability", 0, 1},
      .y = {"how often it came true", 0, 1},
      .series = {reliability(before, "before"),
                 reliability(after, "after"),
                 {.name = "perfectly calibrated", .mark = Mark::dashed, .x = {0, 1}, .y = {0, 1}}},
      .square = true}};
}

Document calibration_page(const CalibrationStory& story) {
  const Signature& signature = story.model.signature();
  Document page{.title = story.to,
                .subtitle = fmt::format("{} calibrated on {}", story.from, story.origin.data_file)};
  page.add(Paragraph{fmt::format(
      "The probabilities of the model {} were corrected by the {} map, which was fitted to {} of "
      "{} "
      "that the model had not learned from; the model inside stays as it was.{} These are the rows "
      "that calibrated: what the probabilities are worth on other rows, `gradus evaluate` says.",
      story.from, story.method, counted(story.data.rows(), "row"), story.origin.data_file,
      outcome_words(story.before, story.after))});
  Headline headline;
  for (const auto& [name, words] : {std::pair{"log_loss", "log-loss"},
                                    {"brier", "Brier score"},
                                    {"ece", "calibration error"},
                                    {"accuracy", "accuracy"}}) {
    headline.items.push_back(
        {words, number_text(story.after, name), "before " + number_text(story.before, name)});
  }
  page.add(std::move(headline));
  page.add(reliability_figure(story.before, story.after));
  page.add(spread_figure(story.before, story.after));
  page.add(Heading{"Figures"});
  page.add(calibration_table(story.before, story.after));
  page.add(Heading{"Parameters"});
  page.add(parameter_blocks(story.model.learner()));
  page.add(data_blocks(story.data, signature.outputs));
  page.add(origin_blocks(story.origin));
  return page;
}

}  // namespace gradus::report
