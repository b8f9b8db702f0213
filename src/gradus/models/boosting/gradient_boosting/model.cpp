#include "gradus/models/boosting/gradient_boosting/model.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gradus/blocks/shap/tree_shap.hpp"
#include "gradus/blocks/tree/kept_tree.hpp"
#include "gradus/blocks/tree/tree_words.hpp"
#include "gradus/contract/entry_impl.hpp"
#include "gradus/models/boosting/gradient_boosting/losses.hpp"
#include "gradus/simd/kernels.hpp"

namespace gradus {

template const Entry& entry<GradientBoosting>();

namespace {

// Ensembles with more nodes than this are not written out as text.
constexpr std::size_t kShownNodes = 5000;

void softmax(std::span<double> scores) {
  const double top = *std::max_element(scores.begin(), scores.end());
  for (double& score : scores) score -= top;
  simd::exp(scores.data(), scores.data(), scores.size());
  const double sum = std::accumulate(scores.begin(), scores.end(), 0.0);
  for (double& score : scores) score /= sum;
}

// 1 / (1 + e^-f), from the side where nothing overflows.
double logistic(double f) {
  double small = -std::abs(f);
  simd::exp(&small, &small, 1);
  return f >= 0 ? 1 / (1 + small) : small / (1 + small);
}

// `summing` adds up the trees: as they are kept, or as they are compiled.
template <class Summing>
void answer_rows(const GradientBoostingModel& model, const Summing& summing, const RowBlock& rows,
                 double* out) {
  const std::size_t outputs = model.outputs();
  const std::size_t width = model.width();
  std::vector<double> scores;
  scores.reserve(rows.rows * outputs);
  for (std::size_t i = 0; i < rows.rows; ++i) {
    scores.insert(scores.end(), model.start.begin(), model.start.end());
  }
  summing.add_values(rows, outputs, scores.data());
  for (std::size_t i = 0; i < rows.rows; ++i) {
    answers_from_scores(model.read_as(), {scores.data() + i * outputs, outputs},
                        {out + i * width, width});
  }
}

}  // namespace

void answers_from_scores(BoostingLoss loss, std::span<double> scores, std::span<double> out) {
  if (is_for_classes(loss) && scores.size() == 1) {
    if (out.size() == 1) {
      out[0] = 1;  // a single class
      return;
    }
    // The best score of the exponential loss is half the logarithm of the odds.
    out[0] = logistic(loss == BoostingLoss::exponential ? -2 * scores[0] : -scores[0]);
    out[1] = 1 - out[0];
    return;
  }
  if (loss == BoostingLoss::log_loss) {
    softmax(scores);
  } else if (has_log_link(loss)) {
    simd::exp(scores.data(), scores.data(), scores.size());
  }
  std::copy(scores.begin(), scores.end(), out.begin());
}

void GradientBoostingModel::predict(const RowBlock& rows, double* out) const {
  answer_rows(*this, trees, rows, out);
}

CompiledBoosting GradientBoostingModel::compiled() const { return CompiledBoosting(*this); }

CompiledBoosting::CompiledBoosting(const GradientBoostingModel& model)
    : model_(model), engine_(model.trees, model.gains.size()) {}

void CompiledBoosting::predict(const RowBlock& rows, double* out) const {
  answer_rows(model_, engine_, rows, out);
}

void GradientBoostingModel::contributions(const PlayedRows& rows, double* out) const {
  const std::size_t stride = rows.players() + 1;
  std::fill_n(out, rows.rows() * outputs() * stride, 0.0);
  add_contributions({trees, trees.cover}, rows, outputs(), out);
  for (std::size_t at = 0; at < rows.rows() * outputs(); ++at) {
    out[at * stride + rows.players()] += start[at % outputs()];
  }
}

void GradientBoostingModel::interactions(const PlayedRows& rows, double* out) const {
  const std::size_t square = (rows.players() + 1) * (rows.players() + 1);
  write_interactions({trees, trees.cover}, rows, outputs(), out);
  for (std::size_t at = 0; at < rows.rows() * outputs(); ++at) {
    out[(at + 1) * square - 1] += start[at % outputs()];
  }
}

bool GradientBoostingModel::contributes_answers() const {
  return classes == 0 && !has_log_link(read_as());
}

SplitWork GradientBoostingModel::contribution_work() const { return split_work(trees); }

Value GradientBoostingModel::fitted(const Signature& signature) const {
  Value out = object({{"loss", enum_names(loss)[static_cast<std::size_t>(loss)]},
                      {"start", Value(start)},
                      {"rounds", rounds()},
                      {"trees", trees.count()},
                      {"ensembles", static_cast<std::int64_t>(ensembles)},
                      {"feature_importances", importances_value(gains, signature)},
                      {"split_counts", object()}});
  for (std::size_t j = 0; j < splits.size(); ++j) {
    out["split_counts"][signature.features[j].name] = static_cast<std::int64_t>(splits[j]);
  }
  std::size_t leaves = 0;
  std::size_t depth = 0;
  for (std::size_t tree = 0; tree < trees.count(); ++tree) {
    leaves += trees.leaves(tree);
    depth = std::max(depth, trees.depth(tree));
  }
  out["leaves"] = leaves;
  out["depth"] = depth;
  if (!training_loss.empty()) {
    Value rounds_taken = Value::Array();
    for (const double round : training_rounds) {
      rounds_taken.push_back(static_cast<std::int64_t>(round));
    }
    out["training_curve"] =
        object({{"rounds", std::move(rounds_taken)}, {"losses", Value(training_loss)}});
  }
  if (!validation_loss.empty()) out["validation_loss"] = Value(validation_loss);
  if (trees.nodes() <= kShownNodes) {
    Value::Array shown;
    for (std::size_t tree = 0; tree < trees.count(); ++tree) {
      const TreeWords words(trees, tree, signature);
      shown.push_back(tree_value(trees, tree, words, [&](std::size_t node, Value& value) {
        value["value"] = trees.value[node];
      }));
    }
    out["ensemble"] = Value(std::move(shown));
  }
  return out;
}

Value GradientBoostingModel::kept_tree(std::size_t index, const Signature& signature) const {
  Value out = tree_of_ensemble(trees, index, signature);
  out["round"] = index / outputs() + 1;
  if (outputs() > 1) out["class"] = signature.classes[index % outputs()];
  return out;
}

void GradientBoostingModel::check(const Signature& signature) const {
  const auto refuse = [](const char* why) {
    throw Error(ErrorKind::bad_data, "model", std::string("the ensemble is damaged: ") + why);
  };
  const bool for_classes = signature.task == Task::classify;
  const std::size_t known = for_classes ? signature.classes.size() : 0;
  if (classes < 0 || static_cast<std::size_t>(classes) != known) refuse("its classes do not fit");
  if (for_classes != is_for_classes(read_as()) || loss == BoostingLoss::automatic) {
    refuse("its loss is not for this target");
  }
  if (loss == BoostingLoss::exponential && known > 2) refuse("its loss is for two classes");
  if (outputs() != (known > 2 ? known : 1)) refuse("its outputs do not fit");
  if (ensembles < 1) refuse("it has no ensemble");
  const std::size_t steps = outputs() * static_cast<std::size_t>(ensembles);
  if (trees.width != 1 || trees.count() % steps != 0) refuse("its trees do not fit");
  const std::size_t features = signature.features.size();
  if (gains.size() != features || splits.size() != features) refuse("its columns do not fit");
  if (training_rounds.size() != training_loss.size()) refuse("its losses do not fit");
  for (const std::vector<double>* numbers :
       {&start, &gains, &splits, &validation_loss, &training_rounds, &training_loss}) {
    for (const double x : *numbers) {
      if (!std::isfinite(x)) refuse("a number is not finite");
    }
  }
  for (const std::vector<double>* counts : {&splits, &training_rounds}) {
    for (const double x : *counts) {
      if (x < 0 || x > 9e15) refuse("a count is no count");
    }
  }
  trees.check(features);
  if (trees.cover.size() != trees.nodes()) refuse("its covers do not fit");
}

}  // namespace gradus
