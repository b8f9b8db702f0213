// The fitted bits and how their answers are decoded.
#pragma once

#include <cstdint>
#include <span>

#include "gradus/core/describe.hpp"
#include "gradus/models/meta/dichotomies.hpp"
#include "gradus/models/meta/ecoc/params.hpp"

namespace gradus {

struct EcocModel {
  Dichotomies questions;
  EcocDecoding decoding = EcocDecoding::loss;
  EcocLoss loss = EcocLoss::logistic;
  std::int64_t least_distance = 0;  // between two words

  template <class M = EcocModel>
  static constexpr auto describe() {
    return Members{field(&M::questions, 1, "questions"), field(&M::decoding, 2, "decoding"),
                   field(&M::loss, 3, "loss"), field(&M::least_distance, 4, "least_distance")};
  }

  static constexpr Quantity quantities[] = {
      {"bits", "The number of questions."},
      {"codewords", "The word of each class."},
      {"least_distance", "The least number of bits in which two words differ."},
      {"correctable", "Wrong bits that never change the class: (least_distance - 1) / 2."},
      {"estimator", "The learner of the bits."},
  };

  // Minus the distance of the row's answers to the word of each class.
  void decode(std::span<const double> answers, std::span<double> out) const;

  void predict(const RowBlock& rows, double* out) const;
  bool predicts_sparse() const { return questions.predicts_sparse(); }
  void predict(const SparseRows& rows, double* out) const;
  Value fitted(const Signature& signature) const;
  void check(const Signature& signature) const;
  void explain(std::span<const double> row, const Signature& signature, Trace& trace) const;
  // See contract/entry.hpp.
  std::string no_contributions() const {
    return "a class is as far as its word is from the answers, and distances do not add up by "
           "feature";
  }
  std::size_t kept_trees() const { return questions.kept_trees(); }
  Value kept_tree(std::size_t index, const Signature& signature) const {
    return questions.kept_tree(index, signature);
  }
  std::optional<FeatureUse> feature_use(const Signature& signature) const {
    return questions.feature_use(signature);
  }
};

}  // namespace gradus
