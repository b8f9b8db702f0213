// What a forest can be asked beyond its answers (Breiman, Cutler; section 12.5 of the texts).
//
// Permutation importance of column j: by how much the error of a tree on the rows that it did not
// draw grows when column j is shuffled among them. Proximity of two rows: the share of trees where
// they end in the same leaf. From the proximities come the outlier measure of a row (the inverse of
// its squared proximities to its class, as deviations from the median of the class), prototypes
// (the medians of the class around the row with the most neighbours of it) and estimates of missing
// cells (means or votes of the rows that have the cell, weighted by proximity, again and again).
#pragma once

#include "gradus/core/describe.hpp"

namespace gradus {

class ForestGrower;
struct ForestModel;
struct TrainTask;

struct ForestAnalysis {
  bool permutation_importance = false;
  bool proximities = false;
  bool outliers = false;
  int prototypes = 0;
  int missing_rounds = 0;

  template <class L = ForestAnalysis>
  static constexpr auto describe() {
    return Members{
        param(&L::permutation_importance, "permutation_importance",
              "Measure how much worse trees answer the rows that they did not draw when a column "
              "is shuffled among them.")
            .when("bootstrap", "true"),
        param(&L::proximities, "proximities",
              "Keep for each two training rows the share of trees where they share a leaf."),
        param(&L::outliers, "outliers",
              "Measure how far each training row is from the others of its class."),
        param(&L::prototypes, "prototypes",
              "Neighbours by proximity among which a class is looked for to describe it by its "
              "medians; 0: no prototypes.")
            .at_least(0),
        param(&L::missing_rounds, "missing_rounds",
              "Forests grown to estimate missing training cells from similar rows; 0: no "
              "estimates.")
            .at_least(0)};
  }
};

// Error{usage} for what this task cannot have.
void check_analysis(const ForestAnalysis& analysis, const TrainTask& task);

// Fills the findings that were asked for.
void analyse(const ForestGrower& grower, const ForestAnalysis& analysis, ForestModel& model);

}  // namespace gradus
