// The fitted ensemble: the model of each draw, with the columns and classes that it knows.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gradus/contract/feature_use.hpp"
#include "gradus/core/describe.hpp"
#include "gradus/models/inner_model.hpp"
#include "gradus/models/meta/bagging/params.hpp"
#include "gradus/models/meta/inner_member.hpp"

namespace gradus {

struct BaggingMember {
  std::vector<std::int32_t> columns;  // ascending; empty: all
  std::vector<std::int32_t> classes;  // those of its draw, ascending; empty for numbers
  std::optional<InnerModel> model;    // none: its draw had one class, which is its answer

  template <class M = BaggingMember>
  static constexpr auto describe() {
    return Members{field(&M::columns, 1, "columns"), field(&M::classes, 2, "classes"),
                   field(&M::model, 3, "model")};
  }

  std::size_t width(std::size_t all) const { return classes.empty() ? all : classes.size(); }
};

struct BaggingModel {
  std::int32_t width = 0;  // numbers of an answer: classes or outputs
  bool classify = false;
  bool soft = false;  // probabilities are averaged; else each member has one vote
  std::vector<BaggingMember> members;
  std::optional<double> oob_score;  // share of right classes, or R²
  std::optional<double> oob_error;  // share of wrong classes, or mean squared error
  std::int64_t oob_rows = 0;        // rows that at least one member did not draw

  template <class M = BaggingModel>
  static constexpr auto describe() {
    return Members{field(&M::width, 1, "width"),         field(&M::classify, 2, "classify"),
                   field(&M::soft, 3, "soft"),           field(&M::members, 4, "members"),
                   field(&M::oob_score, 5, "oob_score"), field(&M::oob_error, 6, "oob_error"),
                   field(&M::oob_rows, 7, "oob_rows")};
  }

  static constexpr Quantity quantities[] = {
      {"members", "The number of fitted draws."},
      {"estimator", "The learner of the members."},
      {"voting", "How classes are voted for: soft or hard."},
      {"oob_score", "Share of right classes, or R², on rows that members did not draw."},
      {"oob_error", "Wrong classes (share) or mean squared error on these rows."},
      {"oob_rows", "The number of rows that at least one member did not draw."},
  };

  void predict(const RowBlock& rows, double* out) const;
  bool predicts_sparse() const;
  void predict(const SparseRows& rows, double* out) const;
  Value fitted(const Signature& signature) const;
  void check(const Signature& signature) const;
  // See contract/entry.hpp. Members that do not split their own answers up, or something else than
  // these, leave the ensemble without contributions; hard votes do too.
  std::size_t contribution_scores() const;
  void contributions(const PlayedRows& rows, double* out) const;
  void interactions(const PlayedRows& rows, double* out) const;
  SplitWork contribution_work() const;
  std::string no_contributions() const;
  std::optional<FeatureUse> feature_use(const Signature& signature) const;
  // Members without trees keep none.
  std::size_t kept_trees() const;
  Value kept_tree(std::size_t index, const Signature& signature) const;
  void explain(std::span<const double> row, const Signature& signature, Trace& trace) const;

  // What member `m` says, added to `out` (rows x width).
  void add_votes(std::size_t m, const RowBlock& rows, double* out) const;
};

}  // namespace gradus
