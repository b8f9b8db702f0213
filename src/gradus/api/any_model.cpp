#include "gradus/api/any_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <mutex>
#include <utility>

#include "gradus/core/error.hpp"
#include "gradus/core/hash.hpp"
#include "gradus/core/text.hpp"
#include "gradus/parallel/parallel.hpp"
#include "gradus/simd/columns.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {
namespace {

// Rows per block of a batch prediction: a block of 28 features stays in the second-level cache.
constexpr std::size_t kPredictBlock = 512;

// Wide rows come in fewer at a time: sparse ones are made dense for this, and a block of them must
// not grow out of the cache.
constexpr std::size_t kBlockNumbers = std::size_t{1} << 18;
std::size_t block_rows(std::size_t features) {
  const std::size_t fitting = kBlockNumbers / std::max<std::size_t>(1, features);
  return std::clamp<std::size_t>(fitting, 1, kPredictBlock);
}

std::string fingerprint_of(const AnyModel& model) {
  Archive archive = to_archive(model);
  Hasher hasher;
  for (const auto& [key, value] : archive.tree.as_object()) {
    if (key == "provenance") continue;
    hasher.add(key);
    hasher.add(to_json(value));
  }
  for (const StoredArray& array : archive.arrays) {
    hasher.add(array.name);
    hasher.add(array.bytes);
  }
  return hasher.hex();
}

// What a model says to a block of rows; `sparse` is empty when rows must be made dense first.
struct BlockAnswer {
  std::function<void(const RowBlock& rows, double* out)> dense;
  std::function<void(const SparseRows& rows, double* out)> sparse = nullptr;
};

void refuse_strange_answers(const double* values, std::size_t width, parallel::Block block) {
  const std::size_t count = block.size() * width;
  if (simd::all_finite(values, count)) return;
  const auto strange = [](double x) { return !std::isfinite(x); };
  const auto at = static_cast<std::size_t>(std::find_if(values, values + count, strange) - values);
  throw Error(ErrorKind::numerical, fmt::format("row {}", block.begin + at / width + 1),
              "the prediction is not a finite number",
              "look for extreme values in this row: gradus check DATA");
}

// `width` finite numbers for every row, block by block.
std::vector<double> answer_rows(const Features& features, std::size_t width,
                                const BlockAnswer& answer, const Context& context) {
  context.require_memory(features.rows() * width * sizeof(double), "the predictions");
  std::vector<double> values(features.rows() * width);
  const bool sparse = features.sparse() != nullptr && answer.sparse;
  const std::size_t length = sparse ? kPredictBlock : block_rows(features.cols());
  parallel::for_each_block(context, features.rows(), length, [&](parallel::Block block) {
    double* out = values.data() + block.begin * width;
    if (sparse) {
      answer.sparse(SparseRows{*features.sparse(), block.begin, block.end}, out);
    } else {
      std::vector<double> scratch;
      answer.dense(features.block(block.begin, block.end, scratch), out);
    }
    refuse_strange_answers(out, width, block);
  });
  return values;
}

}  // namespace

std::size_t Predictions::label(std::size_t i) const {
  const auto numbers = row(i);
  if (task == Task::cluster) return static_cast<std::size_t>(numbers[0]);
  std::size_t best = 0;
  for (std::size_t k = 1; k < numbers.size(); ++k) {
    if (numbers[k] > numbers[best]) best = k;
  }
  return best;
}

struct AnyModel::State {
  mutable std::once_flag once;
  mutable std::string fingerprint;
};

AnyModel::AnyModel(Parts parts)
    : parts_(std::make_shared<const Parts>(std::move(parts))),
      state_(std::make_shared<const State>()) {}

const std::string& AnyModel::fingerprint() const {
  std::call_once(state_->once, [this] { state_->fingerprint = fingerprint_of(*this); });
  return state_->fingerprint;
}

Predictions AnyModel::predict(const Dataset& data, const Context& context,
                              const PredictOptions& options) const {
  const Signature& names = signature();
  Predictions out;
  const Features features = preparation().apply(data, options.extra, &out.unseen);
  out.task = names.task;
  out.rows = data.rows();
  out.width = names.width();
  out.classes = names.classes;
  out.outputs = names.outputs;
  out.probabilities = info().gives.has(Give::probabilities);
  BlockAnswer answer{
      [this](const RowBlock& rows, double* numbers) { core().predict(rows, numbers); }};
  if (core().predicts_sparse()) {
    answer.sparse = [this](const SparseRows& rows, double* numbers) {
      core().predict(rows, numbers);
    };
  }
  out.values = answer_rows(features, out.width, answer, context);
  return out;
}

void AnyModel::require_transforms() const {
  if (info().gives.has(Give::transforms)) return;
  throw Error(ErrorKind::usage, "--transform",
              fmt::format("{} gives rows no new coordinates", info().name),
              "see which learners do: gradus list --json");
}

Transformed AnyModel::transform(const Dataset& data, const Context& context,
                                const PredictOptions& options) const {
  require_transforms();
  Transformed out;
  const Features features = preparation().apply(data, options.extra, &out.unseen);
  out.rows = data.rows();
  out.names = core().coordinates(signature());
  const BlockAnswer answer{
      [this](const RowBlock& rows, double* numbers) { core().transform(rows, numbers); }};
  out.values = answer_rows(features, out.names.size(), answer, context);
  return out;
}

Contributions AnyModel::contributions(const Dataset& data, const Context& context,
                                      const PredictOptions& options) const {
  if (core().contribution_scores() == 0) {
    throw Error(ErrorKind::usage, "",
                fmt::format("{} does not split its answers up by feature", info().name),
                "ask a tree model, or measure what shuffling costs: --method permutation");
  }
  Contributions out;
  const Features features = preparation().apply(data, options.extra, &out.unseen);
  out.rows = data.rows();
  out.scores = core().contribution_scores();
  for (const FeatureName& feature : signature().features) out.features.push_back(feature.name);
  const BlockAnswer answer{
      [this](const RowBlock& rows, double* numbers) { core().contributions(rows, numbers); }};
  out.values = answer_rows(features, out.scores * (out.features.size() + 1), answer, context);
  return out;
}

void AnyModel::explain_row(const Dataset& data, std::size_t row, Trace& trace) const {
  if (!info().gives.has(Give::explains_row)) {
    throw Error(ErrorKind::usage, "",
                fmt::format("{} cannot explain a single prediction", info().name),
                fmt::format("explain its fit instead: gradus explain {} --data …", info().name));
  }
  if (row >= data.rows()) {
    throw Error(ErrorKind::usage, "--row",
                fmt::format("row must be from 1 to {} (got {})", data.rows(), row + 1));
  }
  const std::size_t chosen[] = {row};
  const Features features = preparation().apply(data.take(chosen), Extra::ignore, nullptr);
  std::vector<double> scratch;
  core().explain(features.block(0, 1, scratch).row(0), signature(), trace);
}

}  // namespace gradus
