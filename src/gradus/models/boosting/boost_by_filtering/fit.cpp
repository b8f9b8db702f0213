#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "gradus/blocks/rows/content_order.hpp"
#include "gradus/models/boosting/boost_by_filtering/explain.hpp"
#include "gradus/models/boosting/boost_by_filtering/model.hpp"
#include "gradus/models/meta/inner_task.hpp"

namespace gradus {
namespace {

// What the random streams of one seed are for.
enum Purpose : std::uint32_t { kParts = 1, kRight = 2, kSeeds = 3 };

constexpr std::size_t kLearners = 3;

using Rows = std::vector<std::uint32_t>;
// Places in the order from which rows are drawn: a row of weight 2 has two.
using Places = std::vector<std::uint32_t>;

// `count` of the items at random, in ascending order.
Places some_of(Places items, std::size_t count, Stream stream) {
  stream.shuffle(std::span(items));
  items.resize(std::min(count, items.size()));
  std::sort(items.begin(), items.end());
  return items;
}

class Filtering {
 public:
  Filtering(const BoostByFiltering& learner, const TrainTask& task, const Context& context)
      : learner_(learner),
        task_(task),
        context_(context),
        base_(learner.estimator.learner()),
        order_(task, context),
        traces_(context, kLearners) {
    model_.classes = static_cast<std::int32_t>(task.signature.classes.size());
  }

  BoostByFilteringModel run() {
    deal();
    tell([&](FilteringStory& story) {
      std::vector<Rows> parts;
      for (const Places& part : parts_) parts.push_back(rows_at(part));
      story.parts(parts);
    });
    learn(parts_[0]);
    if (filter_mistakes() && filter_disagreements()) {
      tell([&](FilteringStory& story) { story.third(); });
    }
    judge();
    tell([&](FilteringStory& story) { story.finish(); });
    return std::move(model_);
  }

 private:
  template <class Telling>
  void tell(Telling&& telling) {
    if (context_.trace == nullptr) return;
    FilteringStory story(model_, task_.signature, *context_.trace);
    telling(story);
  }

  std::uint32_t row_at(std::uint32_t place) const { return order_.rows()[place]; }

  // Ascending, each as often as it has places.
  Rows rows_at(const Places& places) const {
    Rows out;
    for (const std::uint32_t place : places) out.push_back(row_at(place));
    std::sort(out.begin(), out.end());
    return out;
  }

  // Three parts of the rows; the first gets what three do not divide.
  void deal() {
    Places order(order_.rows().size());
    std::iota(order.begin(), order.end(), 0U);
    Stream(learner_.random_state, 0, kParts).shuffle(std::span(order));
    const std::size_t third = order.size() / kLearners;
    auto next = order.begin();
    for (std::size_t part = 0; part < kLearners; ++part) {
      const std::size_t size = part == 0 ? order.size() - 2 * third : third;
      const auto end = next + static_cast<std::ptrdiff_t>(size);
      parts_.emplace_back(next, end);
      std::sort(parts_.back().begin(), parts_.back().end());
      next = end;
    }
  }

  // Adds a learner of these rows, and asks it about all.
  void learn(const Places& places) {
    const std::size_t m = model_.members.size();
    context_.stop_if_cancelled();
    context_.report("fit", m, kLearners);
    FilteringMember member;
    member.rows = static_cast<std::int64_t>(places.size());
    InnerChoice choice{.rows = rows_at(places)};
    if (order_.copies() && !task_.weights.empty()) {
      // The places of a row have told its weight.
      for (const std::uint32_t row : choice.rows) choice.times.push_back(1 / task_.weight(row));
    }
    member.classes = choose_classes(choice, task_);
    said_.emplace_back(task_.rows(), member.classes.front());
    if (member.classes.size() > 1) {
      const std::string whose = fmt::format("learner {}", m + 1);
      const Context inner_context = traces_.context(m);
      const InnerTask inner = inner_task(task_, choice, inner_context);
      const Seed seed = Stream(learner_.random_state, m, kSeeds).next();
      member.model = fit_inner(with_seed(base_, seed), inner.task(), inner_context, whose);
      traces_.replay(m, whose);
      said_.back() = said_classes(*member.model, task_.features, member.classes.size(), context_);
      for (std::int32_t& code : said_.back()) {
        code = member.classes[static_cast<std::size_t>(code)];
      }
    }
    model_.members.push_back(std::move(member));
  }

  double weight_of(const Places& places) const {
    double sum = 0;
    for (const std::uint32_t at : places) sum += order_.copies() ? 1 : task_.weight(row_at(at));
    return sum;
  }

  // The second learner's rows: the first one's mistakes on the second part, and as many of its
  // right answers. False when there is no mistake.
  bool filter_mistakes() {
    Places wrong;
    Places right;
    for (const std::uint32_t place : parts_[1]) {
      const std::uint32_t row = row_at(place);
      (said_[0][row] == task_.classes[row] ? right : wrong).push_back(place);
    }
    if (!parts_[1].empty()) model_.first_error = weight_of(wrong) / weight_of(parts_[1]);
    const Places chosen = some_of(right, wrong.size(), Stream(learner_.random_state, 0, kRight));
    tell([&](FilteringStory& story) {
      story.mistakes(parts_[1].size(), rows_at(wrong), rows_at(chosen));
    });
    if (wrong.empty()) return false;
    Places both;
    std::merge(wrong.begin(), wrong.end(), chosen.begin(), chosen.end(), std::back_inserter(both));
    learn(both);
    return true;
  }

  // The third learner's rows: those of the third part where the first two disagree.
  bool filter_disagreements() {
    Places open;
    for (const std::uint32_t place : parts_[2]) {
      const std::uint32_t row = row_at(place);
      if (said_[0][row] != said_[1][row]) open.push_back(place);
    }
    if (!parts_[2].empty()) model_.disagreement = weight_of(open) / weight_of(parts_[2]);
    tell([&](FilteringStory& story) { story.disagreements(parts_[2].size(), rows_at(open)); });
    if (open.empty()) return false;
    learn(open);
    return true;
  }

  void judge() {
    Places wrong;
    Places all;
    std::vector<std::int32_t> votes(said_.size());
    for (std::uint32_t place = 0; place < order_.rows().size(); ++place) {
      const std::uint32_t row = row_at(place);
      all.push_back(place);
      for (std::size_t m = 0; m < votes.size(); ++m) votes[m] = said_[m][row];
      if (model_.decide(votes) != static_cast<std::size_t>(task_.classes[row])) {
        wrong.push_back(place);
      }
    }
    model_.training_error = weight_of(wrong) / weight_of(all);
  }

  const BoostByFiltering& learner_;
  const TrainTask& task_;
  const Context& context_;
  AnyLearner base_;
  ContentOrder order_;  // from which rows are drawn
  InnerTraces traces_;
  std::vector<Places> parts_;
  std::vector<std::vector<std::int32_t>> said_;  // learner, row: the class
  BoostByFilteringModel model_;
};

}  // namespace

// Three of them together are no yardstick.
Info BoostByFiltering::effective_info() const {
  Info out = info_over(info, estimator.learner().info());
  out.gives = info.gives;
  return out;
}

BoostByFilteringModel BoostByFiltering::fit(const TrainTask& task, const Context& context) const {
  return Filtering(*this, task, context).run();
}

}  // namespace gradus
