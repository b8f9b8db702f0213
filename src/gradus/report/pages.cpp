#include "gradus/report/pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gradus/core/text.hpp"
#include "gradus/report/answer_figures.hpp"
#include "gradus/report/curve_page.hpp"
#include "gradus/report/data_summary.hpp"
#include "gradus/report/evaluation_figures.hpp"
#include "gradus/report/model_section.hpp"
#include "gradus/report/parameters.hpp"
#include "gradus/report/scores.hpp"
#include "gradus/report/tuning_page.hpp"
#include "gradus/version.hpp"

namespace gradus::report {
namespace {

// A figure on a card: under which name the scores have it, how people call it, and what a baseline
// that knows nothing about the row would have.
struct Card {
  const char* score;
  const char* words;
  std::optional<double> baseline = {};
};

Headline::Item headline_item(const Value& scores, const Card& card) {
  const Value* value = scores.find(card.score);
  const bool there = value != nullptr && value->is_number();
  Headline::Item item{card.words, there ? readable(value->as_number(), 4) : "undefined"};
  const Value* intervals = scores.find("intervals");
  const Value* own = intervals == nullptr ? nullptr : intervals->find(card.score);
  if (there && own != nullptr) {
    item.detail = fmt::format("{} to {}", readable(own->at("low").as_number(), 4),
                              readable(own->at("high").as_number(), 4));
  }
  if (card.baseline) {
    item.detail +=
        (item.detail.empty() ? "" : "; ") + std::string("baseline ") + readable(*card.baseline, 4);
  }
  return item;
}

std::optional<double> number_at(const Value& scores, const char* name) {
  const Value* value = scores.find(name);
  if (value == nullptr || !value->is_number()) return std::nullopt;
  return value->as_number();
}

// What always giving the shares of the classes would have: the log-loss is their entropy.
struct BlindClasses {
  double log_loss = 0;
  double balanced_accuracy = 1;
};

BlindClasses blind_classes(const Value& scores) {
  double total = 0;
  std::vector<double> supports;
  for (const auto& [label, one] : scores.at("per_class").as_object()) {
    supports.push_back(number_at(one, "support").value_or(0));
    total += supports.back();
  }
  BlindClasses out;
  double occurring = 0;
  for (const double support : supports) {
    if (support <= 0) continue;
    occurring += 1;
    out.log_loss -= support / total * std::log(support / total);
  }
  if (occurring > 0) out.balanced_accuracy = 1 / occurring;
  return out;
}

Headline headline_of(const Value& scores) {
  std::vector<Card> cards;
  if (scores.find("accuracy") != nullptr) {
    const BlindClasses blind = blind_classes(scores);
    cards = {{"accuracy", "accuracy", number_at(scores, "majority_baseline")},
             {"balanced_accuracy", "balanced accuracy", blind.balanced_accuracy},
             {"auc", "AUC", 0.5},
             {"log_loss", "log-loss", blind.log_loss}};
  } else if (scores.find("rmse") != nullptr) {
    cards = {{"rmse", "RMSE", number_at(scores, "mean_baseline_rmse")},
             {"mae", "mean absolute error"},
             {"r2", "R²", 0.0},
             {"median_ae", "median absolute error"}};
  } else {
    cards = {{"silhouette", "silhouette"},
             {"davies_bouldin", "Davies–Bouldin"},
             {"calinski_harabasz", "Calinski–Harabasz"}};
    std::erase_if(cards, [&](const Card& card) { return scores.find(card.score) == nullptr; });
  }
  Headline out;
  for (const Card& card : cards) out.items.push_back(headline_item(scores, card));
  return out;
}

std::vector<double> column_of(const Dataset& data, const std::string& name) {
  const Column& column = data.column(name);
  std::vector<double> out(data.rows());
  for (std::size_t row = 0; row < out.size(); ++row) out[row] = column.number(row);
  return out;
}

// The columns that the model learned from.
Dataset used_columns(const EvaluationStory& story) {
  std::vector<Column> columns;
  for (const SourceColumn& source : story.model.preparation().sources) {
    if (const Column* column = story.data.find(source.name)) columns.push_back(*column);
  }
  return Dataset(std::move(columns));
}

// Pictures of the answers beside the truth.
std::vector<Block> figures_of(const EvaluationStory& story) {
  const Signature& signature = story.model.signature();
  if (signature.task == Task::classify) return class_figures(story.scores);
  const bool one_number = signature.task == Task::regress && signature.outputs.size() == 1 &&
                          story.data.column(signature.outputs.front()).is_numeric();
  if (!one_number) return {};
  return number_figures(column_of(story.data, signature.outputs.front()), story.predictions.values);
}

// Pictures of all examined rows of a cross-validation.
std::vector<Block> pooled_figures(const Folds& folds, const CrossValidation& result) {
  if (result.pooled.is_null()) return {};
  if (result.task == Task::classify) return class_figures(result.pooled);
  if (result.task != Task::regress || result.numbers.size() != folds.rows) return {};
  std::vector<double> predicted(folds.rows);
  for (std::size_t fold = 0; fold < folds.size(); ++fold) {
    const std::vector<std::size_t>& test = folds.test(fold);
    for (std::size_t at = 0; at < test.size(); ++at) {
      predicted[test[at]] = result.folds[fold].numbers[at];
    }
  }
  return number_figures(result.numbers, predicted);
}

// The honest counterpart of figures on the rows that taught.
void add_learning_curve(Document& page, const Curve& curve) {
  page.add(Heading{"On new rows"});
  const ScorePoint& last = curve.points.back();
  const std::string interval = interval_text(last.examined.interval);
  page.add(Paragraph{fmt::format(
      "With {} folds of these rows, each trained without the rows that examined it, {} was {}{} on "
      "new rows and {} on the rows that taught.",
      last.examined_scores.size(), curve.metric.words, score_text(last.examined.mean),
      interval.empty() ? "" : " (" + interval + ")", score_text(last.training.mean))});
  page.add(curve_figure(curve));
  page.add(diagnosis_blocks(curve.diagnosis));
}

std::string estimate_words(const CrossValidation& result) {
  if (!result.estimate.mean) return "is undefined in every fold";
  std::string text = fmt::format("was {} on average", readable(*result.estimate.mean, 4));
  if (result.estimate.interval) {
    text += fmt::format(" ({})", interval_text(result.estimate.interval));
  }
  return text;
}

}  // namespace

std::string score_text(const std::optional<double>& score) {
  return score ? readable(*score, 4) : "undefined";
}

std::string interval_text(const std::optional<Interval>& interval) {
  if (!interval) return "";
  return fmt::format("{} to {}", readable(interval->low, 4), readable(interval->high, 4));
}

std::vector<Block> parameter_blocks(const AnyLearner& learner) {
  const Table all = parameter_values(learner.params(), learner.values());
  if (all.rows.empty()) return {};
  Table changed{.caption = fmt::format("{}: what is not the default", learner.info().name),
                .header = all.header};
  std::vector<std::string> defaults;
  for (std::size_t i = 0; i < all.rows.size(); ++i) {
    const bool own = std::find(all.marked.begin(), all.marked.end(), i) != all.marked.end();
    if (own) {
      changed.marked.push_back(changed.rows.size());
      changed.rows.push_back(all.rows[i]);
    } else {
      defaults.push_back(all.rows[i][0] + " " + all.rows[i][1]);
    }
  }
  std::vector<Block> out;
  const std::string rest = join(defaults, ", ");
  if (changed.rows.empty()) {
    out.emplace_back(Paragraph{
        fmt::format("Every parameter of {} has its default: {}.", learner.info().name, rest)});
    return out;
  }
  out.emplace_back(std::move(changed));
  if (!rest.empty()) out.emplace_back(Paragraph{fmt::format("At their defaults: {}.", rest)});
  return out;
}

std::vector<Block> data_blocks(const Dataset& data, const std::vector<std::string>& target) {
  return {Block(Heading{"Data"}), Block(data_summary(data, target))};
}

std::vector<Block> origin_blocks(const Origin& origin) {
  KeyValues facts{{{"command", origin.command}, {"version", kVersion}}};
  if (!origin.data_file.empty()) facts.items.emplace_back("data", origin.data_file);
  if (!origin.data_fingerprint.empty()) {
    facts.items.emplace_back("fingerprint of the data", origin.data_fingerprint);
  }
  if (!origin.model_fingerprint.empty()) {
    facts.items.emplace_back("fingerprint of the model", origin.model_fingerprint);
  }
  return {Block(Heading{"How to repeat it"}),
          Block(Paragraph{"The same command, version and data give the same numbers on any machine "
                          "and with any number of threads."}),
          Block(std::move(facts))};
}

Document evaluation_page(const EvaluationStory& story) {
  const Signature& signature = story.model.signature();
  const std::string task(task_word(signature.task));
  Document page{.title = story.subject,
                .subtitle = story.on_training_data
                                ? fmt::format("{}, learned from {}", task, story.origin.data_file)
                                : fmt::format("{} ({}) on {}", story.model.info().name, task,
                                              story.origin.data_file)};
  const std::string target =
      signature.task == Task::cluster
          ? ""
          : fmt::format(" and compared with column {}", join(signature.outputs, ", "));
  page.add(Paragraph{
      fmt::format("A {} model of the learner {}, learned from {}, was applied to {} of {}{}. {}",
                  task, story.model.info().name,
                  counted(static_cast<std::size_t>(story.model.provenance().rows), "row"),
                  counted(story.data.rows(), "row"), story.origin.data_file, target,
                  story.on_training_data
                      ? "These are the rows that it learned from: on new rows it will do worse."
                      : "Intervals say how far the figures may be off by chance of the rows.")});
  page.add(headline_of(story.scores));
  page.add(figures_of(story));
  page.add(answer_figures(story.model, story.data));
  if (story.curve != nullptr) add_learning_curve(page, *story.curve);
  if (signature.task == Task::cluster) {
    page.add(cluster_blocks(used_columns(story), story.predictions));
  }
  page.add(Heading{"All figures"});
  page.add(score_blocks(story.scores));
  if (const std::vector<Block> learned = model_blocks(story.model); !learned.empty()) {
    page.add(Heading{"The model"});
    page.add(learned);
  }
  if (const std::vector<Block> shapes = dependence_section(story.model, story.data);
      !shapes.empty()) {
    page.add(Heading{"What the answer depends on"});
    page.add(shapes);
  }
  page.add(Heading{"Parameters"});
  page.add(parameter_blocks(story.model.learner()));
  page.add(data_blocks(story.data, signature.outputs));
  page.add(origin_blocks(story.origin));
  return page;
}

std::vector<Block> evaluation_plots(const EvaluationStory& story) {
  std::vector<Block> out = figures_of(story);
  std::erase_if(out, [](const Block& block) {
    const auto* figure = std::get_if<Figure>(&block);
    return figure == nullptr || !std::holds_alternative<Chart>(figure->picture);
  });
  return out;
}

Document validation_page(const ValidationStory& story) {
  const CrossValidation& result = story.result;
  const bool nested = story.nested != nullptr;
  Document page{
      .title = fmt::format("{} on {}", story.learner.info().name, story.origin.data_file),
      .subtitle = fmt::format("{}cross-validation, {}", nested ? "nested " : "", story.folds_text)};
  page.add(Paragraph{fmt::format(
      "The learner {} was trained and examined on {}: each time on rows that its training had not "
      "seen, preparation {}included. Its {} {}.",
      story.learner.info().name, story.folds_text, nested ? "and search of parameters " : "",
      result.metric.words, estimate_words(result))});
  Headline headline;
  const std::string baseline = story.baseline == nullptr || !story.baseline->estimate.mean
                                   ? ""
                                   : "; baseline " + score_text(story.baseline->estimate.mean);
  headline.items.push_back({std::string(result.metric.name), score_text(result.estimate.mean),
                            interval_text(result.estimate.interval) + baseline});
  headline.items.push_back(
      {"spread of the folds", score_text(result.estimate.deviation), "standard deviation"});
  if (result.score_632) {
    headline.items.push_back(
        {".632 estimate", readable(*result.score_632, 4), "0.368 training + 0.632 out of bag"});
  }
  if (result.score_632_plus) {
    headline.items.push_back({".632+ estimate", readable(*result.score_632_plus, 4),
                              "more weight on rows left out, the more it overfits"});
  }
  page.add(std::move(headline));
  page.add(Figure{fold_scores({result}, story.baseline)});
  const std::vector<Block> figures = pooled_figures(story.folds, result);
  if (!figures.empty()) {
    page.add(Heading{"All examined rows together"});
    page.add(figures);
    page.add(score_blocks(result.pooled));
  }
  page.add(Heading{"Folds"});
  page.add(nested ? nested_table(*story.nested) : fold_table(result));
  page.add(Heading{nested ? "Parameters as given" : "Parameters"});
  page.add(parameter_blocks(story.learner));
  page.add(data_blocks(story.data, story.target));
  page.add(origin_blocks(story.origin));
  return page;
}

Table fold_table(const CrossValidation& result) {
  constexpr std::size_t kMost = 50;
  Table table{.header = {"fold", "learned from", "examined", std::string(result.metric.name)},
              .align = {Align::right, Align::right, Align::right, Align::right}};
  for (const FoldResult& fold : result.folds) {
    if (table.rows.size() == kMost) {
      ++table.left_out;
      continue;
    }
    table.rows.push_back({std::to_string(table.rows.size() + 1), std::to_string(fold.train_rows),
                          std::to_string(fold.test_rows), score_text(fold.metric)});
  }
  return table;
}

}  // namespace gradus::report
