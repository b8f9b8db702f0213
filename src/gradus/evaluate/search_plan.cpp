#include "gradus/evaluate/search_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "gradus/core/error.hpp"

namespace gradus {
namespace {

constexpr std::string_view kMethods[] = {"grid", "random", "telescopic", "halving", "bayes"};
constexpr std::size_t kMostCombinations = 100000;
constexpr double kSamePlace = 1e-9;  // a place that went through a value and back
constexpr double kKept = 3;          // halving: one in three goes on
constexpr double kFewestRows = 30;   // halving: nobody learns from fewer

// Every combination of one place per dimension, the last dimension turning fastest.
std::vector<Place> combinations(const std::vector<std::vector<double>>& axes) {
  double count = 1;
  for (const auto& axis : axes) count *= static_cast<double>(axis.size());
  if (count > static_cast<double>(kMostCombinations)) {
    throw Error(
        ErrorKind::usage, "--method",
        fmt::format("the grid has {:.0f} combinations, {} are allowed", count, kMostCombinations),
        "use --method bayes or random, fewer --points, or search fewer parameters");
  }
  std::vector<Place> out(1);
  for (const auto& axis : axes) {
    std::vector<Place> longer;
    for (const Place& place : out) {
      for (const double at : axis) {
        longer.push_back(place);
        longer.back().push_back(at);
      }
    }
    out = std::move(longer);
  }
  return out;
}

std::vector<Place> grid_of(const SearchSpace& space, std::size_t points) {
  std::vector<std::vector<double>> axes;
  for (const Dimension& one : space) axes.push_back(one.grid(points));
  return combinations(axes);
}

Place random_place(const SearchSpace& space, Seed seed, std::size_t trial) {
  Stream stream(seed, trial);
  Place out;
  for (const Dimension& one : space) out.push_back(one.draw(stream));
  return out;
}

class FixedPlan : public SearchPlan {
 public:
  explicit FixedPlan(const std::vector<Place>& places) : planned_(places.size()) {
    for (const Place& place : places) batch_.push_back({.place = place});
  }
  std::vector<Proposal> next(const std::vector<Trial>&) override {
    return std::exchange(batch_, {});
  }
  std::size_t planned() const override { return planned_; }

 private:
  std::vector<Proposal> batch_;
  std::size_t planned_;
};

// The best of those that learned from all rows.
const Trial* best_of(const std::vector<Trial>& seen) {
  const Trial* best = nullptr;
  for (const Trial& trial : seen) {
    if (!trial.loss || trial.proposal.share < 1) continue;
    if (best == nullptr || *trial.loss < *best->loss) best = &trial;
  }
  return best;
}

class TelescopicPlan : public SearchPlan {
 public:
  TelescopicPlan(const SearchSpace& space, const SearchOptions& options)
      : space_(space), options_(options) {
    for (const Dimension& one : space) axes_.push_back(one.grid(options.points));
    planned_ = combinations(axes_).size() * options.rounds;
  }

  std::vector<Proposal> next(const std::vector<Trial>& seen) override {
    if (round_ == options_.rounds) return {};
    if (round_ > 0) {
      const Trial* best = best_of(seen);
      if (best == nullptr) return {};
      for (std::size_t i = 0; i < space_.size(); ++i) narrow(i, best->proposal.place[i]);
    }
    ++round_;
    std::vector<Proposal> out;
    for (Place& place : combinations(axes_)) {
      out.push_back({.place = std::move(place), .round = round_});
    }
    return out;
  }

  std::size_t planned() const override { return planned_; }

 private:
  // From the neighbour below the best to the one above it; of a list, the best alone.
  void narrow(std::size_t i, double best) {
    std::vector<double>& axis = axes_[i];
    if (std::isnan(best)) return;  // the settings given lie outside of the space
    if (!space_[i].is_range()) {
      axis = {best};
      return;
    }
    double low = 0;
    double high = 1;
    for (const double at : axis) {
      if (at < best - kSamePlace) low = std::max(low, at);
      if (at > best + kSamePlace) high = std::min(high, at);
    }
    const auto steps = static_cast<double>(options_.points - 1);
    axis.clear();
    for (std::size_t k = 0; k < options_.points; ++k) {
      axis.push_back(low + (high - low) * static_cast<double>(k) / steps);
    }
  }

  SearchSpace space_;
  SearchOptions options_;
  std::vector<std::vector<double>> axes_;
  std::size_t round_ = 0;
  std::size_t planned_ = 0;
};

class HalvingPlan : public SearchPlan {
 public:
  HalvingPlan(const SearchSpace& space, const SearchOptions& options, std::size_t rows)
      : space_(space), options_(options) {
    double share = 1;
    auto going = static_cast<double>(options.trials);
    shares_ = {1};
    while (going > kKept && static_cast<double>(rows) * share / kKept >= kFewestRows) {
      share /= kKept;
      going /= kKept;
      shares_.insert(shares_.begin(), share);
    }
  }

  std::vector<Proposal> next(const std::vector<Trial>& seen) override {
    if (round_ == shares_.size()) return {};
    std::vector<Place> places = round_ == 0 ? beginners() : winners(seen);
    ++round_;
    std::vector<Proposal> out;
    for (Place& place : places) {
      out.push_back({.place = std::move(place), .share = shares_[round_ - 1], .round = round_});
    }
    return out;
  }

  std::size_t planned() const override {
    std::size_t going = options_.trials;
    std::size_t out = going;
    for (std::size_t round = 1; round < shares_.size(); ++round) out += going = kept(going);
    return out;
  }

 private:
  static std::size_t kept(std::size_t count) {
    return static_cast<std::size_t>(std::ceil(static_cast<double>(count) / kKept));
  }

  std::vector<Place> beginners() const {
    std::vector<Place> out;
    for (std::size_t i = 0; i < options_.trials; ++i) {
      out.push_back(random_place(space_, options_.seed, i));
    }
    return out;
  }

  std::vector<Place> winners(const std::vector<Trial>& seen) const {
    std::vector<const Trial*> round;
    for (const Trial& trial : seen) {
      const bool mine = trial.proposal.round == round_ &&
                        trial.proposal.share == shares_[round_ - 1] && trial.loss.has_value();
      if (mine) round.push_back(&trial);
    }
    std::stable_sort(round.begin(), round.end(),
                     [](const Trial* a, const Trial* b) { return *a->loss < *b->loss; });
    if (round.size() > kept(round.size())) round.resize(kept(round.size()));
    std::vector<Place> out;
    for (const Trial* trial : round) out.push_back(trial->proposal.place);
    return out;
  }

  SearchSpace space_;
  SearchOptions options_;
  std::vector<double> shares_;
  std::size_t round_ = 0;
};

// How many settings there are; 0: more than can be counted.
std::size_t size_of(const SearchSpace& space) {
  double count = 1;
  for (const Dimension& one : space) count *= static_cast<double>(one.count());
  return count > 1e9 ? 0 : static_cast<std::size_t>(count);
}

void check(const SearchSpace& space, const SearchOptions& options) {
  if (space.empty()) {
    throw Error(ErrorKind::usage, "--search", "there is no parameter to search",
                "name one with its values: --search NAME=LOW..HIGH or NAME=A,B,C");
  }
  if (options.trials == 0 || options.points == 0 || options.rounds == 0) {
    throw Error(ErrorKind::usage, "--trials", "a search tries at least one setting");
  }
  if (options.method == SearchMethod::telescopic && options.points < 3) {
    throw Error(ErrorKind::usage, "--points",
                "a telescopic search needs at least 3 points per range");
  }
}

}  // namespace

std::string_view method_word(SearchMethod method) {
  return kMethods[static_cast<std::size_t>(method)];
}

std::vector<std::string> method_words() { return {std::begin(kMethods), std::end(kMethods)}; }

std::unique_ptr<SearchPlan> make_plan(const SearchSpace& space, const SearchOptions& options,
                                      std::size_t rows) {
  check(space, options);
  const std::size_t size = size_of(space);
  const bool all = size > 0 && size <= options.trials;
  if (all && options.method != SearchMethod::grid && options.method != SearchMethod::telescopic) {
    return std::make_unique<FixedPlan>(grid_of(space, size));
  }
  switch (options.method) {
    case SearchMethod::grid: return std::make_unique<FixedPlan>(grid_of(space, options.points));
    case SearchMethod::random: {
      std::vector<Place> places;
      for (std::size_t i = 0; i < options.trials; ++i) {
        places.push_back(random_place(space, options.seed, i));
      }
      return std::make_unique<FixedPlan>(places);
    }
    case SearchMethod::telescopic: return std::make_unique<TelescopicPlan>(space, options);
    case SearchMethod::halving: return std::make_unique<HalvingPlan>(space, options, rows);
    case SearchMethod::bayes: return make_tpe_plan(space, options);
  }
  assertion_failed("a method is one of five", __FILE__, __LINE__);
}

}  // namespace gradus
