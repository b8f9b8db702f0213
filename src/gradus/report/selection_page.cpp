#include "gradus/report/selection_page.hpp"

#include <fmt/format.h>

#include "gradus/core/text.hpp"

namespace gradus::report {
namespace {

Table step_table(const Selection& selection) {
  const bool adding = selection.method == SelectMethod::forward;
  Table table{.header = {"columns", adding ? "added" : "dropped",
                         std::string(selection.metric.name), "deviation", "left"},
              .align = {Align::right, Align::left, Align::right, Align::right, Align::left}};
  for (std::size_t i = 0; i < selection.steps.size(); ++i) {
    const SelectStep& step = selection.steps[i];
    if (i == selection.best) table.marked.push_back(i);
    table.rows.push_back({std::to_string(step.features.size()), step.changed,
                          score_text(step.estimate.mean), score_text(step.estimate.deviation),
                          join(step.features, ", ")});
  }
  return table;
}

Figure step_figure(const Selection& selection) {
  Series line{.name = std::string(selection.metric.words)};
  for (const SelectStep& step : selection.steps) {
    if (!step.estimate.mean) continue;
    line.x.push_back(static_cast<double>(step.features.size()));
    line.y.push_back(*step.estimate.mean);
  }
  if (line.x.size() > 1 && line.x.front() > line.x.back()) {
    line.x.assign(line.x.rbegin(), line.x.rend());
    line.y.assign(line.y.rbegin(), line.y.rend());
  }
  Chart chart{.title = "Score by number of columns",
              .description = "The mean over the folds for each set of columns on the way.",
              .x = {.label = "columns"},
              .y = {.label = std::string(selection.metric.words)},
              .series = {line}};
  if (selection.all && !line.x.empty()) {
    chart.series.push_back({.name = "all columns",
                            .mark = Mark::dashed,
                            .x = {line.x.front(), line.x.back()},
                            .y = {*selection.all, *selection.all}});
  }
  return {chart};
}

constexpr const char* kOptimism =
    "The figure is too good, for the columns were chosen by it; --nested 5 gives an honest one.";

std::string honesty(const SelectionStory& story) {
  if (story.nested == nullptr) return kOptimism;
  const NestedSelection& nested = *story.nested;
  const std::string interval = interval_text(nested.estimate.interval);
  return fmt::format(
      "A selection inside each of {} gave {} {}{} on rows that no choice had seen: this is what to "
      "expect on new rows.",
      counted(nested.folds.size(), "outer fold"), nested.metric.words,
      score_text(nested.estimate.mean), interval.empty() ? "" : " (" + interval + ")");
}

// What each outer fold chose, and which columns they agree on.
std::vector<Block> nested_blocks(const NestedSelection& nested) {
  Table folds{.header = {"outer fold", std::string(nested.metric.name), "columns chosen inside"},
              .align = {Align::right, Align::right, Align::left}};
  for (std::size_t i = 0; i < nested.folds.size(); ++i) {
    folds.rows.push_back(
        {std::to_string(i + 1), score_text(nested.folds[i].metric), join(nested.chosen[i], ", ")});
  }
  Table often{.caption = "in how many outer folds a column was chosen",
              .header = {"column", "folds"},
              .align = {Align::left, Align::right}};
  for (const auto& [name, count] : nested.often) {
    often.rows.push_back({name, std::to_string(count)});
    often.bars.push_back(static_cast<double>(count) / static_cast<double>(nested.folds.size()));
  }
  return {Block(Heading{"Outer folds"}), Block(std::move(folds)), Block(std::move(often))};
}

}  // namespace

Document selection_summary(const SelectionStory& story) {
  Document page{.title = story.selection.learner,
                .subtitle = fmt::format("columns selected on {}, {}", story.origin.data_file,
                                        story.folds_text)};
  page.add(Paragraph{story.selection.conclusion});
  page.add(Paragraph{honesty(story)});
  page.add(Heading{"Steps"});
  page.add(step_table(story.selection));
  if (story.selection.steps.size() > 2) page.add(step_figure(story.selection));
  if (story.nested != nullptr) page.add(nested_blocks(*story.nested));
  return page;
}

Document selection_page(const SelectionStory& story) {
  const Selection& selection = story.selection;
  const SelectStep& best = selection.steps[selection.best];
  Document page{.title = fmt::format("{} on {}", selection.learner, story.origin.data_file),
                .subtitle = fmt::format("selection of columns, {}", story.folds_text)};
  page.add(Paragraph{selection.conclusion});
  page.add(Paragraph{honesty(story)});
  Headline headline{{{"columns", std::to_string(best.features.size()), ""},
                     {std::string(selection.metric.name), score_text(best.estimate.mean),
                      interval_text(best.estimate.interval)},
                     {"with all columns", score_text(selection.all), ""}}};
  if (story.nested != nullptr) {
    headline.items.push_back({"nested, on unseen rows", score_text(story.nested->estimate.mean),
                              interval_text(story.nested->estimate.interval)});
  }
  page.add(std::move(headline));
  page.add(step_figure(selection));
  page.add(Heading{"Steps"});
  page.add(step_table(selection));
  if (story.nested != nullptr) page.add(nested_blocks(*story.nested));
  page.add(Heading{"Parameters"});
  page.add(parameter_blocks(story.learner));
  page.add(data_blocks(story.data, story.target));
  page.add(origin_blocks(story.origin));
  return page;
}

std::vector<Block> dataset_comparison_blocks(const DatasetComparison& comparison) {
  Table table{.header = {"data"}, .align = {Align::left}};
  for (const std::size_t i : comparison.order) {
    table.header.push_back(comparison.learners[i]);
    table.align.push_back(Align::right);
  }
  for (const DatasetScores& one : comparison.data) {
    std::vector<std::string> row = {one.name};
    for (const std::size_t i : comparison.order) row.push_back(readable(one.scores[i], 4));
    table.rows.push_back(std::move(row));
  }
  std::vector<std::string> ranks = {"mean rank"};
  for (const std::size_t i : comparison.order)
    ranks.push_back(readable(comparison.mean_ranks[i], 4));
  table.marked.push_back(table.rows.size());
  table.rows.push_back(std::move(ranks));
  table.caption = std::string(comparison.metric.words);
  RankDiagram diagram{
      .title = "Critical differences",
      .description =
          "Mean ranks over the data sets, 1 being best. Learners joined by a bar are less than "
          "Nemenyi's critical difference apart: they do not differ significantly.",
      .names = comparison.learners,
      .ranks = comparison.mean_ranks,
      .critical_difference = comparison.ranks.critical_difference};
  return {Block(Paragraph{comparison.conclusion}), Block(std::move(table)),
          Block(Figure{std::move(diagram)})};
}

Document dataset_comparison_page(const DatasetComparison& comparison, const Origin& origin) {
  Document page{.title = fmt::format("{} learners on {} data sets", comparison.learners.size(),
                                     comparison.data.size()),
                .subtitle = "each data set is a judge with one vote"};
  page.add(dataset_comparison_blocks(comparison));
  page.add(origin_blocks(origin));
  return page;
}

}  // namespace gradus::report
