// The rows that the trees of a round see, and how much each of them counts.
//
// uniform: every row with the chance `subsample`, drawn from its contents and from how many equal
// ones come before it, so that neither the order of the rows nor whether a row is written twice or
// weighs 2 makes a difference. goss (Ke et al. 2017): the share a with the largest gradients
// always; of the others the share b, each counting (1 − a)/b times, so that sums of gradients keep
// their expectation. The first 1/η rounds see all rows: until then no gradient says much.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gradus/blocks/rows/content_order.hpp"
#include "gradus/contract/train_task.hpp"
#include "gradus/core/context.hpp"
#include "gradus/models/boosting/gradient_boosting/params.hpp"

namespace gradus {

class RowSampler {
 public:
  RowSampler(const GradientBoosting& learner, const TrainTask& task, const Context& context)
      : learner_(learner), task_(task), rows_(task.rows()), context_(context) {}

  // Whether the choice of this round depends on the sizes of the gradients.
  bool needs_gradients(std::size_t round) const;

  // How often each row counts in this round; empty when all count once. `sizes` holds the size of
  // the gradient of every row, 0 for rows that take no part.
  std::span<const double> choose(std::size_t round, std::span<const double> sizes);

 private:
  void choose_uniformly(std::size_t round);
  void choose_single_rows(std::uint64_t turn);
  void choose_by_gradient(std::size_t round, std::span<const double> sizes);

  const GradientBoosting& learner_;
  const TrainTask& task_;
  std::size_t rows_;
  Context context_;
  std::vector<RowOccurrence> occurrences_;  // once they are needed
  bool copies_ = false;
  std::vector<double> times_;
};

}  // namespace gradus
