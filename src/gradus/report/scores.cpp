#include "gradus/report/scores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "gradus/core/text.hpp"
#include "gradus/report/threshold_figures.hpp"
#include "gradus/report/value_blocks.hpp"

namespace gradus::report {
namespace {

constexpr std::size_t kLargestMatrix = 12;  // classes of a confusion matrix that fits a screen
constexpr std::size_t kMostClassRows = 40;  // rows of the table per class
constexpr std::size_t kMostConfused = 15;   // pairs of classes

std::string score(const Value* value) {
  return value == nullptr || value->is_null() ? "undefined" : readable(value->as_number(), 4);
}

// Rows are counted to the last one, whatever their number; weights may be no whole number.
std::string count_text(double count) {
  constexpr double kExact = 1e15;
  const bool whole = count == std::floor(count) && std::abs(count) < kExact;
  return whole ? fmt::format("{:.0f}", count) : readable(count);
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
    for (const Value& count : counts[i].as_array()) cells.push_back(count_text(count.as_number()));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

// The pairs that are taken for each other most often: all that can be read of a large matrix.
Table most_confused(const Value& confusion) {
  struct Cell {
    std::size_t actual = 0;
    std::size_t predicted = 0;
    double count = 0;
    double share = 0;  // of the rows of this class
  };
  std::vector<Cell> cells;
  const auto& counts = confusion.at("counts").as_array();
  for (std::size_t a = 0; a < counts.size(); ++a) {
    const auto& row = counts[a].as_array();
    double support = 0;
    for (const Value& count : row) support += count.as_number();
    for (std::size_t p = 0; p < row.size(); ++p) {
      const double count = row[p].as_number();
      if (p != a && count > 0) cells.push_back({a, p, count, count / support});
    }
  }
  std::stable_sort(cells.begin(), cells.end(),
                   [](const Cell& one, const Cell& other) { return one.count > other.count; });
  Table table{.caption = "classes that are most often taken for another",
              .header = {"truth", "prediction", "rows", "share of the truth"},
              .align = {Align::left, Align::left, Align::right, Align::right}};
  const auto& labels = confusion.at("labels").as_array();
  for (const Cell& cell : cells) {
    if (table.rows.size() == kMostConfused) break;
    table.rows.push_back({value_text(labels[cell.actual]), value_text(labels[cell.predicted]),
                          count_text(cell.count), readable(cell.share, 3)});
  }
  table.left_out = cells.size() - table.rows.size();
  return table;
}

double support_of(const Value& scores) {
  const Value* support = scores.find("support");
  return support == nullptr ? 0 : support->as_number();
}

std::vector<std::string> class_row(const std::string& name, const Value& scores) {
  return {name, score(scores.find("precision")), score(scores.find("recall")),
          score(scores.find("f1")), count_text(support_of(scores))};
}

// All classes in their order, or the largest of very many.
Table class_table(const Value& evaluation) {
  Table table{.header = {"class", "precision", "recall", "f1", "support"},
              .align = {Align::left, Align::right, Align::right, Align::right, Align::right}};
  std::vector<const Value::Member*> classes;
  for (const Value::Member& one : evaluation.at("per_class").as_object()) classes.push_back(&one);
  if (classes.size() > kMostClassRows) {
    table.caption = fmt::format("the {} largest of {} classes", kMostClassRows, classes.size());
    table.left_out = classes.size() - kMostClassRows;
    std::stable_sort(classes.begin(), classes.end(), [](const auto* one, const auto* other) {
      return support_of(one->second) > support_of(other->second);
    });
    classes.resize(kMostClassRows);
  }
  for (const Value::Member* one : classes) {
    table.rows.push_back(class_row(one->first, one->second));
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
  } else if (Table confused = most_confused(confusion); !confused.rows.empty()) {
    blocks.emplace_back(std::move(confused));
  }
  blocks.emplace_back(class_table(evaluation));
  if (Table best = threshold_table(evaluation); !best.rows.empty()) {
    blocks.emplace_back(std::move(best));
  }
  return blocks;
}

// Rows in the order of their answers: the answers themselves are on no scale of the target.
std::vector<Block> ranking_blocks(const Value& evaluation) {
  KeyValues scores;
  if (evaluation.find("ndcg") == nullptr) {
    scores.items.emplace_back("ndcg", "not measured: the data have no column of queries");
  } else {
    scores.items.emplace_back("ndcg", headline(evaluation));
  }
  return {Block(std::move(scores))};
}

std::vector<Block> number_blocks(const Value& evaluation) {
  if (evaluation.find("ranks") != nullptr) return ranking_blocks(evaluation);
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
  if (evaluation.find("ranks") != nullptr && evaluation.find("ndcg") != nullptr) {
    return fmt::format("{}   mean of {}", told(evaluation, "ndcg"),
                       counted(static_cast<std::size_t>(evaluation.at("queries").as_integer()),
                               "query", "queries"));
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
