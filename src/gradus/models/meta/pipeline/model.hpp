// The fitted pipeline: what each station learned, and the model at its end.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gradus/blocks/basis/basis.hpp"
#include "gradus/contract/feature_use.hpp"
#include "gradus/core/describe.hpp"
#include "gradus/models/inner_model.hpp"
#include "gradus/models/meta/pipeline/params.hpp"

namespace gradus {

struct PipelineModel {
  std::vector<double> fill;   // of each column; NaN: what is missing stays so
  std::vector<double> shift;  // (x - shift) * scale
  std::vector<double> scale;
  std::vector<Basis> basis;         // one, or none
  std::vector<std::int32_t> kept;   // ascending, of the functions; empty: all
  std::vector<double> explained;    // share of the target that each function explains; or empty
  std::vector<InnerModel> project;  // one, or none
  std::int64_t coordinates = 0;     // of the projection
  InnerModel estimator;

  template <class M = PipelineModel>
  static constexpr auto describe() {
    return Members{field(&M::fill, 1, "fill"),          field(&M::shift, 2, "shift"),
                   field(&M::scale, 3, "scale"),        field(&M::basis, 4, "basis"),
                   field(&M::kept, 5, "kept"),          field(&M::explained, 6, "explained"),
                   field(&M::project, 7, "project"),    field(&M::coordinates, 8, "coordinates"),
                   field(&M::estimator, 9, "estimator")};
  }

  static constexpr Quantity quantities[] = {
      {"estimator", "The learner at the end."},
      {"columns", "The columns that the estimator sees."},
      {"fills", "What stands for the missing cells of each column."},
      {"shifts", "What is subtracted from each column."},
      {"scales", "What each column is then multiplied with."},
      {"explained", "The share of the target that each column explains by itself."},
      {"projection", "The learner whose coordinates stand for the columns."},
      {"model", "What the estimator learned."},
  };

  void predict(const RowBlock& rows, double* out) const;
  Value fitted(const Signature& signature) const;
  void check(const Signature& signature) const;
  // Those of the estimator; see contract/entry.hpp.
  std::size_t kept_trees() const { return estimator.core().kept_trees(); }
  Value kept_tree(std::size_t index, const Signature& signature) const {
    return estimator.core().kept_tree(index, seen(signature));
  }
  // Of the columns as they come in: what is made of one column becomes known with it. Where a
  // station makes one number of several columns, no column can be told what it added.
  std::size_t contribution_scores() const;
  void contributions(const PlayedRows& rows, double* out) const;
  void interactions(const PlayedRows& rows, double* out) const;
  SplitWork contribution_work() const { return estimator.core().contribution_work(); }
  bool contributes_answers() const { return estimator.core().contributes_answers(); }
  std::string no_contributions() const;
  std::optional<FeatureUse> feature_use(const Signature& signature) const;
  void explain(std::span<const double> row, const Signature& signature, Trace& trace) const;

  // The names of the columns on their way: those that are projected, and those that the estimator
  // sees.
  Signature narrowed(const Signature& signature) const;
  Signature seen(const Signature& signature) const;

  // The column that each number the estimator sees is made of; nothing where one is of several.
  std::optional<std::vector<std::int32_t>> sources() const;

  // Station by station; each gives a block that stands in `out`, or the one that it was given.
  RowBlock filled(const RowBlock& rows, std::vector<double>& out) const;
  RowBlock expanded(const RowBlock& rows, std::vector<double>& out) const;
  RowBlock selected(const RowBlock& rows, std::vector<double>& out) const;
  RowBlock projected(const RowBlock& rows, std::vector<double>& out) const;
};

// The task of a projection: that of the pipeline where it takes it, else groups without a target.
Signature projection_signature(const Info& projection, const Signature& signature);

}  // namespace gradus
