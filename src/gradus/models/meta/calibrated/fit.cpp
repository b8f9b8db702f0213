// Folds side by side: each fits the base to the other folds and learns from its own rows what the
// scores are worth.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gradus/blocks/rows/content_order.hpp"
#include "gradus/core/error.hpp"
#include "gradus/models/meta/calibrated/explain.hpp"
#include "gradus/models/meta/calibrated/maps.hpp"
#include "gradus/models/meta/inner_task.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

constexpr std::size_t kToldFits = 2;
constexpr std::size_t kBlockNumbers = std::size_t{1} << 18;

using Rows = std::vector<std::uint32_t>;

// Deals `count` items after the first `begin` out like cards, so that folds differ by one at most.
std::vector<std::size_t> dealt(std::size_t begin, std::size_t count, std::size_t folds) {
  std::vector<std::size_t> out;
  for (std::size_t j = begin; j < begin + count; ++j) out.push_back(j % folds);
  std::sort(out.begin(), out.end());
  return out;
}

// The fold of each of `rows`: every fold has its share of every class, in the manner of
// scikit-learn's StratifiedKFold, so that the same rows give the same folds.
std::vector<std::size_t> folds_by_place(const Rows& rows, const TrainTask& task,
                                        std::size_t folds) {
  std::vector<std::vector<std::size_t>> of_class;  // positions, classes in order of appearance
  std::vector<std::ptrdiff_t> index(task.signature.classes.size(), -1);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::ptrdiff_t& at = index[static_cast<std::size_t>(task.classes[rows[i]])];
    if (at < 0) {
      at = static_cast<std::ptrdiff_t>(of_class.size());
      of_class.emplace_back();
    }
    of_class[static_cast<std::size_t>(at)].push_back(i);
  }
  std::vector<std::size_t> out(rows.size());
  std::size_t begin = 0;
  for (const std::vector<std::size_t>& members : of_class) {
    const std::vector<std::size_t> folds_of = dealt(begin, members.size(), folds);
    for (std::size_t j = 0; j < members.size(); ++j) out[members[j]] = folds_of[j];
    begin += members.size();
  }
  return out;
}

// The fold of each row of the table by chance, from its contents alone: equal rows are in the same
// fold, so that no row is judged by a base that has seen it, and it does not matter where rows
// stand. Nothing when there is only one content, which cannot be parted.
std::vector<std::size_t> folds_by_content(const TrainTask& task, std::size_t& folds, Stream stream,
                                          const Context& context) {
  const ContentOrder order(task, context);
  std::vector<std::vector<std::size_t>> of_class(task.signature.classes.size());  // contents
  std::vector<std::size_t> content_of(task.rows(), 0);
  std::size_t contents = 0;
  for (std::size_t place = 0; place < order.rows().size(); ++place) {
    const std::uint32_t row = order.rows()[place];
    if (!order.repeats(place)) {
      of_class[static_cast<std::size_t>(task.classes[row])].push_back(contents++);
    }
    content_of[row] = contents - 1;
  }
  if (contents < 2) return {};
  folds = std::min(folds, contents);
  std::vector<std::size_t> fold_of(contents);
  std::size_t begin = 0;
  for (const std::vector<std::size_t>& members : of_class) {
    std::vector<std::size_t> folds_of = dealt(begin, members.size(), folds);
    stream.shuffle(std::span(folds_of));
    for (std::size_t j = 0; j < members.size(); ++j) fold_of[members[j]] = folds_of[j];
    begin += members.size();
  }
  std::vector<std::size_t> out(task.rows());
  for (std::size_t row = 0; row < out.size(); ++row) out[row] = fold_of[content_of[row]];
  return out;
}

class Calibration {
 public:
  Calibration(const Calibrated& learner, const TrainTask& task, const Context& context)
      : learner_(learner),
        task_(task),
        context_(context),
        base_(learner.estimator.learner()),
        rows_(weighing_rows(task)),
        folds_(std::min(static_cast<std::size_t>(learner.folds), rows_.size())) {
    deal();
    model_.method = learner.method;
    model_.classes = static_cast<std::int32_t>(task.signature.classes.size());
    model_.probabilities = base_.info().gives.has(Give::probabilities);
  }

  CalibratedModel run() {
    InnerTraces traces(context_, std::min(folds_, kToldFits));
    traces.share_memory(folds_);
    std::vector<std::vector<double>> scores(folds_);
    context_.report("fit", 0, folds_);
    model_.members = parallel::map_slots<CalibratedMember>(context_, folds_, [&](std::size_t f) {
      const Context inner = traces.context(f);
      CalibratedMember member =
          base_on(chosen(f, Part::others), inner, fmt::format("fold {}", f + 1));
      scores[f] = scores_on(member, chosen(f, Part::own));
      if (learner_.ensemble) learn_from(member, chosen(f, Part::own), scores[f]);
      return member;
    });
    context_.report("fit", folds_, folds_);
    if (!learner_.ensemble) keep_one(scores);
    tell(traces);
    return std::move(model_);
  }

 private:
  enum class Part { own, others };

  void deal() {
    if (learner_.shuffle) {
      const std::vector<std::size_t> of_row =
          folds_by_content(task_, folds_, Stream(learner_.random_state), context_);
      for (const std::uint32_t row : rows_) {
        if (!of_row.empty()) fold_.push_back(of_row[row]);
      }
    }
    if (fold_.empty()) fold_ = folds_by_place(rows_, task_, folds_);
  }

  Rows chosen(std::size_t fold, Part part) const {
    Rows out;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if ((fold_[i] == fold) == (part == Part::own)) out.push_back(rows_[i]);
    }
    return out;
  }

  CalibratedMember base_on(const Rows& rows, const Context& context,
                           const std::string& whose) const {
    CalibratedMember member;
    InnerChoice choice{.rows = rows};
    member.classes = choose_classes(choice, task_);
    if (member.classes.size() == 1) return member;
    const InnerTask inner = inner_task(task_, choice, context);
    member.model = fit_inner(base_, inner.task(), inner.beside(context), whose);
    return member;
  }

  // What the member says to these rows, in blocks: rows x classes.
  std::vector<double> scores_on(const CalibratedMember& member, const Rows& rows) const {
    const auto width = static_cast<std::size_t>(model_.classes);
    const std::size_t cols = task_.features.cols();
    const std::size_t length =
        std::clamp<std::size_t>(kBlockNumbers / std::max<std::size_t>(1, cols), 1, 512);
    std::vector<double> out(rows.size() * width);
    std::vector<double> scratch;
    std::vector<double> cells;
    std::size_t next = 0;
    for (std::size_t begin = 0; begin < task_.rows() && next < rows.size(); begin += length) {
      const std::size_t end = std::min(begin + length, task_.rows());
      if (rows[next] >= end) continue;
      const RowBlock block = task_.features.block(begin, end, scratch);
      const std::size_t first = next;
      cells.clear();
      for (; next < rows.size() && rows[next] < end; ++next) {
        const auto row = block.row(rows[next] - begin);
        cells.insert(cells.end(), row.begin(), row.end());
      }
      model_.scores(member, RowBlock{cells.data(), next - first, cols}, out.data() + first * width);
    }
    for (const double score : out) {
      if (!std::isfinite(score)) {
        throw Error(ErrorKind::numerical, "", "a score of the base is not a finite number");
      }
    }
    return out;
  }

  void learn_from(CalibratedMember& member, const Rows& rows,
                  const std::vector<double>& scores) const {
    std::vector<double> weights;
    std::vector<std::int32_t> labels;
    for (const std::uint32_t row : rows) {
      weights.push_back(task_.weight(row));
      labels.push_back(task_.classes[row]);
    }
    learn_map(model_, member, {scores, labels, weights});
  }

  // One map from the answers of all folds, and the base on all rows.
  void keep_one(const std::vector<std::vector<double>>& scores) {
    const auto width = static_cast<std::size_t>(model_.classes);
    std::vector<double> all(rows_.size() * width);
    std::vector<std::size_t> next(folds_, 0);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const std::size_t f = fold_[i];
      std::copy_n(scores[f].data() + next[f]++ * width, width, all.data() + i * width);
    }
    Context quiet = context_;
    quiet.trace = nullptr;
    quiet.progress = nullptr;
    CalibratedMember member = base_on(rows_, quiet, "all rows");
    learn_from(member, rows_, all);
    model_.members.clear();
    model_.members.push_back(std::move(member));
  }

  void tell(const InnerTraces& traces) const {
    if (context_.trace == nullptr) return;
    for (std::size_t f = 0; f < folds_; ++f) traces.replay(f, fmt::format("member {}", f + 1));
    for (std::size_t i = 0; i < model_.members.size() && context_.trace->wants_more(); ++i) {
      const std::size_t rows = learner_.ensemble ? chosen(i, Part::own).size() : rows_.size();
      context_.trace->add(told_map(model_, i, rows, task_.signature));
    }
  }

  const Calibrated& learner_;
  const TrainTask& task_;
  const Context& context_;
  AnyLearner base_;
  Rows rows_;
  std::size_t folds_;
  std::vector<std::size_t> fold_;  // of each of rows_
  CalibratedModel model_;
};

}  // namespace

Info Calibrated::effective_info() const { return info_over(info, estimator.learner().info()); }

void Calibrated::check(const TrainTask& task) const {
  if (weighing_rows(task).size() < 2) {
    throw Error(ErrorKind::bad_data, "",
                "calibration needs at least 2 rows, for two folds, and there is one sample",
                "add rows, or use the classifier alone");
  }
}

CalibratedModel Calibrated::fit(const TrainTask& task, const Context& context) const {
  return Calibration(*this, task, context).run();
}

}  // namespace gradus
