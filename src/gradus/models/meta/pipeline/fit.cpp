// Station after station: each learns from what the one before it made of the rows that teach.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "gradus/blocks/quantile/quantile.hpp"
#include "gradus/blocks/rows/subset.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/models/catalogue.hpp"
#include "gradus/models/meta/inner_task.hpp"
#include "gradus/models/meta/pipeline/explain.hpp"
#include "gradus/models/meta/pipeline/explained_share.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

constexpr std::size_t kBlockRows = 512;
constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

// What one column is like, of its cells that are there and weigh something. Sums are long, so that
// the order of the rows does not reach the digits that are kept.
struct Moments {
  long double weight = 0;
  long double sum = 0;
  long double squares = 0;  // around a centre, in units of the largest distance from it
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  bool empty() const { return weight == 0; }
  double mean() const { return static_cast<double>(sum / weight); }
  void add(const Moments& more) {
    weight += more.weight;
    sum += more.sum;
    squares += more.squares;
    low = std::min(low, more.low);
    high = std::max(high, more.high);
  }
};

// `look(column, cell, weight, moments)` for every cell, block by block.
template <class Look>
std::vector<Moments> surveyed(const TrainTask& task, const Context& context, const Look& look) {
  const std::size_t cols = task.features.cols();
  return parallel::reduce_ordered<std::vector<Moments>>(
      context, task.rows(), kBlockRows,
      [&](parallel::Block block) {
        std::vector<Moments> out(cols);
        std::vector<double> scratch;
        for (std::size_t begin = block.begin; begin < block.end; begin += kBlockRows) {
          const std::size_t end = std::min(begin + kBlockRows, block.end);
          const RowBlock rows = task.features.block(begin, end, scratch);
          for (std::size_t i = 0; i < rows.rows; ++i) {
            const double w = task.weight(begin + i);
            if (w == 0) continue;
            const auto row = rows.row(i);
            for (std::size_t j = 0; j < cols; ++j) {
              if (!std::isnan(row[j])) look(j, row[j], w, out[j]);
            }
          }
        }
        return out;
      },
      [](std::vector<Moments>& total, std::vector<Moments>&& part) {
        for (std::size_t j = 0; j < total.size(); ++j) total[j].add(part[j]);
      });
}

std::vector<Moments> first_moments(const TrainTask& task, const Context& context) {
  return surveyed(task, context, [](std::size_t, double x, double w, Moments& out) {
    out.weight += w;
    out.sum += static_cast<long double>(x) * w;
    out.low = std::min(out.low, x);
    out.high = std::max(out.high, x);
  });
}

// The root of the mean squared distance of every column from its mean, without overflow.
std::vector<double> deviations(const std::vector<Moments>& first, const TrainTask& task,
                               const Context& context) {
  std::vector<double> mean(first.size(), 0.0);
  std::vector<double> largest(first.size(), 0.0);
  for (std::size_t j = 0; j < first.size(); ++j) {
    if (first[j].empty()) continue;
    mean[j] = first[j].mean();
    largest[j] = std::max(first[j].high - mean[j], mean[j] - first[j].low);
  }
  const std::vector<Moments> second =
      surveyed(task, context, [&](std::size_t j, double x, double w, Moments& out) {
        const double part = largest[j] > 0 ? (x - mean[j]) / largest[j] : 0;
        out.weight += w;
        out.squares += static_cast<long double>(part) * part * w;
      });
  std::vector<double> out(first.size(), 0.0);
  for (std::size_t j = 0; j < out.size(); ++j) {
    if (second[j].empty() || first[j].low == first[j].high) continue;
    out[j] = largest[j] * std::sqrt(static_cast<double>(second[j].squares / second[j].weight));
  }
  return out;
}

// The cells of a column that are there, with their weights.
std::vector<WeightedNumber> present_cells(const std::vector<double>& column,
                                          const TrainTask& task) {
  std::vector<WeightedNumber> out;
  for (std::size_t row = 0; row < column.size(); ++row) {
    const double w = task.weight(row);
    if (w > 0 && !std::isnan(column[row])) out.push_back({column[row], w});
  }
  return out;
}

// The smallest of the codes with the largest weight.
double commonest(const std::vector<WeightedNumber>& cells, std::size_t levels) {
  std::vector<double> weight(levels, 0.0);
  for (const auto& [code, w] : cells) weight[static_cast<std::size_t>(code)] += w;
  return static_cast<double>(std::max_element(weight.begin(), weight.end()) - weight.begin());
}

class Assembly {
 public:
  Assembly(const Pipeline& learner, const TrainTask& task, const Context& context)
      : learner_(learner),
        task_(task),
        context_(context),
        base_(learner.estimator.learner()),
        features_(task.features),
        signature_(task.signature) {}

  PipelineModel run() {
    learn_columns();
    if (learner_.basis != PipelineBasis::none && features_.cols() > 0) expand();
    if (learner_.keep) select();
    if (!learner_.projection.is_none()) project();
    InnerTraces traces(context_, 1);
    model_.estimator = fit_inner(base_, current(), traces.context(0), "estimator");
    if (context_.trace != nullptr) {
      tell_stations(model_, task_.signature, *context_.trace);
      traces.replay(0, "estimator");
    }
    return std::move(model_);
  }

 private:
  TrainTask current() const {
    return {features_, signature_, task_.classes, task_.numbers, task_.weights};
  }

  bool imputes() const {
    if (learner_.imputation != PipelineImputation::automatic) {
      return learner_.imputation != PipelineImputation::none;
    }
    return learner_.needs_every_cell() || !base_.info().accepts.has(Accept::missing);
  }

  // Fills, shifts and scales of every column, and the columns that they make.
  void learn_columns() {
    const std::size_t cols = features_.cols();
    model_.fill.assign(cols, kMissing);
    model_.shift.assign(cols, 0.0);
    model_.scale.assign(cols, 1.0);
    const std::vector<Moments> first = first_moments(task_, context_);
    std::vector<double> spread(cols, 0.0);
    if (learner_.scale == PipelineScale::standard) spread = deviations(first, task_, context_);
    parallel::for_each_index(context_, first.size(),
                             [&](std::size_t j) { learn_column(j, first[j], spread[j]); });
    apply(
        [this](const RowBlock& rows, std::vector<double>& out) { return model_.filled(rows, out); },
        cols);
  }

  void learn_column(std::size_t j, const Moments& moments, double deviation) {
    const bool by_level = signature_.features.level_count(j) > 0;
    if (imputes()) model_.fill[j] = fill_of(j, moments);
    if (moments.empty() || by_level || learner_.scale == PipelineScale::none) {
      return check_numbers(j);
    }
    const bool standard = learner_.scale == PipelineScale::standard;
    const bool constant = moments.low == moments.high;
    const double spread = standard ? deviation : moments.high - moments.low;
    model_.shift[j] = standard && !constant ? moments.mean() : moments.low;
    // A column that never changes, or not by more than the smallest numbers, is only shifted.
    model_.scale[j] = spread > 0 && std::isfinite(1 / spread) ? 1 / spread : 1;
    check_numbers(j);
  }

  // A column without a single cell is filled with 0.
  double fill_of(std::size_t j, const Moments& moments) const {
    if (moments.empty()) return 0;
    const std::size_t levels = signature_.features.level_count(j);
    if (levels == 0 && learner_.imputation != PipelineImputation::median) return moments.mean();
    std::vector<WeightedNumber> cells = present_cells(features_.column(j), task_);
    if (levels > 0) return commonest(cells, levels);
    return weighted_quantile(cells, 0.5);
  }

  void check_numbers(std::size_t j) const {
    if (!std::isinf(model_.fill[j]) && std::isfinite(model_.shift[j]) &&
        std::isfinite(model_.scale[j])) {
      return;
    }
    throw Error(ErrorKind::numerical, "column " + in_quotes(signature_.features[j].name),
                "its numbers are too large to be scaled", "use --scale none");
  }

  void expand() {
    const auto kind = static_cast<BasisKind>(static_cast<int>(learner_.basis) - 1);
    const BasisFunctions how{.basis = kind, .n_basis = learner_.n_basis, .terms = learner_.terms};
    const Basis basis = learn_basis(how, current(), context_);
    const Signature before = signature_;
    const TrainTask narrow{features_, before, task_.classes, task_.numbers, task_.weights};
    const ExpandedTask wide(basis, narrow, context_);
    const Features functions = wide.task().features;
    features_ = functions;
    signature_ = wide.task().signature;
    model_.basis.push_back(basis);
  }

  void select() {
    const std::size_t cols = features_.cols();
    model_.explained = explained_shares(current(), context_);
    if (static_cast<std::size_t>(*learner_.keep) >= cols) return;
    std::vector<std::int32_t> order(cols);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
      return model_.explained[static_cast<std::size_t>(a)] >
             model_.explained[static_cast<std::size_t>(b)];
    });
    order.resize(static_cast<std::size_t>(*learner_.keep));
    std::sort(order.begin(), order.end());
    model_.kept = std::move(order);
    apply([this](const RowBlock& rows,
                 std::vector<double>& out) { return model_.selected(rows, out); },
          model_.kept.size());
    signature_.features = subset(signature_.features, model_.kept);
  }

  void project() {
    const AnyLearner learner = learner_.projection.learner();
    const Signature own = projection_signature(learner.info(), signature_);
    const bool blind = own.task == Task::cluster;
    Context silent = context_;
    silent.trace = nullptr;
    silent.progress = nullptr;
    const TrainTask task{features_, own, blind ? std::span<const std::int32_t>() : task_.classes,
                         blind ? std::span<const double>() : task_.numbers, task_.weights};
    model_.project.push_back(fit_inner(learner, task, silent, "projection"));
    const auto names = model_.project.front().core().coordinates(own);
    model_.coordinates = static_cast<std::int64_t>(names.size());
    apply([this](const RowBlock& rows,
                 std::vector<double>& out) { return model_.projected(rows, out); },
          names.size());
    signature_ = model_.seen(task_.signature);
  }

  // The features as a station gives them, `width` of them.
  template <class Station>
  void apply(const Station& station, std::size_t width) {
    const std::size_t rows = features_.rows();
    context_.require_memory(rows * width * sizeof(double), "the prepared columns");
    std::vector<double> cells(rows * width);
    parallel::for_each_block(context_, rows, kBlockRows, [&](parallel::Block block) {
      std::vector<double> packed;
      std::vector<double> out;
      const RowBlock done = station(features_.block(block.begin, block.end, packed), out);
      std::copy_n(done.data, done.rows * done.cols, cells.data() + block.begin * width);
    });
    features_ = features_of(std::move(cells), rows, width);
  }

  const Pipeline& learner_;
  const TrainTask& task_;
  const Context& context_;
  AnyLearner base_;
  Features features_;
  Signature signature_;
  PipelineModel model_;
};

}  // namespace

Value checked_projection(const ParamInfo& info, const Value& value) {
  if (value.is_string() && trim(value.as_string()) == "none") return Value("none");
  const std::string where = "--" + std::string(info.text.name);
  try {
    const AnyLearner learner = learner_from(value);
    if (learner.info().gives.has(Give::transforms)) return Value(learner_text(learner));
    throw Error(ErrorKind::usage, where,
                fmt::format("{} must be {} (got {}, which gives none)", info.text.name,
                            info.allowed(), learner.info().name),
                "these are: " + join(projections(), ", "));
  } catch (const Error& error) {
    throw Error(ErrorKind::usage, where, error.message(), error.hint());
  }
}

std::vector<std::string> projections() {
  std::vector<std::string> names = {"none"};
  for (const Entry* entry : catalogue()) {
    if (entry->info.gives.has(Give::transforms)) names.emplace_back(entry->info.name);
  }
  return names;
}

bool Pipeline::needs_every_cell() const {
  return basis != Functions::none || keep.has_value() || !projection.is_none();
}

Info Pipeline::effective_info() const {
  const Info base = estimator.learner().info();
  Info out = info_over(info, base);
  out.accepts = out.accepts.without(Accept::sparse).without(Accept::missing_at_prediction);
  if (needs_every_cell() || encoding != Encode::automatic) {
    out.accepts = out.accepts.without(Accept::nominal).without(Accept::ordinal) | Accept::numeric;
  }
  if (imputation != Impute::none) {
    out.accepts = out.accepts | Accept::missing;
  } else if (needs_every_cell()) {
    out.accepts = out.accepts.without(Accept::missing);
  }
  if (keep || !projection.is_none()) out.accepts = out.accepts.without(Accept::many_outputs);
  if (!projection.is_none() && !projection.learner().info().accepts.has(Accept::weights)) {
    out.accepts = out.accepts.without(Accept::weights);
  }
  constexpr Encoding kEncodings[] = {Encoding::one_hot, Encoding::one_hot, Encoding::dummy,
                                     Encoding::ordinal, Encoding::target};
  if (encoding != Encode::automatic) out.encode = kEncodings[static_cast<std::size_t>(encoding)];
  if (!base.gives.has(Give::probabilities)) out.gives = out.gives.without(Give::probabilities);
  return out;
}

void Pipeline::check(const TrainTask& task) const {
  if (projection.is_none()) return;
  const Info own = projection.learner().info();
  if (own.tasks.has(task.signature.task) || own.tasks.has(Task::cluster)) return;
  throw Error(ErrorKind::usage, "--projection",
              fmt::format("{} gives coordinates for {}, and the target asks for {}", own.name,
                          task_word(own.tasks.has(Task::classify) ? Task::classify : Task::regress),
                          task_word(task.signature.task)));
}

PipelineModel Pipeline::fit(const TrainTask& task, const Context& context) const {
  return Assembly(*this, task, context).run();
}

}  // namespace gradus
