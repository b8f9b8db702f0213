#include "gradus/evaluate/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/evaluate/average_ranks.hpp"

namespace gradus {
namespace {

void require_comparable(const std::vector<CrossValidation>& learners) {
  if (learners.size() < 2) {
    throw Error(ErrorKind::usage, "", "a comparison needs at least two learners");
  }
  for (const CrossValidation& one : learners) {
    if (one.task != learners.front().task) {
      throw Error(ErrorKind::usage, "--task",
                  fmt::format("{} does {}, {} does {}", learners.front().name,
                              task_word(learners.front().task), one.name, task_word(one.task)),
                  "say what to learn with --task");
    }
    if (!one.estimate.mean) {
      throw Error(ErrorKind::bad_data, "--metric",
                  fmt::format("{} of {} is undefined in every fold", one.metric.words, one.name),
                  "use another measure, or larger folds");
    }
  }
}

// Folds in which every learner has a score, a row per fold.
std::vector<std::vector<double>> common_scores(const std::vector<CrossValidation>& learners) {
  std::vector<std::vector<double>> out;
  for (std::size_t fold = 0; fold < learners.front().folds.size(); ++fold) {
    std::vector<double> row;
    for (const CrossValidation& one : learners) {
      if (one.folds[fold].metric) row.push_back(*one.folds[fold].metric);
    }
    if (row.size() == learners.size()) out.push_back(std::move(row));
  }
  return out;
}

FoldSizes mean_sizes(const CrossValidation& one) {
  FoldSizes out;
  for (const FoldResult& fold : one.folds) {
    out.train += static_cast<double>(fold.train_rows);
    out.test += static_cast<double>(fold.test_rows);
  }
  return out;
}

// Rows that one of the two gets right and the other wrong, over all folds.
std::optional<Discordant> discordant_rows(const CrossValidation& a, const CrossValidation& b,
                                          const Folds& folds,
                                          const std::vector<std::int32_t>& truth) {
  if (a.task != Task::classify || !folds.each_row_once()) return std::nullopt;
  Discordant out;
  for (std::size_t fold = 0; fold < folds.size(); ++fold) {
    const std::vector<std::size_t>& test = folds.test(fold);
    for (std::size_t at = 0; at < test.size(); ++at) {
      const std::int32_t actual = truth[test[at]];
      const bool first = a.folds[fold].labels[at] == actual;
      const bool second = b.folds[fold].labels[at] == actual;
      if (first && !second) ++out.only_first;
      if (second && !first) ++out.only_second;
    }
  }
  return out;
}

struct Contest {
  const std::vector<CrossValidation>& learners;
  const Folds& folds;
  const std::vector<std::vector<double>>& scores;
  double level;
};

PairComparison compare_pair(const Contest& in, std::size_t better, std::size_t worse) {
  const CrossValidation& a = in.learners[better];
  const CrossValidation& b = in.learners[worse];
  const double sign = a.metric.better == Better::higher ? 1 : -1;
  std::vector<double> differences;
  for (const auto& row : in.scores) differences.push_back(sign * (row[better] - row[worse]));
  PairComparison out;
  out.first = better;
  out.second = worse;
  out.difference = sign * (*a.estimate.mean - *b.estimate.mean);
  const TestResult corrected = corrected_t(differences, mean_sizes(a), in.level);
  const bool halves = in.folds.how.scheme == FoldScheme::five_by_two && differences.size() == 10;
  if (halves) {
    out.decisive = five_by_two_f(differences);
    out.others.push_back(corrected);
  } else {
    out.decisive = corrected;
  }
  out.others.push_back(paired_t(differences, in.level));
  out.others.push_back(wilcoxon(differences));
  if (const auto rows = discordant_rows(a, b, in.folds, a.truth)) {
    TestResult test = mcnemar(*rows);
    const std::string counts =
        fmt::format("only {} is right on {}, only {} on {}", a.name,
                    counted(static_cast<std::size_t>(rows->only_first), "row"), b.name,
                    static_cast<std::size_t>(rows->only_second));
    test.note += (test.note.empty() ? "" : "; ") + counts;
    out.others.push_back(std::move(test));
  }
  return out;
}

std::string p_text(double p) { return p < 0.0001 ? "p < 0.0001" : "p = " + readable(p, 2); }

std::string interval_text(const TestResult& test, double level) {
  if (!test.interval) return "";
  return fmt::format(" ({} % interval {} to {})", readable(level * 100, 3),
                     readable(test.interval->low, 3), readable(test.interval->high, 3));
}

// "a is better than b: accuracy 0.95 against 0.93, …" or why nothing can be said.
std::string pair_words(const Comparison& all, const PairComparison& pair) {
  const CrossValidation& a = all.learners[pair.first];
  const CrossValidation& b = all.learners[pair.second];
  const std::string figures =
      fmt::format("{} {} against {}, a difference of {}{}", a.metric.words,
                  readable(*a.estimate.mean, 4), readable(*b.estimate.mean, 4),
                  readable(pair.difference, 3), interval_text(pair.decisive, all.level));
  if (!pair.decisive.undefined.empty()) {
    return fmt::format("{} and {} cannot be told apart by a test: {}. {}.", a.name, b.name,
                       pair.decisive.undefined, figures);
  }
  const bool sure = pair.adjusted_p < 1 - all.level;
  const std::string adjusted = all.learners.size() > 2 ? " after Holm's adjustment" : "";
  const std::string test =
      fmt::format("{}, {}{}", pair.decisive.name, p_text(pair.adjusted_p), adjusted);
  if (sure) return fmt::format("{} is better than {}: {} ({}).", a.name, b.name, figures, test);
  return fmt::format(
      "{} scored better than {}, but these folds do not show that it is better: {} ({}).", a.name,
      b.name, figures, test);
}

std::string conclusion_of(const Comparison& all) {
  if (all.learners.size() == 2) return pair_words(all, all.pairs.front());
  std::string text;
  const TestResult& friedman = all.ranks->friedman;
  if (!friedman.undefined.empty()) return "No difference at all: " + friedman.undefined + ".";
  const bool any = friedman.p < 1 - all.level;
  text = any ? fmt::format("The learners differ ({}, {}). ", friedman.name, p_text(friedman.p))
             : fmt::format("The folds do not show that the learners differ at all ({}, {}). ",
                           friedman.name, p_text(friedman.p));
  const std::string& best = all.learners[all.order.front()].name;
  std::vector<std::string> beaten;
  std::vector<std::string> open;
  for (const PairComparison& pair : all.pairs) {
    if (pair.first != all.order.front()) continue;
    const bool sure = pair.decisive.undefined.empty() && pair.adjusted_p < 1 - all.level;
    (sure ? beaten : open).push_back(all.learners[pair.second].name);
  }
  const CrossValidation& first = all.learners[all.order.front()];
  text += fmt::format("{} has the best mean ({} {}).", best, first.metric.words,
                      readable(*first.estimate.mean, 4));
  if (!beaten.empty()) {
    text +=
        fmt::format(" It is better than {} (corrected t tests of all pairs, Holm's adjustment).",
                    join(beaten, ", "));
  }
  if (!open.empty()) {
    text += fmt::format(" It cannot be told apart from {}.", join(open, ", "));
  }
  return text;
}

}  // namespace

Comparison compare(std::vector<CrossValidation> learners, const Folds& folds, double level) {
  require_comparable(learners);
  Comparison out;
  out.learners = std::move(learners);
  out.level = level;
  const Better better = out.learners.front().metric.better;
  const std::vector<std::vector<double>> scores = common_scores(out.learners);
  out.order.resize(out.learners.size());
  std::iota(out.order.begin(), out.order.end(), std::size_t{0});
  std::stable_sort(out.order.begin(), out.order.end(), [&](std::size_t a, std::size_t b) {
    const double x = *out.learners[a].estimate.mean;
    const double y = *out.learners[b].estimate.mean;
    return better == Better::higher ? x > y : x < y;
  });
  out.mean_ranks.assign(out.learners.size(), 0.0);
  for (std::vector<double> row : scores) {
    if (better == Better::higher) {
      for (double& x : row) x = -x;
    }
    const Ranks ranks = average_ranks(row);
    for (std::size_t i = 0; i < row.size(); ++i) {
      out.mean_ranks[i] += ranks.ranks[i] / static_cast<double>(scores.size());
    }
  }
  const Contest setting{out.learners, folds, scores, level};
  for (std::size_t i = 0; i < out.order.size(); ++i) {
    for (std::size_t j = i + 1; j < out.order.size(); ++j) {
      out.pairs.push_back(compare_pair(setting, out.order[i], out.order[j]));
    }
  }
  std::vector<double> p_values;
  for (const PairComparison& pair : out.pairs) p_values.push_back(pair.decisive.p);
  const std::vector<double> adjusted = holm_adjusted(p_values);
  for (std::size_t i = 0; i < out.pairs.size(); ++i) out.pairs[i].adjusted_p = adjusted[i];
  if (out.learners.size() > 2) {
    if (scores.size() < 2) {
      throw Error(ErrorKind::bad_data, "--folds",
                  "comparing more than two learners needs at least two folds with scores of all");
    }
    out.ranks = compare_ranks(scores, better, level);
  }
  out.conclusion = conclusion_of(out);
  return out;
}

Value to_value(const Comparison& comparison) {
  Value out = object({{"metric", comparison.learners.front().metric.name}});
  out["level"] = comparison.level;
  Value learners = Value::Array();
  for (std::size_t place = 0; place < comparison.order.size(); ++place) {
    const std::size_t i = comparison.order[place];
    Value one = to_value(comparison.learners[i]);
    one["place"] = Value(place + 1);
    one["mean_rank"] = comparison.mean_ranks[i];
    learners.push_back(std::move(one));
  }
  out["learners"] = std::move(learners);
  Value pairs = Value::Array();
  for (const PairComparison& pair : comparison.pairs) {
    Value tests = Value::Array();
    for (const TestResult& test : pair.others) tests.push_back(to_value(test));
    Value one = object({{"better", comparison.learners[pair.first].name},
                        {"worse", comparison.learners[pair.second].name},
                        {"difference", pair.difference}});
    one["decisive"] = to_value(pair.decisive);
    one["adjusted_p"] = pair.decisive.undefined.empty() ? Value(pair.adjusted_p) : Value();
    one["others"] = std::move(tests);
    pairs.push_back(std::move(one));
  }
  out["pairs"] = std::move(pairs);
  if (comparison.ranks) {
    out["friedman"] = to_value(comparison.ranks->friedman);
    out["critical_difference"] = comparison.ranks->critical_difference;
    for (const std::size_t i : comparison.order) {
      out["holm_against_the_best"][comparison.learners[i].name] = comparison.ranks->holm[i];
    }
  }
  out["conclusion"] = comparison.conclusion;
  return out;
}

}  // namespace gradus
