// The steps of bagging: what each member drew, how it was fitted, and what the rows left out say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "gradus/models/meta/bagging/model.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

// Members that are told one by one, and those whose own fit is told too.
inline constexpr std::size_t kToldMembers = 20;
inline constexpr std::size_t kToldFits = 3;

class BaggingStory {
 public:
  BaggingStory(const BaggingModel& model, const Signature& signature, Trace& trace)
      : model_(model), signature_(signature), trace_(trace) {}

  bool wants(std::size_t m) const { return m < kToldMembers && trace_.wants_more(); }
  // `times` are the rows drawn: how often each row of the table was.
  void draw(std::size_t m, std::span<const std::uint32_t> times) const;
  // Of two classes: how often single members and all together are wrong on the rows that taught,
  // and what the vote would be worth if the members erred independently.
  void vote(double member_error, double ensemble_error) const;
  void finish() const;

 private:
  const BaggingModel& model_;
  const Signature& signature_;
  Trace& trace_;
};

}  // namespace gradus
