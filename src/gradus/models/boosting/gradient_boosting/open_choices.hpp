// What gradient boosting decides where it is left open: the number of rounds, and how trees grow.
//
// How many rounds are good depends on the noise of a table more than on its size, so that no number
// is right for all. Where a table is small enough, folds find it: every fold is held out by a fit
// of its own, and the rounds with the least mean loss are run on all rows. Small tables also get
// symmetric trees, which have few questions to fit noise with. The borders are those of a study
// (docs/design/0011).
#pragma once

#include <cstddef>
#include <vector>

#include "gradus/contract/train_task.hpp"
#include "gradus/core/context.hpp"
#include "gradus/models/boosting/gradient_boosting/params.hpp"

namespace gradus {

// Of the folds that find the number of rounds when nothing is said.
inline constexpr std::size_t kOpenFolds = 5;
inline constexpr std::size_t kOpenPatience = 30;
inline constexpr std::size_t kMostOpenRounds = 1000;
// Twenty in a fold: fewer say more about themselves than about the number of rounds.
inline constexpr std::size_t kLeastFoldedRows = 100;
// Rows times columns times scores, to which the time of a round is about proportional.
inline constexpr double kMostFoldedCells = 60'000;
// Rounds where nothing is said and no rows are held out.
inline constexpr std::size_t kUsualRounds = 300;
inline constexpr std::size_t kMostSymmetricRows = 1000;

// Whether folds find the rounds although nobody asked for them.
bool finds_rounds(const GradientBoosting& learner, const TrainTask& task);

// Most rounds that are run.
std::size_t most_rounds(const GradientBoosting& learner, const TrainTask& task);

// The learner with everything but the rounds decided.
GradientBoosting decided(const GradientBoosting& learner, const TrainTask& task);

// The weights of the rows that each fold holds out, 0 for all others. Rows are dealt by their
// contents, class by class, equal ones together: neither where a row stands nor whether it is
// written twice or weighs 2 makes a difference. Empty where too few rows differ.
std::vector<std::vector<double>> folds_by_contents(const GradientBoosting& learner,
                                                   const TrainTask& task,
                                                   const std::vector<double>& weights,
                                                   const Context& context);

}  // namespace gradus
