// 1R: the rules about the one column that errs least.
//
// For every column, each of its values answers with its most frequent class; numbers are first cut
// into intervals that hold at least `min_bucket` rows of their majority. The column whose rules
// make the fewest errors on the training rows is the model (Holte: "Very simple classification
// rules perform well on most commonly used datasets", 1993).
//
//   auto model = fit(OneR{}, weather, "play");
#pragma once

#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"

namespace gradus {

struct OneRModel;

struct OneR {
  using Model = OneRModel;

  double min_bucket = 6;

  static constexpr Info info{
      .name = "one_r",
      .family = "rules",
      .summary = "The rules about the single column that make the fewest errors (1R).",
      .tasks = Task::classify,
      .accepts =
          Flags<Accept>(Accept::numeric) | Accept::nominal | Accept::missing | Accept::weights,
      .gives = Flags<Give>(Give::probabilities) | Give::explains_fit | Give::explains_row |
               Give::same_answer};

  template <class L = OneR>
  static constexpr auto describe() {
    return Members{param(&L::min_bucket, "min_bucket",
                         "Rows of its majority class that an interval of numbers holds at least.")
                       .above(0)
                       .aka("min_bucket_size", "b")
                       .tune(1, 20, log_scale)};
  }

  Model fit(const TrainTask& task, const Context& context) const;
};

}  // namespace gradus
