#include "gradus/report/tuning_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "gradus/core/text.hpp"

namespace gradus::report {
namespace {

std::string setting_text(const Value& value) {
  if (value.is_null()) return "none";
  if (value.is_string()) return value.as_string();
  return value.is_number() ? readable(value.as_number(), 6) : to_json(value);
}

bool complete(const Candidate& one) {
  return one.proposal.share == 1 && one.estimate.mean.has_value();
}

// How the score goes with one numeric parameter: a point per candidate that learned from all rows.
std::vector<Block> parameter_figures(const Tuning& tuning) {
  std::vector<Block> out;
  for (std::size_t i = 0; i < tuning.space.size(); ++i) {
    const Dimension& dimension = tuning.space[i];
    if (!dimension.is_range()) continue;
    Series points{.name = "candidates", .mark = Mark::points};
    Series winner{.name = "the best", .mark = Mark::points};
    for (std::size_t k = 0; k < tuning.candidates.size(); ++k) {
      const Candidate& one = tuning.candidates[k];
      if (!complete(one) || std::isnan(one.proposal.place[i])) continue;
      Series& series = k == tuning.best ? winner : points;
      series.x.push_back(one.settings[i].second.as_number());
      series.y.push_back(*one.estimate.mean);
    }
    if (points.x.empty() && winner.x.empty()) continue;
    Chart chart{.title = fmt::format("{} against {}", tuning.metric.words, dimension.parameter),
                .description = "A point per candidate; the other parameters differ between them.",
                .x = {.label = dimension.parameter,
                      .logarithmic = dimension.scale == gradus::Scale::logarithmic},
                .y = {.label = std::string(tuning.metric.words)},
                .series = {points}};
    if (!winner.x.empty()) chart.series.push_back(winner);
    out.emplace_back(Figure{chart});
  }
  return out;
}

Table space_table(const Tuning& tuning) {
  Table table{.header = {"parameter", "searched", "given", "best"},
              .align = {Align::left, Align::left, Align::right, Align::right}};
  for (std::size_t i = 0; i < tuning.space.size(); ++i) {
    const Dimension& one = tuning.space[i];
    std::string searched;
    if (one.is_range()) {
      searched = fmt::format("{} to {}{}", readable(one.low, 6), readable(one.high, 6),
                             one.scale == gradus::Scale::logarithmic ? ", logarithmic" : "");
    } else {
      std::vector<std::string> texts;
      for (const Value& value : one.choices) texts.push_back(setting_text(value));
      searched = join(texts, ", ");
    }
    table.rows.push_back({one.parameter, searched,
                          setting_text(tuning.candidates.front().settings[i].second),
                          setting_text(tuning.candidates[tuning.best].settings[i].second)});
  }
  return table;
}

std::string nested_words(const NestedTuning& nested) {
  const std::string interval = interval_text(nested.estimate.interval);
  return fmt::format(
      "A search inside each of {} gave {} {}{} on rows that no search had seen: this is what to "
      "expect of the tuned learner on new rows.",
      counted(nested.folds.size(), "outer fold"), nested.metric.words,
      score_text(nested.estimate.mean), interval.empty() ? "" : " (" + interval + ")");
}

constexpr const char* kWinnerOptimism =
    "The figure of the winner is too good, for it was chosen among many by this figure; --nested 5 "
    "gives an honest one.";

}  // namespace

Table nested_table(const NestedTuning& nested) {
  Table table{.header = {"fold", "learned from", "examined", std::string(nested.metric.name),
                         "settings chosen inside"},
              .align = {Align::right, Align::right, Align::right, Align::right, Align::left}};
  for (std::size_t i = 0; i < nested.folds.size(); ++i) {
    const FoldResult& fold = nested.folds[i];
    table.rows.push_back({std::to_string(i + 1), std::to_string(fold.train_rows),
                          std::to_string(fold.test_rows), score_text(fold.metric),
                          settings_text(nested.chosen[i])});
  }
  return table;
}

Table candidate_table(const Tuning& tuning, std::size_t most) {
  Table table{.header = {"#"}, .align = {Align::right}};
  for (const Dimension& one : tuning.space) {
    table.header.push_back(one.parameter);
    table.align.push_back(Align::right);
  }
  const bool partly = std::any_of(tuning.candidates.begin(), tuning.candidates.end(),
                                  [](const Candidate& one) { return one.proposal.share < 1; });
  if (partly) table.header.emplace_back("rows");
  table.header.insert(table.header.end(), {std::string(tuning.metric.name), "interval", "note"});
  table.align.resize(table.header.size() - 1, Align::right);
  table.align.push_back(Align::left);
  std::vector<std::size_t> order(tuning.candidates.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto rank = [&](std::size_t i) {
    const Candidate& one = tuning.candidates[i];
    const double sign = tuning.metric.better == Better::higher ? -1 : 1;
    const double score = one.estimate.mean ? sign * *one.estimate.mean : 0;
    return std::tuple{!one.estimate.mean.has_value(), -one.proposal.share, score, i};
  };
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  for (const std::size_t i : order) {
    if (table.rows.size() == most) {
      ++table.left_out;
      continue;
    }
    const Candidate& one = tuning.candidates[i];
    if (i == tuning.best) table.marked.push_back(table.rows.size());
    std::vector<std::string> row = {std::to_string(i)};
    for (const auto& [name, value] : one.settings) row.push_back(setting_text(value));
    if (partly) row.push_back(fmt::format("{:.3g} %", one.proposal.share * 100));
    row.push_back(one.failure.empty() ? score_text(one.estimate.mean) : "failed");
    row.push_back(interval_text(one.estimate.interval));
    row.push_back(i == 0 ? "as given" : one.failure);
    table.rows.push_back(std::move(row));
  }
  return table;
}

Figure tuning_history(const Tuning& tuning) {
  Series points{.name = "candidate", .mark = Mark::points};
  Series best{.name = "best so far", .mark = Mark::line};
  for (std::size_t i = 0; i < tuning.candidates.size(); ++i) {
    const Candidate& one = tuning.candidates[i];
    if (!complete(one)) continue;
    const auto x = static_cast<double>(i);
    points.x.push_back(x);
    points.y.push_back(*one.estimate.mean);
    const bool better =
        best.y.empty() || is_better(tuning.metric, *one.estimate.mean, best.y.back());
    if (!better) continue;
    // A step: level until here, then the new value.
    if (!best.y.empty()) {
      best.x.push_back(x);
      best.y.push_back(best.y.back());
    }
    best.x.push_back(x);
    best.y.push_back(*one.estimate.mean);
  }
  if (!points.x.empty() && best.x.back() < points.x.back()) {
    best.x.push_back(points.x.back());
    best.y.push_back(best.y.back());
  }
  return {Chart{.title = "History of the search",
                .description = fmt::format(
                    "The mean {} of each candidate over the folds, in the order of trying; "
                    "candidate 0 has the settings given.",
                    tuning.metric.words),
                .x = {.label = "candidate"},
                .y = {.label = std::string(tuning.metric.words)},
                .series = {points, best}}};
}

Document tuning_summary(const TuningStory& story) {
  const Tuning& tuning = story.tuning;
  Document page{.title = tuning.learner,
                .subtitle = fmt::format("tuned on {}, {}, {}", story.origin.data_file,
                                        story.folds_text, method_word(tuning.method))};
  page.add(Paragraph{tuning.conclusion});
  page.add(Paragraph{story.nested == nullptr ? std::string(kWinnerOptimism)
                                             : nested_words(*story.nested)});
  page.add(Heading{"Candidates"});
  page.add(candidate_table(tuning, 10));
  if (story.nested != nullptr) {
    page.add(Heading{"Outer folds"});
    page.add(nested_table(*story.nested));
  }
  page.add(Heading{"History"});
  page.add(tuning_history(tuning));
  return page;
}

Document tuning_page(const TuningStory& story) {
  const Tuning& tuning = story.tuning;
  const Candidate& best = tuning.candidates[tuning.best];
  const Candidate& given = tuning.candidates.front();
  Document page{
      .title = fmt::format("{} tuned on {}", tuning.learner, story.origin.data_file),
      .subtitle = fmt::format("{} search, {}", method_word(tuning.method), story.folds_text)};
  page.add(Paragraph{tuning.conclusion});
  page.add(Paragraph{story.nested == nullptr ? std::string(kWinnerOptimism)
                                             : nested_words(*story.nested)});
  Headline headline;
  headline.items.push_back({fmt::format("best {}", tuning.metric.name),
                            score_text(best.estimate.mean), interval_text(best.estimate.interval)});
  headline.items.push_back(
      {"settings given", score_text(given.estimate.mean), interval_text(given.estimate.interval)});
  if (story.nested != nullptr) {
    headline.items.push_back({"nested, on unseen rows", score_text(story.nested->estimate.mean),
                              interval_text(story.nested->estimate.interval)});
  }
  headline.items.push_back({"candidates", std::to_string(tuning.candidates.size()), ""});
  page.add(std::move(headline));
  page.add(tuning_history(tuning));
  page.add(parameter_figures(tuning));
  page.add(Heading{"What was searched"});
  page.add(space_table(tuning));
  page.add(Heading{"Candidates"});
  page.add(candidate_table(tuning, 200));
  if (story.nested != nullptr) {
    page.add(Heading{"Outer folds"});
    page.add(nested_table(*story.nested));
  }
  page.add(Heading{"Parameters of the winner"});
  page.add(parameter_blocks(tuning.winner));
  page.add(data_blocks(story.data, story.target));
  page.add(origin_blocks(story.origin));
  return page;
}

}  // namespace gradus::report
