#include "gradus/models/boosting/gradient_boosting/row_sampler.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "gradus/models/boosting/gradient_boosting/purpose.hpp"
#include "gradus/parallel/parallel.hpp"
#include "gradus/simd/streams.hpp"

namespace gradus {
namespace {

constexpr std::size_t kDrawnRows = 4096;
// Keeps the numbers of equal rows apart.
constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;

}  // namespace

bool RowSampler::needs_gradients(std::size_t round) const {
  return learner_.sample.sampling == RowSampling::goss &&
         static_cast<double>(round) >= 1 / *learner_.learning_rate;
}

std::span<const double> RowSampler::choose(std::size_t round, std::span<const double> sizes) {
  if (needs_gradients(round)) {
    choose_by_gradient(round, sizes);
    return times_;
  }
  if (learner_.sample.sampling == RowSampling::goss || *learner_.sample.subsample >= 1) return {};
  choose_uniformly(round);
  return times_;
}

void RowSampler::choose_uniformly(std::size_t round) {
  if (occurrences_.empty()) {
    occurrences_ = row_occurrences(task_, context_);
    copies_ = weights_are_copies(task_) && std::any_of(task_.weights.begin(), task_.weights.end(),
                                                       [](double w) { return w > 1; });
  }
  times_.resize(rows_);
  const std::uint64_t turn = Stream(learner_.random_state, round, kRowsPurpose).next();
  if (!copies_ || task_.weights.empty()) return choose_single_rows(turn);
  parallel::for_each_block(context_, rows_, kDrawnRows, [&](parallel::Block block) {
    for (std::size_t row = block.begin; row < block.end; ++row) {
      const RowOccurrence& occurrence = occurrences_[row];
      const auto copies = static_cast<std::uint32_t>(task_.weight(row));
      std::uint32_t drawn = 0;
      for (std::uint32_t copy = 0; copy < copies; ++copy) {
        const std::uint64_t number = occurrence.before + copy;
        Stream stream(learner_.random_state, (occurrence.key ^ turn) + number * kOdd, kRowsPurpose);
        drawn += stream.uniform() < *learner_.sample.subsample ? 1 : 0;
      }
      times_[row] = copies == 0 ? 0 : static_cast<double>(drawn) / copies;
    }
  });
}

// Every row is there once: the draws of a block are made together.
void RowSampler::choose_single_rows(std::uint64_t turn) {
  // Stream::uniform() < share, said of the 53 bits that it is made from.
  const auto below = static_cast<std::uint64_t>(std::ceil(*learner_.sample.subsample * 0x1.0p53));
  parallel::for_each_block(context_, rows_, kDrawnRows, [&](parallel::Block block) {
    std::vector<std::uint64_t> numbers(block.size());
    for (std::size_t i = 0; i < block.size(); ++i) {
      const RowOccurrence& occurrence = occurrences_[block.begin + i];
      numbers[i] = (occurrence.key ^ turn) + occurrence.before * kOdd;
    }
    simd::first_numbers({learner_.random_state, kRowsPurpose}, numbers.data(), numbers.size(),
                        numbers.data());
    for (std::size_t i = 0; i < block.size(); ++i) {
      times_[block.begin + i] = (numbers[i] >> 11U) < below ? 1 : 0;
    }
  });
}

void RowSampler::choose_by_gradient(std::size_t round, std::span<const double> sizes) {
  const BoostingSample& sample = learner_.sample;
  times_.assign(sizes.begin(), sizes.end());
  const auto kept =
      std::min(sizes.size() - 1,
               static_cast<std::size_t>(sample.top_rate * static_cast<double>(sizes.size())));
  const auto place = times_.begin() + static_cast<std::ptrdiff_t>(kept);
  std::nth_element(times_.begin(), place, times_.end(), std::greater<>());
  const double threshold = *place;
  const double chance = std::min(1.0, sample.other_rate / (1 - sample.top_rate));
  parallel::for_each_block(context_, rows_, kDrawnRows, [&](parallel::Block block) {
    const std::uint64_t item = round * parallel::block_count(rows_, kDrawnRows) + block.index;
    Stream stream(learner_.random_state, item, kRowsPurpose);
    for (std::size_t row = block.begin; row < block.end; ++row) {
      // A number is drawn for every row, so that no draw depends on another row's gradient.
      const bool drawn = stream.uniform() < chance;
      times_[row] = sizes[row] > threshold ? 1 : (drawn ? 1 / chance : 0);
    }
  });
}

}  // namespace gradus
