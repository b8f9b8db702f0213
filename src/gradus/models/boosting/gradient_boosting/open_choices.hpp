// What gradient boosting decides where it is left open: the number of rounds, how trees grow and
// step, and how many ensembles are averaged.
//
// How many rounds are good depends on the noise of a table more than on its size, so that no number
// is right for all. Where a table is small enough, folds find it: every fold is held out by a fit
// of its own, and from the rounds with the least mean loss follow those that are run on all rows.
// On larger tables one of the folds says enough, and on the largest even that would cost too much.
// Small tables also get symmetric trees and few bins, which leave few questions to fit noise with,
// and the mean of several ensembles. The borders are those of a study (docs/design/0011).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "gradus/contract/train_task.hpp"
#include "gradus/core/context.hpp"
#include "gradus/models/boosting/gradient_boosting/params.hpp"

namespace gradus {

// Of the folds that find the number of rounds when nothing is said.
inline constexpr std::size_t kOpenFolds = 5;
inline constexpr std::size_t kOpenPatience = 30;
inline constexpr std::size_t kMostOpenRounds = 1000;
// With a tree for each of several classes, and steps that are twice as large.
inline constexpr std::size_t kMostOpenClassRounds = 300;
// Twenty in a fold: fewer say more about themselves than about the number of rounds.
inline constexpr std::size_t kLeastFoldedRows = 100;
// Rows times columns times scores, to which the time of a round is about proportional. Several
// classes take larger steps, and so fewer rounds.
inline constexpr double kMostFoldedCells = 60'000;
inline constexpr double kMostFoldedClassCells = 200'000;
// Up to here one fold is held out.
inline constexpr double kMostHeldOutCells = 2'000'000;
// A fold learns from four fifths of the rows; all of them, averaged, bear more rounds.
inline constexpr double kRoundsOfAllRows = 1.25;
inline constexpr int kOpenEnsembles = 3;
// Rounds where nothing is said and no rows are held out.
inline constexpr std::size_t kUsualRounds = 300;
inline constexpr std::size_t kMostSymmetricRows = 1000;
inline constexpr int kFewBins = 64;

// Each tree sees so many of the rows: those of small tables agree too much in their noise.
inline constexpr double kSampleOfFew = 0.5;
inline constexpr double kSampleOfMany = 0.8;

// How many of the folds find the rounds although nobody asked for them: all, one or none.
std::size_t folds_that_find_rounds(const GradientBoosting& learner, const TrainTask& task);

// Whether the rounds end when the rows that examine no longer like them: as the user says, or
// because he gives such rows and leaves the number of rounds open.
bool stops_early(const GradientBoosting& learner, const TrainTask& task);

// The best of the losses so far. A fall by less than `tol` of the first loss is none: a share, for
// the square of a small target is far below any fixed number.
std::size_t best_round(std::span<const double> losses, double tol);

// Most rounds that are run.
std::size_t most_rounds(const GradientBoosting& learner, const TrainTask& task);

// The learner with everything but the rounds decided.
GradientBoosting decided(const GradientBoosting& learner, const TrainTask& task);

// What a fold teaches and what it holds out, by row.
struct FoldPart {
  std::vector<double> teaching = {};  // its weight among the rows that teach
  std::vector<double> held = {};      // and among those that are held out
  std::vector<double> copies = {};    // how many of its copies teach; empty: rows have no copies
};

// Rows are dealt by their contents, class by class: neither where a row stands nor whether it is
// written twice or weighs 2 makes a difference. Copies are dealt one by one, for new rows will be
// copies of known ones as often as these are of each other. The folds that find the rounds; none
// where too few rows differ.
std::vector<FoldPart> folds_by_contents(const GradientBoosting& learner, const TrainTask& task,
                                        const std::vector<double>& weights, const Context& context);

}  // namespace gradus
