#include "gradus/report/curve_page.hpp"

#include <fmt/format.h>

#include "gradus/core/text.hpp"

namespace gradus::report {
namespace {

std::string at_text(const Value& at) {
  if (at.is_null()) return "none";
  if (at.is_string()) return at.as_string();
  return at.is_number() ? readable(at.as_number(), 6) : to_json(at);
}

std::string subtitle_of(const Curve& curve) {
  return curve.kind == CurveKind::learning ? std::string("learning curve")
                                           : fmt::format("validation curve over {}", curve.label);
}

Series series_of(const Curve& curve, const char* name, Estimate ScorePoint::*which) {
  Series out{.name = name, .mark = Mark::line};
  for (const ScorePoint& point : curve.points) {
    const Estimate& estimate = point.*which;
    if (!estimate.mean) continue;
    const double mean = *estimate.mean;
    out.x.push_back(point.x);
    out.y.push_back(mean);
    out.low.push_back(estimate.interval ? estimate.interval->low : mean);
    out.high.push_back(estimate.interval ? estimate.interval->high : mean);
  }
  return out;
}

}  // namespace

std::vector<Block> diagnosis_blocks(const Diagnosis& diagnosis) {
  std::vector<Block> out = {Block(Paragraph{diagnosis.words})};
  if (diagnosis.treatments.empty()) return out;
  Table table{.header = {"what to try"}};
  for (const std::string& one : diagnosis.treatments) table.rows.push_back({one});
  out.emplace_back(std::move(table));
  return out;
}

Figure curve_figure(const Curve& curve) {
  Chart chart{.title = curve.kind == CurveKind::learning ? "Learning curve" : "Validation curve",
              .description = fmt::format(
                  "The mean {} over the folds, on the rows that taught and on new ones.",
                  curve.metric.words),
              .x = {.label = curve.label, .logarithmic = curve.logarithmic},
              .y = {.label = std::string(curve.metric.words)},
              .series = {series_of(curve, "on new rows", &ScorePoint::examined),
                         series_of(curve, "on the rows that taught", &ScorePoint::training)}};
  if (curve.baseline && !curve.points.empty()) {
    chart.series.push_back({.name = "baseline",
                            .mark = Mark::dashed,
                            .x = {curve.points.front().x, curve.points.back().x},
                            .y = {*curve.baseline, *curve.baseline}});
  }
  return {chart};
}

Table curve_table(const Curve& curve) {
  Table table{.header = {curve.label, "training", "new rows", "interval", "model bytes"},
              .align = {Align::right, Align::right, Align::right, Align::right, Align::right}};
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    const ScorePoint& point = curve.points[i];
    if (i == curve.best) table.marked.push_back(i);
    table.rows.push_back({at_text(point.at), score_text(point.training.mean),
                          score_text(point.examined.mean), interval_text(point.examined.interval),
                          fmt::format("{:.0f}", point.model_bytes)});
  }
  table.caption = fmt::format("{} by {}; the best is marked", curve.metric.words, curve.label);
  return table;
}

Document curve_summary(const CurveStory& story) {
  Document page{.title = story.curve.learner,
                .subtitle = fmt::format("{} on {}, {}", subtitle_of(story.curve),
                                        story.origin.data_file, story.folds_text)};
  page.add(diagnosis_blocks(story.curve.diagnosis));
  page.add(curve_figure(story.curve));
  page.add(curve_table(story.curve));
  return page;
}

Document curve_page(const CurveStory& story) {
  const Curve& curve = story.curve;
  Document page{.title = fmt::format("{} on {}", curve.learner, story.origin.data_file),
                .subtitle = fmt::format("{}, {}", subtitle_of(curve), story.folds_text)};
  page.add(diagnosis_blocks(curve.diagnosis));
  const ScorePoint& shown =
      curve.kind == CurveKind::learning ? curve.points.back() : curve.points[curve.best];
  page.add(Headline{{{std::string(curve.metric.name) + ", new rows",
                      score_text(shown.examined.mean), interval_text(shown.examined.interval)},
                     {"on the rows that taught", score_text(shown.training.mean), ""},
                     {"diagnosis", std::string(regime_word(curve.diagnosis.regime)), ""}}});
  page.add(curve_figure(curve));
  page.add(Heading{"Points"});
  page.add(curve_table(curve));
  page.add(Heading{"Parameters"});
  page.add(parameter_blocks(story.learner));
  page.add(data_blocks(story.data, story.target));
  page.add(origin_blocks(story.origin));
  return page;
}

std::vector<Block> bias_variance_blocks(const BiasVariance& result) {
  const Decomposition& d = result.squared;
  Table table{.caption = "squared error",
              .header = {"part", "value", "meaning"},
              .align = {Align::left, Align::right, Align::left}};
  const auto add = [&](const char* name, double value, const char* meaning) {
    table.rows.push_back({name, readable(value, 6), meaning});
    table.bars.push_back(d.expected_error > 0 ? value / d.expected_error : 0);
  };
  const bool seen = result.doubles > 0;
  add("variance", d.variance, "spread of the answers between training sets");
  add(seen ? "bias²" : "bias² + noise", d.bias2, "mean answer against mean target");
  if (seen) add("noise", d.noise, "targets that differ at the same features");
  add("expected error", d.expected_error, "the sum");
  std::vector<Block> out = {Block(Paragraph{result.words}), Block(std::move(table))};
  if (result.zero_one) {
    Table labels{.caption = "0-1 loss of the labels",
                 .header = {"part", "value"},
                 .align = {Align::left, Align::right}};
    labels.rows = {{"bias (the commonest answer is wrong)", readable(result.zero_one->bias, 6)},
                   {"variance (what the spread adds)", readable(result.zero_one->variance, 6)},
                   {"expected error", readable(result.zero_one->expected_error, 6)}};
    out.emplace_back(std::move(labels));
  }
  out.emplace_back(Paragraph{
      fmt::format("{} of {} answered {}, of which {} the features of another.",
                  counted(result.samples, "training set"), counted(result.sample_rows, "row"),
                  counted(result.examined, "examined row"),
                  fmt::format("{} {}", result.doubles, result.doubles == 1 ? "has" : "have"))});
  return out;
}

Document bias_variance_page(const BiasVarianceStory& story) {
  const Decomposition& d = story.result.squared;
  Document page{.title = fmt::format("{} on {}", story.result.learner, story.origin.data_file),
                .subtitle = "bias, variance and noise"};
  page.add(Headline{{{"expected error", readable(d.expected_error, 4), "squared"},
                     {"variance", readable(d.variance, 4), ""},
                     {"bias²", readable(d.bias2, 4), ""},
                     {"noise", readable(d.noise, 4), ""}}});
  page.add(bias_variance_blocks(story.result));
  page.add(Heading{"Parameters"});
  page.add(parameter_blocks(story.learner));
  page.add(data_blocks(story.data, story.target));
  page.add(origin_blocks(story.origin));
  return page;
}

}  // namespace gradus::report
