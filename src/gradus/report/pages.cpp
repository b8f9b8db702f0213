#include "gradus/report/pages.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gradus/core/text.hpp"
#include "gradus/report/answer_figures.hpp"
#include "gradus/report/data_summary.hpp"
#include "gradus/report/evaluation_figures.hpp"
#include "gradus/report/model_figures.hpp"
#include "gradus/report/parameters.hpp"
#include "gradus/report/scores.hpp"
#include "gradus/version.hpp"

namespace gradus::report {
namespace {

std::string level_text(double level) { return readable(level * 100, 3) + " %"; }

// The number of a score, its interval, and what a baseline would have.
Headline::Item headline_item(const Value& scores, const std::string& name,
                             const std::string& baseline) {
  const Value* value = scores.find(name);
  const bool there = value != nullptr && value->is_number();
  Headline::Item item{name, there ? readable(value->as_number(), 4) : "undefined"};
  const Value* intervals = scores.find("intervals");
  const Value* own = intervals == nullptr ? nullptr : intervals->find(name);
  if (there && own != nullptr) {
    item.detail = fmt::format("{} to {}", readable(own->at("low").as_number(), 4),
                              readable(own->at("high").as_number(), 4));
  }
  if (!baseline.empty()) {
    item.detail += (item.detail.empty() ? "" : "; ") + std::string("baseline ") + baseline;
  }
  return item;
}

std::string number_text(const Value* value) {
  return value == nullptr || !value->is_number() ? "" : readable(value->as_number(), 4);
}

Headline headline_of(const Value& scores) {
  Headline out;
  if (scores.find("accuracy") != nullptr) {
    out.items.push_back(
        headline_item(scores, "accuracy", number_text(scores.find("majority_baseline"))));
    for (const char* name : {"balanced_accuracy", "auc", "log_loss"}) {
      out.items.push_back(headline_item(scores, name, ""));
    }
  } else if (scores.find("rmse") != nullptr) {
    out.items.push_back(
        headline_item(scores, "rmse", number_text(scores.find("mean_baseline_rmse"))));
    for (const char* name : {"mae", "r2", "median_ae"}) {
      out.items.push_back(headline_item(scores, name, ""));
    }
  } else {
    for (const char* name : {"silhouette", "davies_bouldin", "calinski_harabasz"}) {
      if (scores.find(name) != nullptr) out.items.push_back(headline_item(scores, name, ""));
    }
  }
  return out;
}

std::vector<double> column_of(const Dataset& data, const std::string& name) {
  const Column& column = data.column(name);
  std::vector<double> out(data.rows());
  for (std::size_t row = 0; row < out.size(); ++row) out[row] = column.number(row);
  return out;
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

std::string estimate_words(const CrossValidation& result) {
  if (!result.estimate.mean) return "is undefined in every fold";
  std::string text = fmt::format("was {} on average", readable(*result.estimate.mean, 4));
  if (result.estimate.interval) {
    text += fmt::format(" ({})", interval_text(result.estimate.interval));
  }
  return text;
}

std::string p_cell(const TestResult& test, double p) {
  if (!test.undefined.empty()) return "undefined";
  return p < 0.0001 ? "< 0.0001" : readable(p, 3);
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
  Table table = parameter_values(learner.params(), learner.values());
  if (table.rows.empty()) return {};
  table.caption =
      fmt::format("{}; values that are not the default are marked", learner.info().name);
  return {Block(std::move(table))};
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
                .subtitle = fmt::format("{} ({}) on {}", story.model.info().name, task,
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
  if (signature.task == Task::classify) page.add(class_figures(story.scores));
  const bool one_number = signature.task == Task::regress && signature.outputs.size() == 1 &&
                          story.data.column(signature.outputs.front()).is_numeric();
  if (one_number) {
    page.add(
        number_figures(column_of(story.data, signature.outputs.front()), story.predictions.values));
  }
  page.add(answer_figures(story.model, story.data));
  page.add(Heading{"All figures"});
  page.add(score_blocks(story.scores));
  const std::vector<Block> learned = model_figures(story.model.fitted());
  if (!learned.empty()) {
    page.add(Heading{"The model"});
    page.add(learned);
  }
  page.add(Heading{"Parameters"});
  page.add(parameter_blocks(story.model.learner()));
  page.add(data_blocks(story.data, signature.outputs));
  page.add(origin_blocks(story.origin));
  return page;
}

Document validation_page(const ValidationStory& story) {
  const CrossValidation& result = story.result;
  Document page{.title = fmt::format("{} on {}", story.learner.info().name, story.origin.data_file),
                .subtitle = fmt::format("cross-validation, {}", story.folds_text)};
  page.add(Paragraph{fmt::format(
      "The learner {} was trained and examined on {}: each time on rows that its training had not "
      "seen, preparation included. Its {} {}.",
      story.learner.info().name, story.folds_text, result.metric.words, estimate_words(result))});
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
  page.add(fold_table(result));
  page.add(Heading{"Parameters"});
  page.add(parameter_blocks(story.learner));
  page.add(data_blocks(story.data, story.target));
  page.add(origin_blocks(story.origin));
  return page;
}

Document comparison_page(const ComparisonStory& story) {
  const Comparison& result = story.result;
  Document page{
      .title = fmt::format("{} learners on {}", result.learners.size(), story.origin.data_file),
      .subtitle = fmt::format("the same {} for all", story.folds_text)};
  page.add(Paragraph{result.conclusion});
  Headline headline;
  for (std::size_t place = 0; place < std::min<std::size_t>(result.order.size(), 4); ++place) {
    const CrossValidation& one = result.learners[result.order[place]];
    headline.items.push_back({fmt::format("{}. {}", place + 1, one.name),
                              score_text(one.estimate.mean), interval_text(one.estimate.interval)});
  }
  page.add(std::move(headline));
  std::vector<CrossValidation> ordered;
  for (const std::size_t i : result.order) ordered.push_back(result.learners[i]);
  page.add(Figure{fold_scores(ordered, story.baseline)});
  if (result.ranks) page.add(Figure{rank_diagram(result)});
  page.add(Heading{"Scores"});
  page.add(comparison_table(result));
  page.add(Heading{fmt::format("Tests, level {}", level_text(result.level))});
  page.add(test_table(result));
  page.add(Heading{"Parameters"});
  for (const AnyLearner& learner : story.learners) page.add(parameter_blocks(learner));
  page.add(data_blocks(story.data, story.target));
  page.add(origin_blocks(story.origin));
  return page;
}

Table comparison_table(const Comparison& comparison) {
  Table table{.header = {"learner", std::string(comparison.learners.front().metric.name),
                         "interval", "deviation", "mean rank"},
              .align = {Align::left, Align::right, Align::right, Align::right, Align::right}};
  for (const std::size_t i : comparison.order) {
    const CrossValidation& one = comparison.learners[i];
    table.rows.push_back({one.name, score_text(one.estimate.mean),
                          interval_text(one.estimate.interval), score_text(one.estimate.deviation),
                          readable(comparison.mean_ranks[i], 3)});
  }
  return table;
}

Table test_table(const Comparison& comparison) {
  Table table{.header = {"better", "worse", "difference", "test", "statistic", "p", "note"},
              .align = {Align::left, Align::left, Align::right, Align::left, Align::right,
                        Align::right, Align::left}};
  const auto add = [&](const PairComparison& pair, const TestResult& test,
                       const std::string& note) {
    const bool defined = test.undefined.empty();
    table.rows.push_back({comparison.learners[pair.first].name,
                          comparison.learners[pair.second].name, readable(pair.difference, 3),
                          test.name, defined ? readable(test.statistic, 4) : "",
                          p_cell(test, test.p), defined ? note : test.undefined});
  };
  for (const PairComparison& pair : comparison.pairs) {
    table.marked.push_back(table.rows.size());
    std::string note = "decides";
    if (comparison.pairs.size() > 1) {
      note += fmt::format("; {} after Holm's adjustment", p_cell(pair.decisive, pair.adjusted_p));
    }
    add(pair, pair.decisive, note);
    // Several pairs: the decisive tests are enough to read, and JSON holds the others.
    if (comparison.pairs.size() > 1) continue;
    for (const TestResult& test : pair.others) add(pair, test, test.note);
  }
  if (comparison.ranks) {
    const TestResult& friedman = comparison.ranks->friedman;
    table.rows.push_back({"(all)", "", "", friedman.name, readable(friedman.statistic, 4),
                          p_cell(friedman, friedman.p), "over the folds"});
  }
  return table;
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
