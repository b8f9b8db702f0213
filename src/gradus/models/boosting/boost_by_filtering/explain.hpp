// The steps of boosting by filtering: the three parts, what each filter lets through, the verdict.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gradus/models/boosting/boost_by_filtering/model.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

class FilteringStory {
 public:
  FilteringStory(const BoostByFilteringModel& model, const Signature& signature, Trace& trace)
      : model_(model), signature_(signature), trace_(trace) {}

  void parts(const std::vector<std::vector<std::uint32_t>>& parts) const;
  // What the first learner got wrong of `rows` rows, and which right answers are added.
  void mistakes(std::size_t rows, std::span<const std::uint32_t> wrong,
                std::span<const std::uint32_t> right) const;
  // Where the first two disagree among `rows` rows.
  void disagreements(std::size_t rows, std::span<const std::uint32_t> open) const;
  void third() const;
  void finish() const;

 private:
  const BoostByFilteringModel& model_;
  const Signature& signature_;
  Trace& trace_;
};

}  // namespace gradus
