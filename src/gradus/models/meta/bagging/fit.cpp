// Members side by side, each from its own stream of random numbers: member m is the same whatever
// thread fits it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gradus/blocks/rows/content_order.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/exponent.hpp"
#include "gradus/models/meta/bagging/explain.hpp"
#include "gradus/models/meta/bagging/model.hpp"
#include "gradus/models/meta/inner_task.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

// What the random streams of one seed are for.
enum Purpose : std::uint32_t { kRows = 1, kColumns = 2, kSeeds = 3 };

constexpr std::size_t kBlockNumbers = std::size_t{1} << 18;

// `share` of `all`, at least one.
std::size_t share_of(double share, std::size_t all) {
  return std::max<std::size_t>(1, static_cast<std::size_t>(share * static_cast<double>(all)));
}

// How often each of `all` items is drawn.
std::vector<std::uint32_t> times_drawn(Stream stream, std::size_t all, std::size_t count,
                                       bool replace) {
  std::vector<std::uint32_t> times(all, 0);
  if (replace) {
    for (std::size_t i = 0; i < count; ++i) ++times[stream.below(all)];
    return times;
  }
  std::vector<std::uint32_t> order(all);
  std::iota(order.begin(), order.end(), 0U);
  for (std::size_t i = 0; i < count; ++i) {
    std::swap(order[i], order[i + stream.below(all - i)]);
    times[order[i]] = 1;
  }
  return times;
}

class Ensemble {
 public:
  Ensemble(const Bagging& learner, const TrainTask& task, const Context& context)
      : learner_(learner),
        task_(task),
        context_(context),
        base_(learner.estimator.learner()),
        rows_(task, context) {}

  BaggingModel run() {
    const auto count = static_cast<std::size_t>(learner_.n_estimators);
    BaggingModel model;
    model.width = static_cast<std::int32_t>(task_.signature.width());
    model.classify = task_.signature.task == Task::classify;
    model.soft = model.classify && learner_.voting != Voting::hard &&
                 base_.info().gives.has(Give::probabilities);
    InnerTraces traces(context_, std::min(count, kToldFits));
    traces.share_memory(count);
    context_.report("fit", 0, count);
    model.members = parallel::map_units<BaggingMember>(
        context_, "member", count, [&](std::size_t m) { return member(m, traces.context(m)); });
    context_.report("fit", count, count);
    if (learner_.oob_score) measure_out_of_bag(model);
    if (context_.trace != nullptr) tell(model, traces);
    return model;
  }

 private:
  // How often each row of the table is in draw `m`.
  std::vector<std::uint32_t> draw(std::size_t m) const {
    const std::vector<std::uint32_t>& rows = rows_.rows();
    const std::vector<std::uint32_t> of_place =
        times_drawn(Stream(learner_.random_state, m, kRows), rows.size(),
                    share_of(learner_.max_samples, rows.size()), learner_.bootstrap);
    std::vector<std::uint32_t> times(task_.rows(), 0);
    for (std::size_t i = 0; i < rows.size(); ++i) times[rows[i]] += of_place[i];
    return times;
  }

  std::vector<std::int32_t> columns_of(std::size_t m) const {
    const std::size_t all = task_.features.cols();
    const std::size_t count = share_of(learner_.max_features, all);
    if (all == 0 || (count == all && !learner_.bootstrap_features)) return {};
    const std::vector<std::uint32_t> times = times_drawn(Stream(learner_.random_state, m, kColumns),
                                                         all, count, learner_.bootstrap_features);
    std::vector<std::int32_t> columns;
    for (std::size_t j = 0; j < all; ++j) {
      columns.insert(columns.end(), times[j], static_cast<std::int32_t>(j));
    }
    return columns;
  }

  BaggingMember member(std::size_t m, const Context& context) const {
    const std::vector<std::uint32_t> times = draw(m);
    BaggingMember out;
    out.columns = columns_of(m);
    InnerChoice choice{.columns = out.columns};
    const bool weighs = base_.info().accepts.has(Accept::weights);
    // A row that was drawn twice weighs two: fewer rows to fit. Else it is written twice.
    for (std::size_t row = 0; row < times.size(); ++row) {
      if (times[row] == 0) continue;
      choice.rows.insert(choice.rows.end(), weighs ? 1 : times[row],
                         static_cast<std::uint32_t>(row));
      // Where a row is drawn once for each time that it is written, its weight has had its say.
      if (weighs && (learner_.bootstrap || !task_.weights.empty()))
        choice.times.push_back(times[row] / (rows_.copies() ? task_.weight(row) : 1));
    }
    // A draw may lack classes: its member learns those that it has.
    if (task_.signature.task == Task::classify) out.classes = choose_classes(choice, task_);
    if (out.classes.size() == 1) return out;
    const InnerTask inner = inner_task(task_, choice, context);
    const Seed seed = Stream(learner_.random_state, m, kSeeds).next();
    out.model = fit_inner(with_seed(base_, seed), inner.task(), inner.beside(context),
                          fmt::format("member {}", m + 1));
    return out;
  }

  // Sums over the rows of one block, added in the order of the blocks.
  struct Sums {
    double weight = 0;
    double wrong = 0;  // weight of wrong classes, or of squared errors
    std::int64_t rows = 0;
  };

  void measure_out_of_bag(BaggingModel& model) const {
    std::vector<std::vector<bool>> in_bag(model.members.size());
    parallel::for_each_index(context_, in_bag.size(), [&](std::size_t m) {
      const std::vector<std::uint32_t> times = draw(m);
      in_bag[m].resize(times.size());
      for (std::size_t row = 0; row < times.size(); ++row) in_bag[m][row] = times[row] > 0;
    });
    const std::size_t length = std::clamp<std::size_t>(
        kBlockNumbers / std::max<std::size_t>(1, task_.features.cols()), 1, 512);
    std::vector<double> answers(task_.rows() * static_cast<std::size_t>(model.width), 0.0);
    std::vector<std::uint32_t> voters(task_.rows(), 0);
    parallel::for_each_block(context_, task_.rows(), length, [&](parallel::Block block) {
      answer_block(model, in_bag, block, {answers, voters});
    });
    judge(model, answers, voters);
  }

  struct Answers {
    std::vector<double>& sums;           // rows x width
    std::vector<std::uint32_t>& voters;  // members that did not draw the row
  };

  // Every member answers the rows of a block that it did not draw.
  void answer_block(const BaggingModel& model, const std::vector<std::vector<bool>>& in_bag,
                    parallel::Block block, Answers answers) const {
    const auto width = static_cast<std::size_t>(model.width);
    std::vector<double> scratch;
    const RowBlock rows = task_.features.block(block.begin, block.end, scratch);
    std::vector<double> fresh;
    std::vector<std::size_t> which;
    for (std::size_t m = 0; m < model.members.size(); ++m) {
      fresh.clear();
      which.clear();
      for (std::size_t row = block.begin; row < block.end; ++row) {
        if (in_bag[m][row] || task_.weight(row) == 0) continue;
        const auto cells = rows.row(row - block.begin);
        fresh.insert(fresh.end(), cells.begin(), cells.end());
        which.push_back(row);
      }
      if (which.empty()) continue;
      std::vector<double> own(which.size() * width, 0.0);
      model.add_votes(m, {fresh.data(), which.size(), rows.cols}, own.data());
      for (std::size_t i = 0; i < which.size(); ++i) {
        ++answers.voters[which[i]];
        for (std::size_t k = 0; k < width; ++k) {
          answers.sums[which[i] * width + k] += own[i * width + k];
        }
      }
    }
  }

  // The score of the mean answers over all rows that some member did not draw.
  void judge(BaggingModel& model, const std::vector<double>& answers,
             const std::vector<std::uint32_t>& voters) const {
    const auto width = static_cast<std::size_t>(model.width);
    const int exponent = exponent_of_targets();
    Sums total;
    for (std::size_t row = 0; row < voters.size(); ++row) {
      if (voters[row] == 0) continue;
      ++total.rows;
      total.weight += task_.weight(row);
      const double* answer = answers.data() + row * width;
      if (model.classify) {
        const auto top = std::max_element(answer, answer + width) - answer;
        total.wrong += top == task_.classes[row] ? 0.0 : task_.weight(row);
        continue;
      }
      for (std::size_t k = 0; k < width; ++k) {
        const double error =
            std::ldexp(task_.numbers[row * width + k] - answer[k] / voters[row], -exponent);
        total.wrong += task_.weight(row) * error * error / static_cast<double>(width);
      }
    }
    model.oob_rows = total.rows;
    if (total.rows == 0 || !(total.weight > 0)) return;
    const double error = total.wrong / total.weight;
    if (!std::isfinite(error)) return;
    // An error that has no number in the units of the target is left out; its share of the spread
    // has one.
    model.oob_error = std::ldexp(error, 2 * exponent);
    if (!std::isfinite(*model.oob_error)) model.oob_error.reset();
    const double spread = model.classify ? 1.0 : spread_of_target(voters, width, exponent);
    if (model.classify) model.oob_score = 1 - error;
    if (!model.classify && spread > 0) model.oob_score = 1 - error / spread;
    if (model.oob_score && !std::isfinite(*model.oob_score)) model.oob_score.reset();
  }

  // What is taken off the targets before they are squared; 0 for classes.
  int exponent_of_targets() const {
    double largest = 0;
    for (const double y : task_.numbers) largest = std::max(largest, std::abs(y));
    return exponent_to_take_off(largest);
  }

  // The mean squared distance of the targets of these rows from their mean.
  double spread_of_target(const std::vector<std::uint32_t>& voters, std::size_t width,
                          int exponent) const {
    double spread = 0;
    for (std::size_t k = 0; k < width; ++k) {
      double weight = 0;
      double mean = 0;
      double sum = 0;
      for (std::size_t row = 0; row < voters.size(); ++row) {
        if (voters[row] == 0) continue;
        weight += task_.weight(row);
        const double y = std::ldexp(task_.numbers[row * width + k], -exponent);
        const double before = y - mean;
        mean += before * (task_.weight(row) / weight);
        sum += task_.weight(row) * before * (y - mean);
      }
      spread += sum / weight / static_cast<double>(width);
    }
    return spread;
  }

  void tell(const BaggingModel& model, const InnerTraces& traces) const {
    const BaggingStory story(model, task_.signature, *context_.trace);
    for (std::size_t m = 0; m < model.members.size() && story.wants(m); ++m) {
      story.draw(m, draw(m));
      traces.replay(m, fmt::format("member {}", m + 1));
    }
    if (model.classify && model.width == 2) tell_vote(model, story);
    story.finish();
  }

  // The weight of the rows from `begin` on that are answered wrong, two votes for each.
  double wrong_weight(const std::vector<double>& votes, std::size_t begin) const {
    double wrong = 0;
    for (std::size_t i = 0; i < votes.size() / 2; ++i) {
      const std::int32_t said = votes[2 * i + 1] > votes[2 * i] ? 1 : 0;
      if (said != task_.classes[begin + i]) wrong += task_.weight(begin + i);
    }
    return wrong;
  }

  // The share of the rows that taught on which single members, and all of them, are wrong.
  void tell_vote(const BaggingModel& model, const BaggingStory& story) const {
    constexpr std::size_t kBlock = 512;
    double weight = 0;
    double members_wrong = 0;
    double ensemble_wrong = 0;
    std::vector<double> scratch;
    for (std::size_t begin = 0; begin < task_.rows(); begin += kBlock) {
      const std::size_t end = std::min(begin + kBlock, task_.rows());
      const RowBlock rows = task_.features.block(begin, end, scratch);
      std::vector<double> all(rows.rows * 2, 0.0);
      for (std::size_t m = 0; m < model.members.size(); ++m) {
        std::vector<double> own(rows.rows * 2, 0.0);
        model.add_votes(m, rows, own.data());
        members_wrong += wrong_weight(own, begin);
        for (std::size_t i = 0; i < own.size(); ++i) all[i] += own[i];
      }
      ensemble_wrong += wrong_weight(all, begin);
      for (std::size_t row = begin; row < end; ++row) weight += task_.weight(row);
    }
    const auto members = static_cast<double>(model.members.size());
    story.vote(members_wrong / (weight * members), ensemble_wrong / weight);
  }

  const Bagging& learner_;
  const TrainTask& task_;
  const Context& context_;
  AnyLearner base_;
  ContentOrder rows_;  // from which rows are drawn
};

}  // namespace

Info Bagging::effective_info() const { return info_over(info, estimator.learner().info()); }

void Bagging::check(const TrainTask& task) const {
  const AnyLearner base = estimator.learner();
  if (voting == Voting::soft && task.signature.task == Task::classify &&
      !base.info().gives.has(Give::probabilities)) {
    throw Error(ErrorKind::usage, "--voting",
                fmt::format("voting=soft needs probabilities, and {} gives none", base.info().name),
                "use --voting hard");
  }
}

BaggingModel Bagging::fit(const TrainTask& task, const Context& context) const {
  return Ensemble(*this, task, context).run();
}

}  // namespace gradus
