// The tree-structured Parzen estimator: what the settings that did well have in common, against
// what the others have. Each dimension on its own; along a range a mixture of normal kernels cut
// to [0, 1], one per setting seen and one flat kernel for what was never tried; of a list the
// smoothed shares.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "gradus/evaluate/search_plan.hpp"

namespace gradus {
namespace {

constexpr std::size_t kFirst = 10;  // drawn at random before anything is modelled
constexpr std::size_t kBatch = 4;   // proposed together: enough to fill the threads
constexpr std::size_t kDraws = 32;  // places compared for one proposal
constexpr double kGoodShare = 0.2;
constexpr std::uint32_t kPurpose = 7;  // random numbers apart from those of the first places

double normal_cdf(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

// The density of one dimension, from the places of some settings.
class Density {
 public:
  Density(const Dimension& dimension, std::vector<double> places)
      : dimension_(dimension), places_(std::move(places)) {
    std::erase_if(places_, [](double place) { return std::isnan(place); });
    if (!dimension.is_range()) {
      shares_.assign(dimension.choices.size(), 1.0);
      for (const double place : places_) ++shares_[static_cast<std::size_t>(place)];
      return;
    }
    const auto n = static_cast<double>(places_.size());
    double mean = 0;
    for (const double place : places_) mean += place / n;
    double variance = 0;
    for (const double place : places_) variance += (place - mean) * (place - mean) / n;
    width_ = std::max(1 / (1 + std::min(n, 99.0)),
                      n == 0 ? 1.0 : 1.06 * std::sqrt(variance) * std::pow(n, -0.2));
  }

  double draw(Stream& stream) const {
    if (!dimension_.is_range()) return draw_choice(stream);
    const std::uint64_t kernel = stream.below(places_.size() + 1);
    if (kernel == places_.size()) return stream.uniform();
    for (int tries = 0; tries < 100; ++tries) {
      const double place = places_[kernel] + width_ * stream.normal();
      if (place >= 0 && place <= 1) return place;
    }
    return places_[kernel];
  }

  double log_density(double place) const {
    if (!dimension_.is_range()) {
      double total = 0;
      for (const double share : shares_) total += share;
      return std::log(shares_[static_cast<std::size_t>(place)] / total);
    }
    double sum = 1;  // the flat kernel
    for (const double centre : places_) {
      const double z = (place - centre) / width_;
      const double inside = normal_cdf((1 - centre) / width_) - normal_cdf(-centre / width_);
      sum += std::exp(-z * z / 2) / (width_ * std::sqrt(2 * std::numbers::pi) * inside);
    }
    return std::log(sum / static_cast<double>(places_.size() + 1));
  }

 private:
  double draw_choice(Stream& stream) const {
    double total = 0;
    for (const double share : shares_) total += share;
    double left = stream.uniform() * total;
    for (std::size_t i = 0; i + 1 < shares_.size(); ++i) {
      if (left < shares_[i]) return static_cast<double>(i);
      left -= shares_[i];
    }
    return static_cast<double>(shares_.size() - 1);
  }

  const Dimension& dimension_;
  std::vector<double> places_;
  std::vector<double> shares_;
  double width_ = 1;
};

std::vector<Density> densities(const SearchSpace& space, const std::vector<const Trial*>& trials,
                               std::size_t begin, std::size_t end) {
  std::vector<Density> out;
  for (std::size_t i = 0; i < space.size(); ++i) {
    std::vector<double> places;
    for (std::size_t at = begin; at < end; ++at) {
      places.push_back(trials[at]->proposal.place[i]);
    }
    out.emplace_back(space[i], std::move(places));
  }
  return out;
}

class TpePlan : public SearchPlan {
 public:
  TpePlan(const SearchSpace& space, const SearchOptions& options)
      : space_(space), options_(options) {}

  std::vector<Proposal> next(const std::vector<Trial>& seen) override {
    std::vector<Proposal> out;
    if (done_ == 0) {
      for (; done_ < std::min(kFirst, options_.trials); ++done_) {
        Stream stream(options_.seed, done_);
        Place place;
        for (const Dimension& one : space_) place.push_back(one.draw(stream));
        out.push_back({.place = std::move(place)});
      }
      return out;
    }
    const std::size_t end = std::min(done_ + kBatch, options_.trials);
    for (; done_ < end; ++done_) out.push_back({.place = best_draw(seen, out)});
    return out;
  }

  std::size_t planned() const override { return options_.trials; }

 private:
  Place best_draw(const std::vector<Trial>& seen, const std::vector<Proposal>& batch) const {
    std::vector<const Trial*> trials;
    for (const Trial& trial : seen) {
      if (trial.loss) trials.push_back(&trial);
    }
    std::stable_sort(trials.begin(), trials.end(),
                     [](const Trial* a, const Trial* b) { return *a->loss < *b->loss; });
    const auto share =
        static_cast<std::size_t>(std::ceil(kGoodShare * static_cast<double>(trials.size())));
    const std::size_t good = std::min(std::max<std::size_t>(share, 2), trials.size());
    const std::vector<Density> l = densities(space_, trials, 0, good);
    const std::vector<Density> g = densities(space_, trials, good, trials.size());
    Stream stream(options_.seed, done_, kPurpose);
    Place best;
    double best_ratio = 0;
    for (std::size_t draw = 0; draw < kDraws; ++draw) {
      Place place;
      double ratio = 0;
      for (std::size_t i = 0; i < space_.size(); ++i) {
        place.push_back(l[i].draw(stream));
        ratio += l[i].log_density(place[i]) - g[i].log_density(place[i]);
      }
      const bool last_resort = best.empty() && draw + 1 == kDraws;
      if (!last_resort && known(place, seen, batch)) continue;
      if (best.empty() || ratio > best_ratio) {
        best = std::move(place);
        best_ratio = ratio;
      }
    }
    return best;
  }

  bool known(const Place& place, const std::vector<Trial>& seen,
             const std::vector<Proposal>& batch) const {
    const ParamValues settings = settings_at(space_, place);
    const auto same = [&](const Place& other) {
      for (std::size_t i = 0; i < space_.size(); ++i) {
        if (std::isnan(other[i]) || !(space_[i].at(other[i]) == settings[i].second)) return false;
      }
      return true;
    };
    return std::any_of(seen.begin(), seen.end(),
                       [&](const Trial& one) { return same(one.proposal.place); }) ||
           std::any_of(batch.begin(), batch.end(),
                       [&](const Proposal& one) { return same(one.place); });
  }

  SearchSpace space_;
  SearchOptions options_;
  std::size_t done_ = 0;
};

}  // namespace

std::unique_ptr<SearchPlan> make_tpe_plan(const SearchSpace& space, const SearchOptions& options) {
  return std::make_unique<TpePlan>(space, options);
}

}  // namespace gradus
