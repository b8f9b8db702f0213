#include "gradus/evaluate/compare_datasets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {

std::string p_words(const TestResult& test) {
  if (!test.undefined.empty()) return fmt::format("{}: {}", test.name, test.undefined);
  return test.p < 0.0001 ? fmt::format("{}, p < 0.0001", test.name)
                         : fmt::format("{}, p = {}", test.name, readable(test.p, 2));
}

std::string conclude(const DatasetComparison& all) {
  const std::string& best = all.learners[all.order.front()];
  const std::string over = counted(all.data.size(), "data set");
  if (all.wilcoxon) {
    const bool sure = all.wilcoxon->undefined.empty() && all.wilcoxon->p < 1 - all.level;
    return sure ? fmt::format("{} is better than {} over {} ({}).", best,
                              all.learners[all.order[1]], over, p_words(*all.wilcoxon))
                : fmt::format(
                      "{} had the better mean rank over {}, but they do not show that it is "
                      "better ({}).",
                      best, over, p_words(*all.wilcoxon));
  }
  const TestResult& friedman = all.ranks.friedman;
  if (!friedman.undefined.empty() || friedman.p >= 1 - all.level) {
    return fmt::format("{} do not show that the learners differ ({}). {} has the best mean rank.",
                       over, p_words(friedman), best);
  }
  std::vector<std::string> beaten;
  for (const std::size_t i : all.order) {
    const double apart = all.mean_ranks[i] - all.mean_ranks[all.order.front()];
    if (apart > all.ranks.critical_difference) beaten.push_back(all.learners[i]);
  }
  std::string text = fmt::format("The learners differ over {} ({}). {} has the best mean rank.",
                                 over, p_words(friedman), best);
  if (beaten.empty()) return text + " It cannot be told apart from any other by Nemenyi's test.";
  return text + fmt::format(" It is better than {} (Nemenyi, critical difference {}).",
                            join(beaten, ", "), readable(all.ranks.critical_difference, 3));
}

}  // namespace

DatasetComparison compare_over_datasets(std::vector<std::string> learners,
                                        std::vector<DatasetScores> data, const MetricInfo& metric,
                                        double level) {
  if (learners.size() < 2 || data.size() < 2) {
    throw Error(ErrorKind::usage, "--data",
                "a comparison over data sets needs at least two of them and two learners");
  }
  DatasetComparison out;
  out.learners = std::move(learners);
  out.data = std::move(data);
  out.metric = metric;
  out.level = level;
  std::vector<std::vector<double>> blocks;
  for (const DatasetScores& one : out.data) blocks.push_back(one.scores);
  out.ranks = compare_ranks(blocks, metric.better, level);
  out.mean_ranks = out.ranks.mean_ranks;
  out.order.resize(out.learners.size());
  std::iota(out.order.begin(), out.order.end(), std::size_t{0});
  std::stable_sort(out.order.begin(), out.order.end(), [&](std::size_t a, std::size_t b) {
    return out.mean_ranks[a] < out.mean_ranks[b];
  });
  if (out.learners.size() == 2) {
    std::vector<double> differences;
    for (const auto& block : blocks) differences.push_back(block[0] - block[1]);
    out.wilcoxon = wilcoxon(differences);
  }
  out.conclusion = conclude(out);
  return out;
}

Value to_value(const DatasetComparison& comparison) {
  Value out = object({{"metric", comparison.metric.name}, {"level", comparison.level}});
  Value data = Value::Array();
  for (const DatasetScores& one : comparison.data) {
    Value scores = Value::Object();
    for (std::size_t i = 0; i < comparison.learners.size(); ++i) {
      scores[comparison.learners[i]] = one.scores[i];
    }
    data.push_back(object({{"data", one.name}, {"scores", scores}}));
  }
  out["data"] = std::move(data);
  for (const std::size_t i : comparison.order) {
    out["mean_ranks"][comparison.learners[i]] = comparison.mean_ranks[i];
  }
  out["friedman"] = to_value(comparison.ranks.friedman);
  out["critical_difference"] = comparison.ranks.critical_difference;
  for (const std::size_t i : comparison.order) {
    out["holm_against_the_best"][comparison.learners[i]] = comparison.ranks.holm[i];
  }
  if (comparison.wilcoxon) out["wilcoxon"] = to_value(*comparison.wilcoxon);
  out["conclusion"] = comparison.conclusion;
  return out;
}

}  // namespace gradus
