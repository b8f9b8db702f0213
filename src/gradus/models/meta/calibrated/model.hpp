// The fitted bases, each with the map of its scores.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gradus/core/describe.hpp"
#include "gradus/models/inner_model.hpp"
#include "gradus/models/meta/calibrated/params.hpp"
#include "gradus/models/meta/inner_member.hpp"

namespace gradus {

// The map of one class; which members are set depends on the method.
struct ClassMap {
  double a = 0;  // sigmoid
  double b = 0;
  std::vector<double> scores = {};  // isotonic
  std::vector<double> values = {};

  template <class M = ClassMap>
  static constexpr auto describe() {
    return Members{field(&M::a, 1, "a"), field(&M::b, 2, "b"), field(&M::scores, 3, "scores"),
                   field(&M::values, 4, "values")};
  }
};

struct CalibratedMember {
  std::vector<std::int32_t> classes = {};  // those that the base learned, ascending
  std::optional<InnerModel> model = {};    // none: there was one class, which is its answer
  std::vector<ClassMap> maps = {};         // of each class; of the second only when there are two
  double temperature = 1;

  template <class M = CalibratedMember>
  static constexpr auto describe() {
    return Members{field(&M::classes, 1, "classes"), field(&M::model, 2, "model"),
                   field(&M::maps, 3, "maps"), field(&M::temperature, 4, "temperature")};
  }
};

struct CalibratedModel {
  CalibrationMethod method = CalibrationMethod::sigmoid;
  std::int32_t classes = 0;
  bool probabilities = false;  // the base gives probabilities, else scores
  std::vector<CalibratedMember> members;

  template <class M = CalibratedModel>
  static constexpr auto describe() {
    return Members{field(&M::method, 1, "method"), field(&M::classes, 2, "classes"),
                   field(&M::probabilities, 3, "probabilities"), field(&M::members, 4, "members")};
  }

  static constexpr Quantity quantities[] = {
      {"members", "The number of fitted bases."},
      {"estimator", "The learner of the bases."},
      {"method", "The map from scores to probabilities."},
      {"temperatures", "The temperature of each member."},
      {"maps", "For each member and class, a and b of 1/(1 + exp(a f + b)), or the steps."},
  };

  // The scores of a member: what it says of every class (rows x classes).
  void scores(const CalibratedMember& member, const RowBlock& rows, double* out) const;
  void scores(const CalibratedMember& member, const SparseRows& rows, double* out) const;
  // From the scores of one row to probabilities, in place.
  void calibrate(const CalibratedMember& member, std::span<double> row) const;

  void predict(const RowBlock& rows, double* out) const;
  bool predicts_sparse() const;
  void predict(const SparseRows& rows, double* out) const;
  Value fitted(const Signature& signature) const;
  void check(const Signature& signature) const;
  void explain(std::span<const double> row, const Signature& signature, Trace& trace) const;
  // Probabilities are bent maps of what the bases say: a sum by feature would not survive them.
  std::string no_contributions() const {
    return "a calibration map bends what its base adds up (ask the base by itself)";
  }
  // The trees of the bases, and how all of them use the columns; see contract/entry.hpp.
  std::size_t kept_trees() const;
  Value kept_tree(std::size_t index, const Signature& signature) const;
  std::optional<FeatureUse> feature_use(const Signature& signature) const;
};

// The number that the map of a class reads: its score, or for two classes how much the second
// leads.
double mapped_score(bool probabilities, std::span<const double> row, std::size_t c);

// Class scores as logarithms, for the temperature.
double log_score(bool probabilities, double score);

}  // namespace gradus
