#include "gradus/report/scores.hpp"

#include <fmt/format.h>

#include "gradus/core/text.hpp"
#include "gradus/report/value_blocks.hpp"

namespace gradus::report {
namespace {

constexpr std::size_t kLargestMatrix = 12;  // classes of a confusion matrix that fits a screen
constexpr std::size_t kMostClasses = 40;    // rows of the table per class

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
    if (table.rows.size() < kMostClasses) {
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

std::vector<Block> class_blocks(const Value& evaluation) {
  KeyValues scores{{{"accuracy", headline(evaluation)}}};
  for (const char* name : {"log_loss", "brier", "auc"}) {
    const Value* value = evaluation.find(name);
    if (value != nullptr) scores.items.emplace_back(name, score(value));
  }
  std::vector<Block> blocks;
  blocks.emplace_back(std::move(scores));
  const Value& confusion = evaluation.at("confusion");
  if (confusion.at("labels").size() <= kLargestMatrix) {
    blocks.emplace_back(confusion_table(confusion));
  }
  blocks.emplace_back(class_table(evaluation));
  return blocks;
}

std::vector<Block> number_blocks(const Value& evaluation) {
  KeyValues scores{{{"rmse", headline(evaluation)}}};
  for (const char* name : {"r2", "mae", "median_ae", "max_error"}) {
    const Value* value = evaluation.find(name);
    if (value != nullptr) scores.items.emplace_back(name, score(value));
  }
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
