// Learners on the same folds: who is better, by how much, how sure.
#include <fmt/format.h>

#include <algorithm>

#include "gradus/core/text.hpp"
#include "gradus/report/evaluation_figures.hpp"
#include "gradus/report/pages.hpp"

namespace gradus::report {
namespace {

std::string level_text(double level) { return readable(level * 100, 3) + " %"; }

std::string p_cell(const TestResult& test, double p) {
  if (!test.undefined.empty()) return "undefined";
  return p < 0.0001 ? "< 0.0001" : readable(p, 3);
}

}  // namespace

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
  page.add(comparison_figures(result, story.baseline));
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

std::vector<Block> comparison_figures(const Comparison& comparison,
                                      const CrossValidation* baseline) {
  std::vector<CrossValidation> ordered;
  for (const std::size_t i : comparison.order) ordered.push_back(comparison.learners[i]);
  std::vector<Block> out = {Block(fold_scores(ordered, baseline))};
  if (comparison.ranks) out.emplace_back(rank_diagram(comparison));
  return out;
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
  const bool several = comparison.pairs.size() > 1;
  Table table{
      .header = {"better", "worse", "difference", "test", "statistic", "p"},
      .align = {Align::left, Align::left, Align::right, Align::left, Align::right, Align::right}};
  table.header.emplace_back(several ? "p (Holm)" : "note");
  table.align.push_back(several ? Align::right : Align::left);
  table.caption = several ? "what differs after Holm's adjustment for all pairs is marked"
                          : "the first test decides; it is marked when the learners differ";
  const auto add = [&](const PairComparison& pair, const TestResult& test,
                       const std::string& last) {
    const bool defined = test.undefined.empty();
    table.rows.push_back({comparison.learners[pair.first].name,
                          comparison.learners[pair.second].name, readable(pair.difference, 3),
                          test.name, defined ? readable(test.statistic, 4) : "",
                          p_cell(test, test.p), defined ? last : test.undefined});
  };
  for (const PairComparison& pair : comparison.pairs) {
    const double p = several ? pair.adjusted_p : pair.decisive.p;
    if (pair.decisive.undefined.empty() && p < 1 - comparison.level) {
      table.marked.push_back(table.rows.size());
    }
    add(pair, pair.decisive, several ? p_cell(pair.decisive, pair.adjusted_p) : "decides");
    // Several pairs: the decisive tests are enough to read, and JSON holds the others.
    if (several) continue;
    for (const TestResult& test : pair.others) add(pair, test, test.note);
  }
  if (comparison.ranks) {
    const TestResult& friedman = comparison.ranks->friedman;
    table.rows.push_back({"(all)", "", "", friedman.name, readable(friedman.statistic, 4),
                          p_cell(friedman, friedman.p), ""});
  }
  return table;
}

}  // namespace gradus::report
