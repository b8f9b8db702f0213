#include "gradus/api/any_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <mutex>
#include <new>
#include <optional>
#include <utility>

#include "gradus/api/fit_parts.hpp"
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
// Of contributions and interactions, whose rows take a thousand times as long.
constexpr std::size_t kContributionBlock = 32;
constexpr std::size_t kInteractionBlock = 4;

// Wide rows come in fewer at a time: sparse ones and floats are made dense doubles for this, and a
// block of them must not grow out of the second-level cache.
constexpr std::size_t kBlockNumbers = std::size_t{1} << 15;
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

// What a model says to a block of rows; `sparse` and `floats` are empty when rows must be made
// dense or widened first.
struct BlockAnswer {
  std::size_t width = 0;  // numbers for each row
  std::function<void(const RowBlock& rows, double* out)> dense;
  std::function<void(const SparseRows& rows, double* out)> sparse = nullptr;
  std::function<void(const FloatBlock& rows, double* out)> floats = nullptr;
  std::size_t most_rows = kPredictBlock;  // of a block: fewer where a row takes long
};

// Where the numbers of a block go: to the caller, or to somebody who makes labels of them.
using Deliver = std::function<void(const double* numbers, parallel::Block block)>;

void refuse_strange_answers(const double* values, std::size_t width, parallel::Block block) {
  const std::size_t count = block.size() * width;
  if (simd::all_finite(values, count)) return;
  const auto strange = [](double x) { return !std::isfinite(x); };
  const auto at = static_cast<std::size_t>(std::find_if(values, values + count, strange) - values);
  throw Error(ErrorKind::numerical, fmt::format("row {}", block.begin + at / width + 1),
              "the prediction is not a finite number",
              "look for extreme values in this row: gradus check DATA");
}

// Whether a number is one that `cells` refuses.
bool is_refused(double x, Cells cells) {
  return std::isinf(x) || (cells == Cells::finite && std::isnan(x));
}

void refuse_cell(std::size_t row, double x) {
  throw Error(ErrorKind::bad_data, fmt::format("row {}", row + 1),
              fmt::format("a cell is {}", std::isnan(x) ? "missing (NaN)" : "infinite (inf)"),
              "remove the row or fill the cell");
}

// Looks at the numbers of a block that is about to be read: they are in the cache then.
template <class Block>
void refuse_cells(const Block& rows, Cells cells, std::size_t first_row) {
  const std::size_t count = rows.rows * rows.cols;
  const bool fine = cells == Cells::finite ? simd::all_finite(rows.data, count)
                                           : simd::first_infinite(rows.data, count) == count;
  if (fine) return;
  const auto strange = [cells](double x) { return is_refused(x, cells); };
  const auto* found = std::find_if(rows.data, rows.data + count, strange);
  refuse_cell(first_row + static_cast<std::size_t>(found - rows.data) / rows.cols, *found);
}

// The same for a table whose cells do not arrive as they are: all of it, before the first answer.
void refuse_cells(const Dataset& data, Cells cells, const Context& context) {
  parallel::for_each_block(context, data.rows(), kPredictBlock, [&](parallel::Block block) {
    for (std::size_t row = block.begin; row < block.end; ++row) {
      for (const Column& column : data.columns()) {
        if (!column.is_numeric()) continue;
        const double x = column.number(row);
        if (is_refused(x, cells)) refuse_cell(row, x);
      }
    }
  });
}

// The rows of one question, prepared, and which of their cells are looked at on the way.
struct Question {
  Features features;
  Cells cells = Cells::any;
  UnseenReport unseen;
};

// Whether every cell arrives as it is, unless it is filled.
bool takes_cells_unchanged(const Preparation& preparation) {
  const auto unchanged = [&](const PreparedFeature& feature) {
    const SourceColumn& source = preparation.sources[static_cast<std::size_t>(feature.source)];
    return source.kind == ColumnKind::numeric && feature.op == FeatureOp::value &&
           feature.shift == 0 && feature.scale == 1;
  };
  return std::all_of(preparation.features.begin(), preparation.features.end(), unchanged);
}

// The rows with an empty column of queries, where they have none: nothing was learned from it.
std::optional<Dataset> with_queries(const AnyModel& model, const Dataset& data) {
  const std::string query = model.query();
  if (query.empty() || data.sparse() || data.find(query) != nullptr) return std::nullopt;
  const std::vector<SourceColumn>& sources = model.preparation().sources;
  const bool reads_it = std::any_of(sources.begin(), sources.end(),
                                    [&](const SourceColumn& one) { return one.name == query; });
  if (!reads_it) return std::nullopt;
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  return data.with_column(Column::numeric(query, std::vector<double>(data.rows(), nothing)));
}

Question question_of(const AnyModel& model, const Dataset& given, const Context& context,
                     const PredictOptions& options) {
  const Preparation& preparation = model.preparation();
  const std::optional<Dataset> completed = with_queries(model, given);
  const Dataset& data = completed ? *completed : given;
  Question out;
  if (options.cells == Cells::any || preparation.sparse) {
    out.features = preparation.apply(data, options.extra, &out.unseen);
  } else if (takes_cells_unchanged(preparation)) {
    out.cells = options.cells;
    Preparation unfilled = preparation;
    if (out.cells == Cells::finite) unfilled.leave_missing();
    out.features = unfilled.apply(data, options.extra, &out.unseen);
  } else {
    refuse_cells(data, options.cells, context);
    out.features = preparation.apply(data, options.extra, &out.unseen);
  }
  return out;
}

// Memory for one block that the next block of the same thread finds again: fresh memory would be
// cleared by the system, page by page, and cost more than the answers. A model may ask another one
// while it answers; that one starts with memory of its own.
class Scratch {
 public:
  struct Parts {
    std::vector<double> rows;
    std::vector<double> numbers;
  };
  Scratch() : held_(std::move(kept())) {}
  ~Scratch() {
    if (held_.rows.capacity() + held_.numbers.capacity() <= kMostKept) kept() = std::move(held_);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  Parts* operator->() { return &held_; }

 private:
  static constexpr std::size_t kMostKept = 4 * kBlockNumbers;
  static Parts& kept() {
    thread_local Parts parts;
    return parts;
  }
  Parts held_;
};

// Finite numbers for every row, block by block. Without `out` they stand in the memory of a thread
// for as long as `deliver` reads them.
void answer_rows(const Question& question, const BlockAnswer& answer, double* out,
                 const Deliver& deliver, const Context& context) {
  const Features& features = question.features;
  const bool sparse = features.sparse() != nullptr && answer.sparse;
  const std::size_t length =
      std::min(answer.most_rows, sparse ? kPredictBlock : block_rows(features.cols()));
  const FloatBlock all_floats = answer.floats ? features.floats(0, features.rows()) : FloatBlock{};
  parallel::for_each_block(context, features.rows(), length, [&](parallel::Block block) {
    Scratch scratch;
    if (out == nullptr) scratch->numbers.resize(length * answer.width);
    double* numbers = out == nullptr ? scratch->numbers.data() : out + block.begin * answer.width;
    if (sparse) {
      answer.sparse(SparseRows{*features.sparse(), block.begin, block.end}, numbers);
    } else if (all_floats.data != nullptr) {
      const FloatBlock floats{all_floats.row(block.begin).data(), block.size(), all_floats.cols};
      if (question.cells != Cells::any) refuse_cells(floats, question.cells, block.begin);
      answer.floats(floats, numbers);
    } else {
      const RowBlock rows = features.block(block.begin, block.end, scratch->rows);
      if (question.cells != Cells::any) refuse_cells(rows, question.cells, block.begin);
      answer.dense(rows, numbers);
    }
    refuse_strange_answers(numbers, answer.width, block);
    if (deliver) deliver(numbers, block);
  });
}

// The one answer of a model that does not read rows.
std::vector<double> only_answer(const CoreModel& core, std::size_t width) {
  std::vector<double> numbers(width);
  core.predict(RowBlock{nullptr, 1, 0}, numbers.data());
  refuse_strange_answers(numbers.data(), width, {0, 1});
  return numbers;
}

// The same for every row: written once, and then copied in ever longer pieces.
void repeat(std::span<const double> answer, std::span<double> out) {
  std::copy_n(answer.begin(), std::min(answer.size(), out.size()), out.begin());
  for (std::size_t done = answer.size(); done < out.size(); done *= 2) {
    std::copy_n(out.begin(), std::min(done, out.size() - done),
                out.begin() + static_cast<std::ptrdiff_t>(done));
  }
}

std::vector<double> room_for_answers(const Question& question, std::size_t width,
                                     const Context& context) {
  const std::size_t count = question.features.rows() * width;
  context.require_memory(count * sizeof(double), "the predictions");
  try {
    return std::vector<double>(count);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::limit, "",
                fmt::format("there is not enough memory for the predictions, {} with {} each",
                            counted(question.features.rows(), "row"), counted(width, "number")),
                "predict fewer rows at a time, or learn fewer classes");
  }
}

std::vector<double> answer_rows(const Question& question, const BlockAnswer& answer,
                                const Context& context) {
  std::vector<double> values = room_for_answers(question, answer.width, context);
  answer_rows(question, answer, values.data(), nullptr, context);
  return values;
}

// The place of the largest number, ties to the lowest.
std::size_t place_of_largest(std::span<const double> numbers) {
  std::size_t best = 0;
  for (std::size_t k = 1; k < numbers.size(); ++k) {
    if (numbers[k] > numbers[best]) best = k;
  }
  return best;
}

std::size_t label_of(Task task, std::span<const double> numbers) {
  return task == Task::cluster ? static_cast<std::size_t>(numbers[0]) : place_of_largest(numbers);
}

BlockAnswer answer_of(const CoreModel& core, std::size_t width) {
  BlockAnswer answer{
      width, [&core](const RowBlock& rows, double* numbers) { core.predict(rows, numbers); }};
  if (core.predicts_sparse()) {
    answer.sparse = [&core](const SparseRows& rows, double* numbers) {
      core.predict(rows, numbers);
    };
  }
  if (const auto* reader = dynamic_cast<const ReadsFloats*>(&core)) {
    answer.floats = [reader](const FloatBlock& rows, double* numbers) {
      reader->predict_floats(rows, numbers);
    };
  }
  return answer;
}

// The numbers of every row.
void answer_all(const Question& question, const CoreModel& core, std::span<double> out,
                const Context& context) {
  const std::size_t rows = question.features.rows();
  if (rows == 0) return;
  const std::size_t width = out.size() / rows;
  if (!core.reads_rows()) return repeat(only_answer(core, width), out);
  answer_rows(question, answer_of(core, width), out.data(), nullptr, context);
}

// Everything but the numbers.
Contributions named_contributions(const AnyModel& model, const Dataset& data) {
  model.require_contributions();
  const Signature& names = model.signature();
  Contributions out;
  out.rows = data.rows();
  out.scores = model.core().contribution_scores();
  for (const FeatureName& feature : names.features) out.features.push_back(feature.name);
  if (out.scores > 1) out.names = names.task == Task::classify ? names.classes : names.outputs;
  return out;
}

}  // namespace

std::size_t Predictions::label(std::size_t i) const { return label_of(task, row(i)); }

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
  out.task = names.task;
  out.rows = data.rows();
  out.width = names.width();
  out.classes = names.classes;
  out.outputs = names.outputs;
  out.probabilities = info().gives.has(Give::probabilities);
  Question question = question_of(*this, data, context, options);
  out.values = room_for_answers(question, out.width, context);
  answer_all(question, core(), out.values, context);
  out.unseen = std::move(question.unseen);
  return out;
}

UnseenReport AnyModel::predict_into(const Dataset& data, std::span<double> out,
                                    const Context& context, const PredictOptions& options) const {
  const std::size_t width = signature().width();
  GRADUS_ASSERT(out.size() == data.rows() * width);
  Question question = question_of(*this, data, context, options);
  answer_all(question, core(), out, context);
  return std::move(question.unseen);
}

UnseenReport AnyModel::labels_into(const Dataset& data, std::span<std::int32_t> out,
                                   const Context& context, const PredictOptions& options) const {
  const Signature& names = signature();
  const std::size_t width = names.width();
  GRADUS_ASSERT(out.size() == data.rows() && names.task != Task::regress);
  Question question = question_of(*this, data, context, options);
  if (!core().reads_rows()) {
    const auto label = static_cast<std::int32_t>(label_of(names.task, only_answer(core(), width)));
    std::fill(out.begin(), out.end(), label);
    return std::move(question.unseen);
  }
  const Deliver deliver = [&](const double* numbers, parallel::Block block) {
    for (std::size_t row = block.begin; row < block.end; ++row, numbers += width) {
      out[row] = static_cast<std::int32_t>(label_of(names.task, {numbers, width}));
    }
  };
  answer_rows(question, answer_of(core(), width), nullptr, deliver, context);
  return std::move(question.unseen);
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
  Question question = question_of(*this, data, context, options);
  out.rows = data.rows();
  out.names = core().coordinates(signature());
  const BlockAnswer answer{out.names.size(), [this](const RowBlock& rows, double* numbers) {
                             core().transform(rows, numbers);
                           }};
  out.values = answer_rows(question, answer, context);
  out.unseen = std::move(question.unseen);
  return out;
}

void AnyModel::require_contributions() const {
  if (core().contribution_scores() > 0) return;
  const std::string why = core().no_contributions();
  throw Error(ErrorKind::usage, "",
              fmt::format("{} does not split its answers up by feature{}{}", info().name,
                          why.empty() ? "" : ": ", why),
              those_that_can([](const Entry& one) { return one.splits_answers; }) +
                  "; of any model it can be measured what shuffling a column costs (importance by "
                  "permutation)");
}

Contributions AnyModel::contributions(const Dataset& data, const Context& context,
                                      const PredictOptions& options) const {
  Contributions out = named_contributions(*this, data);
  BlockAnswer answer{
      out.scores * (out.features.size() + 1),
      [this](const RowBlock& rows, double* numbers) { core().contributions(rows, numbers); }};
  answer.most_rows = kContributionBlock;
  Question question = question_of(*this, data, context, options);
  out.values = answer_rows(question, answer, context);
  out.unseen = std::move(question.unseen);
  return out;
}

Contributions AnyModel::interactions(const Dataset& data, const Context& context,
                                     const PredictOptions& options) const {
  Contributions out = named_contributions(*this, data);
  const std::size_t side = out.features.size() + 1;
  BlockAnswer answer{out.scores * side * side, [this](const RowBlock& rows, double* numbers) {
                       core().interactions(rows, numbers);
                     }};
  answer.most_rows = kInteractionBlock;
  Question question = question_of(*this, data, context, options);
  out.values = answer_rows(question, answer, context);
  out.unseen = std::move(question.unseen);
  return out;
}

Value AnyModel::tree(std::size_t index) const {
  if (trees() == 0) {
    throw Error(ErrorKind::usage, "tree", fmt::format("{} keeps no trees", info().name),
                "ask a tree, a forest, boosted trees, or a learner over these");
  }
  if (index >= trees()) {
    throw Error(ErrorKind::usage, "tree",
                fmt::format("there is no tree at place {}: the model keeps {}", index + 1,
                            counted(trees(), "tree")),
                fmt::format("the first is 1, the last {}", trees()));
  }
  return core().kept_tree(index, signature());
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
  const Dataset asked = data.take(chosen);
  const std::optional<Dataset> completed = with_queries(*this, asked);
  const Features features =
      preparation().apply(completed ? *completed : asked, Extra::ignore, nullptr);
  std::vector<double> scratch;
  core().explain(features.block(0, 1, scratch).row(0), signature(), trace);
}

}  // namespace gradus
