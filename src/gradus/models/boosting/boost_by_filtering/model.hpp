// The fitted committee of three: fewer when a filter left no row.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gradus/core/describe.hpp"
#include "gradus/models/boosting/boost_by_filtering/params.hpp"
#include "gradus/models/inner_model.hpp"
#include "gradus/models/meta/inner_member.hpp"

namespace gradus {

struct FilteringMember {
  std::int64_t rows = 0;              // that it learned from
  std::vector<std::int32_t> classes;  // those of its rows, ascending
  std::optional<InnerModel> model;    // none: its rows had one class, which is its answer

  template <class M = FilteringMember>
  static constexpr auto describe() {
    return Members{field(&M::rows, 1, "rows"), field(&M::classes, 2, "classes"),
                   field(&M::model, 3, "model")};
  }
};

struct BoostByFilteringModel {
  std::int32_t classes = 0;
  std::vector<FilteringMember> members;  // one to three
  double first_error = 0;                // of the first on the second part; 0 without such rows
  double disagreement = 0;  // share of the third part where the first two say different things
  double training_error = 0;

  template <class M = BoostByFilteringModel>
  static constexpr auto describe() {
    return Members{field(&M::classes, 1, "classes"), field(&M::members, 2, "members"),
                   field(&M::first_error, 3, "first_error"),
                   field(&M::disagreement, 4, "disagreement"),
                   field(&M::training_error, 5, "training_error")};
  }

  static constexpr Quantity quantities[] = {
      {"learners", "How many learners decide: fewer than 3 when a filter left no row."},
      {"estimator", "The learner of the members."},
      {"rows", "The number of rows that each learned from."},
      {"first_error", "The error of the first learner on the second part, which it has not seen."},
      {"disagreement", "The share of the third part where the first two disagree."},
      {"training_error", "The share of wrong training rows, by weight."},
  };

  // The class that follows from what the members say to a row.
  std::size_t decide(std::span<const std::int32_t> said) const;

  void predict(const RowBlock& rows, double* out) const;
  bool predicts_sparse() const;
  void predict(const SparseRows& rows, double* out) const;
  Value fitted(const Signature& signature) const;
  void check(const Signature& signature) const;
  void explain(std::span<const double> row, const Signature& signature, Trace& trace) const;
  std::string no_contributions() const {
    return "the third learner decides where the first two disagree, which does not add up by "
           "feature";
  }
  // The trees of the learners, and how all of them use the columns; see contract/entry.hpp.
  std::size_t kept_trees() const;
  Value kept_tree(std::size_t index, const Signature& signature) const;
  std::optional<FeatureUse> feature_use(const Signature& signature) const;
};

// The classes that a member knows, by name.
std::vector<std::string> class_names(const FilteringMember& member, const Signature& signature);

}  // namespace gradus
