#include "gradus/models/ensemble/isolation_forest/model.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "gradus/blocks/tree/many_branches.hpp"
#include "gradus/contract/entry_impl.hpp"

namespace gradus {

template const Entry& entry<IsolationForest>();

double expected_cuts(std::int64_t rows) {
  if (rows < 2) return 0;
  if (rows == 2) return 1;
  const auto n = static_cast<double>(rows);
  return 2 * (std::log(n - 1) + std::numbers::egamma) - 2 * (n - 1) / n;
}

double IsolationForestModel::score(double beyond) const {
  const double expected = expected_cuts(rows);
  // A sample of one row has nothing to stand apart from.
  return expected > 0 ? std::exp2(-1 - beyond / expected) : 0.5;
}

std::vector<std::string> IsolationForestModel::coordinates(const Signature&) const {
  return {"anomaly_score", "mean_cuts"};
}

namespace {

// `summing` adds the trees up, as they are kept or as they are compiled.
template <class Summing>
void write_scores(const IsolationForestModel& model, const Summing& summing, const RowBlock& block,
                  double* out) {
  std::vector<double> beyond(block.rows, 0.0);
  summing.add_values(block, 1, beyond.data());
  const double expected = expected_cuts(model.rows);
  const auto count = static_cast<double>(model.trees.count());
  for (std::size_t i = 0; i < block.rows; ++i) {
    out[2 * i] = model.score(beyond[i] / count);
    out[2 * i + 1] = beyond[i] / count + expected;
  }
}

template <class Summing>
void write_calls(const IsolationForestModel& model, const Summing& summing, const RowBlock& block,
                 double* out) {
  std::vector<double> both(2 * block.rows);
  write_scores(model, summing, block, both.data());
  for (std::size_t i = 0; i < block.rows; ++i) out[i] = both[2 * i] > model.threshold ? 1 : 0;
}

}  // namespace

CompiledIsolation::CompiledIsolation(const IsolationForestModel& model)
    : model_(model), packed_(model.trees) {}

void CompiledIsolation::transform(const RowBlock& block, double* out) const {
  write_scores(model_, packed_, block, out);
}

void CompiledIsolation::predict(const RowBlock& block, double* out) const {
  write_calls(model_, packed_, block, out);
}

void IsolationForestModel::transform(const RowBlock& block, double* out) const {
  write_scores(*this, trees, block, out);
}

void IsolationForestModel::predict(const RowBlock& block, double* out) const {
  write_calls(*this, trees, block, out);
}

Value IsolationForestModel::fitted(const Signature&) const {
  std::size_t depth = 0;
  for (std::size_t tree = 0; tree < trees.count(); ++tree) {
    depth = std::max(depth, trees.depth(tree));
  }
  return object({{"trees", trees.count()},
                 {"rows_per_tree", rows},
                 {"expected_cuts", expected_cuts(rows)},
                 {"threshold", threshold},
                 {"nodes", trees.nodes()},
                 {"depth", depth}});
}

void IsolationForestModel::check(const Signature& signature) const {
  if (trees.count() == 0 || trees.width != 1 || rows < 1 || !std::isfinite(threshold)) {
    throw Error(ErrorKind::bad_data, "model", "the isolation forest is damaged");
  }
  trees.check(signature.features.size());
}

// The cuts are drawn: they gain nothing.
FeatureUse IsolationForestModel::feature_use(const Signature& signature) const {
  return {{}, question_counts(trees, signature.features.size())};
}

}  // namespace gradus
