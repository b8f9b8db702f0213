// A pipeline: preparation and any learner as one learner, fitted, tuned and saved as one.
//
// The columns pass the stations in this order, each learned from the rows that teach alone, so that
// nothing of an examined row leaks into what judges it:
//
//   encoding      categories become numbers, where the estimator or a later station needs them
//   imputation    missing cells become the mean, median or commonest value of their column
//   scale         (x - mean) / deviation, or (x - low) / (high - low)
//   basis         powers and products, bumps, splines, waves of every column
//   keep          the columns that explain most of the target, one by one
//   projection    new coordinates from any learner that gives some: lda, partial_least_squares, …
//   estimator     any learner
//
//   auto model = fit(Pipeline{.basis = PipelineBasis::polynomial, .estimator = Ridge{}}, train,
//                    "price");
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "gradus/blocks/basis/basis_functions.hpp"
#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"
#include "gradus/models/learner_choice.hpp"

namespace gradus {

struct PipelineModel;

enum class PipelineEncoding { automatic, one_hot, dummy, ordinal, target };
constexpr std::array<std::string_view, 5> enum_names(PipelineEncoding) {
  return {"auto", "one_hot", "dummy", "ordinal", "target"};
}

enum class PipelineImputation { automatic, mean, median, none };
constexpr std::array<std::string_view, 4> enum_names(PipelineImputation) {
  return {"auto", "mean", "median", "none"};
}

enum class PipelineScale { none, standard, range };
constexpr std::array<std::string_view, 3> enum_names(PipelineScale) {
  return {"none", "standard", "range"};
}

enum class PipelineBasis { none, polynomial, radial, sigmoid, spline, fourier };
constexpr std::array<std::string_view, 6> enum_names(PipelineBasis) {
  return {"none", "polynomial", "radial", "sigmoid", "spline", "fourier"};
}

// `none`, or a learner that gives rows new coordinates.
Value checked_projection(const ParamInfo& info, const Value& value);
std::vector<std::string> projections();

class ProjectionChoice : public ChosenLearner {
 public:
  using ChosenLearner::ChosenLearner;

  static ProjectionChoice from_value(const Value& value) {
    return ProjectionChoice(value.as_string());
  }
  bool is_none() const { return to_value() == Value("none"); }

  static constexpr ParamHooks hooks{
      "none, or a learner that gives new coordinates, such as lda(n_components=2)",
      &checked_projection, &projections};
};

struct Pipeline {
  using Model = PipelineModel;
  using Encode = PipelineEncoding;
  using Impute = PipelineImputation;
  using Scaling = PipelineScale;
  using Functions = PipelineBasis;

  Encode encoding = Encode::automatic;
  Impute imputation = Impute::automatic;
  Scaling scale = Scaling::standard;
  Functions basis = Functions::none;
  int n_basis = 5;
  PolynomialTerms terms = {};
  std::optional<int> keep = {};
  ProjectionChoice projection = "none";
  LearnerChoice estimator = "decision_tree";

  static constexpr Info info{
      .name = "pipeline",
      .family = "meta",
      .summary =
          "Prepares the columns (fill, scale, expand, select, project) for any learner, as "
          "one learner.",
      .tasks = Task::classify | Task::regress,
      .accepts = Flags<Accept>(Accept::numeric) | Accept::nominal | Accept::ordinal |
                 Accept::missing | Accept::weights,
      .gives = Flags<Give>(Give::probabilities) | Give::explains_fit | Give::explains_row};

  template <class L = Pipeline>
  static constexpr auto describe() {
    return Members{
        param(&L::encoding, "encoding",
              "How categories become numbers: auto leaves them to an estimator that takes them, "
              "else as it prefers."),
        param(&L::imputation, "imputation",
              "What stands for a missing cell: mean or median (of categories the commonest); auto "
              "is the mean where the estimator takes no missing cells; none leaves them."),
        param(&L::scale, "scale",
              "Numbers to mean 0 and deviation 1 (standard), or from 0 to 1 (range)."),
        param(
            &L::basis, "basis",
            "Functions that stand for the numbers: powers and products, bumps, splines or waves."),
        param(&L::n_basis, "n_basis",
              "Centres (radial, sigmoid), intervals (spline) or frequencies (fourier) per column.")
            .at_least(1)
            .at_most(1000),
        group(&L::terms),
        param(&L::keep, "keep",
              "Keep so many columns, those that explain most of the target one by one; none: all.")
            .at_least(1)
            .aka("k", "max_columns"),
        param(&L::projection, "projection",
              "A learner whose coordinates stand for the columns, such as lda(n_components=2).")
            .aka("transformer", "reduce"),
        param(&L::estimator, "estimator", "The learner that the prepared columns teach.")
            .aka("base_estimator", "base")};
  }

  // Whether a station needs numbers without gaps.
  bool needs_every_cell() const;

  Info effective_info() const;
  void check(const TrainTask& task) const;
  Model fit(const TrainTask& task, const Context& context) const;
};

}  // namespace gradus
