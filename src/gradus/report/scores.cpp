#include "gradus/report/scores.hpp"

#include <fmt/format.h>

#include <span>

#include "gradus/core/text.hpp"
#include "gradus/report/threshold_figures.hpp"
#include "gradus/report/value_blocks.hpp"

namespace gradus::report {
namespace {

constexpr std::size_t kLargestMatrix = 12;  // classes of a confusion matrix that fits a screen
constexpr std::size_t kMostClassRows = 40;  // rows of the table per class

std::string score(const Value* value) {
  return value == nullptr || value->is_null() ? "undefined" : readable(value->as_number(), 4);
}

Table confusion_table(const Value& confusion) {
  const auto& labels = confusion.at("labels").as_array();
  Table table{.caption = "confusion matrix: rows are the truth, columns the prediction",
              .header = {""},
              .align = {Align::left}};
  for (const Value& label : labels) table.header.push_back(value_text(label));
  table.align.resize(table.header.size(), Align::right);
  const auto& counts = confusion.at("counts").as_array();
  for (std::size_t i = 0; i < labels.size(); ++i) {
    std::vector<std::string> cells = {value_text(labels[i])};
    for (const Value& count : counts[i].as_array()) cells.push_back(value_text(count));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

std::vector<std::string> class_row(const std::string& name, const Value& scores) {
  return {name, score(scores.find("precision")), score(scores.find("recall")),
          score(scores.find("f1")), score(scores.find("support"))};
}

Table class_table(const Value& evaluation) {
  Table table{.header = {"class", "precision", "recall", "f1", "support"},
              .align = {Align::left, Align::right, Align::right, Align::right, Align::right}};
  for (const auto& [label, scores] : evaluation.at("per_class").as_object()) {
    if (table.rows.size() < kMostClassRows) {
      table.rows.push_back(class_row(label, scores));
    } else {
      ++table.left_out;
    }
  }
  for (const char* mean : {"macro", "weighted"}) {
    if (const Value* scores = evaluation.find(mean)) {
      table.rows.push_back(class_row(fmt::format("({} mean)", mean), *scores));
    }
  }
  return table;
}

// "   (0.91 to 0.98)", or nothing when the evaluation has no interval for it.
std::string interval_of(const Value& evaluation, const std::string& name) {
  const Value* all = evaluation.find("intervals");
  const Value* own = all == nullptr ? nullptr : all->find(name);
  if (own == nullptr) return "";
  return fmt::format("   ({} to {})", readable(own->at("low").as_number(), 4),
                     readable(own->at("high").as_number(), 4));
}

// A figure that a quick evaluation leaves out is neither there nor undefined.
bool was_measured(const Value& evaluation, const std::string& name) {
  const Value* value = evaluation.find(name);
  if (value == nullptr) return false;
  const Value* reasons = evaluation.find("undefined");
  return !value->is_null() || (reasons != nullptr && reasons->find(name) != nullptr);
}

// The score with its interval, or why there is none.
std::string told(const Value& evaluation, const std::string& name) {
  const Value& value = evaluation.at(name);
  if (!value.is_null()) return score(&value) + interval_of(evaluation, name);
  const Value* reasons = evaluation.find("undefined");
  const Value* reason = reasons == nullptr ? nullptr : reasons->find(name);
  return reason == nullptr ? "undefined" : "undefined: " + reason->as_string();
}

void add_scores(KeyValues& list, const Value& evaluation, std::span<const char* const> names) {
  for (const char* name : names) {
    if (was_measured(evaluation, name)) list.items.emplace_back(name, told(evaluation, name));
  }
}

void add_costs(KeyValues& list, const Value& evaluation) {
  const Value* costs = evaluation.find("costs");
  if (costs == nullptr) return;
  for (const char* name : {"mean", "mean_by_probabilities", "best_threshold",
                           "mean_at_best_threshold", "theoretical_threshold"}) {
    if (const Value* value = costs->find(name)) {
      list.items.emplace_back(std::string("cost: ") + name, score(value));
    }
  }
}

// How the answers were decided, where it is not the likeliest class.
void add_decision(KeyValues& list, const Value& evaluation) {
  const Value* decision = evaluation.find("decision");
  if (decision == nullptr) return;
  const Value* label = decision->find("class");
  list.items.emplace_back("decided by",
                          label == nullptr
                              ? "least expected cost"
                              : fmt::format("{} from a probability of {} on", label->as_string(),
                                            readable(decision->at("threshold").as_number(), 4)));
}

std::vector<Block> class_blocks(const Value& evaluation) {
  constexpr const char* kNames[] = {
      "balanced_accuracy", "kappa", "mcc", "log_loss", "brier", "auc", "auc_hand_till",
      "average_precision", "ece"};
  KeyValues scores{{{"accuracy", headline(evaluation) + interval_of(evaluation, "accuracy")}}};
  add_scores(scores, evaluation, kNames);
  add_costs(scores, evaluation);
  add_decision(scores, evaluation);
  std::vector<Block> blocks;
  blocks.emplace_back(std::move(scores));
  const Value& confusion = evaluation.at("confusion");
  if (confusion.at("labels").size() <= kLargestMatrix) {
    blocks.emplace_back(confusion_table(confusion));
  }
  blocks.emplace_back(class_table(evaluation));
  if (Table best = threshold_table(evaluation); !best.rows.empty()) {
    blocks.emplace_back(std::move(best));
  }
  return blocks;
}

std::vector<Block> number_blocks(const Value& evaluation) {
  constexpr const char* kNames[] = {"r2",   "explained_variance", "mae",       "mean_error",
                                    "mape", "median_ae",          "max_error", "ndcg"};
  KeyValues scores{{{"rmse", headline(evaluation) + interval_of(evaluation, "rmse")}}};
  add_scores(scores, evaluation, kNames);
  return {Block(std::move(scores))};
}

}  // namespace

std::string headline(const Value& evaluation) {
  if (const Value* accuracy = evaluation.find("accuracy")) {
    return fmt::format("{}   always the largest class: {}", score(accuracy),
                       score(evaluation.find("majority_baseline")));
  }
  if (const Value* rmse = evaluation.find("rmse")) {
    return fmt::format("{}   always the mean: {}", score(rmse),
                       score(evaluation.find("mean_baseline_rmse")));
  }
  return {};
}

std::vector<Block> score_blocks(const Value& evaluation) {
  if (evaluation.find("accuracy") != nullptr) return class_blocks(evaluation);
  if (evaluation.find("rmse") != nullptr) return number_blocks(evaluation);
  return value_blocks(evaluation);
}

}  // namespace gradus::report
