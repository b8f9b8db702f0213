// The fitted model in two parts: what was counted, which new rows can be added to, and the tables
// of logarithms that prediction reads. The tables are stored too, so that a model gives the same
// bytes wherever it is loaded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gradus/core/describe.hpp"
#include "gradus/models/bayes/naive_bayes/params.hpp"

namespace gradus {

// Sums over rows, weighted. Two of them can be added: the counts of two tables are the counts of
// both together.
struct NaiveBayesCounts {
  std::vector<double> classes;  // weight of each class
  std::vector<double> levels;   // tabled features: (feature, level) x classes
  // Numeric features, classes x features; empty unless the model uses them.
  std::vector<double> weight;   // gaussian: weight of the rows that have a value
  std::vector<double> mean;     // gaussian
  std::vector<double> squares;  // gaussian: sum of squared deviations from the mean
  std::vector<double> events;   // multinomial: sum of the numbers

  template <class C = NaiveBayesCounts>
  static constexpr auto describe() {
    return Members{field(&C::classes, 1, "classes"), field(&C::levels, 2, "levels"),
                   field(&C::weight, 3, "weight"),   field(&C::mean, 4, "mean"),
                   field(&C::squares, 5, "squares"), field(&C::events, 6, "events")};
  }
};

// What prediction reads; the classes of one feature stand together.
struct NaiveBayesTables {
  std::vector<double> prior;      // classes
  std::vector<double> log_prior;  // classes
  std::vector<double> log_level;  // (feature, level) x classes
  std::vector<double> mean;       // features x classes, as all that follow
  std::vector<double> variance;
  std::vector<double> precision;    // 1/(2 variance)
  std::vector<double> log_density;  // at the mean: -log(2 pi variance)/2
  std::vector<double> log_event;

  template <class T = NaiveBayesTables>
  static constexpr auto describe() {
    return Members{field(&T::prior, 1, "prior"),
                   field(&T::log_prior, 2, "log_prior"),
                   field(&T::log_level, 3, "log_level"),
                   field(&T::mean, 4, "mean"),
                   field(&T::variance, 5, "variance"),
                   field(&T::precision, 6, "precision"),
                   field(&T::log_density, 7, "log_density"),
                   field(&T::log_event, 8, "log_event")};
  }
};

struct NaiveBayesModel {
  static constexpr std::int32_t kNumber = -1;    // a normal quantity or an event count
  static constexpr std::int32_t kPresence = -2;  // a number that is absent (0) or present (1)

  std::int32_t classes = 0;
  NumericEvent numeric = NumericEvent::gaussian;
  double binarize = 0;
  double epsilon = 0;                // added to every variance
  std::vector<std::int32_t> levels;  // per feature: its levels, kNumber or kPresence
  std::vector<double> pseudo;        // per feature: imaginary rows per level or event
  NaiveBayesCounts seen;
  NaiveBayesTables tables;

  template <class M = NaiveBayesModel>
  static constexpr auto describe() {
    return Members{field(&M::classes, 1, "classes"),   field(&M::numeric, 2, "numeric"),
                   field(&M::binarize, 3, "binarize"), field(&M::epsilon, 4, "epsilon"),
                   field(&M::levels, 5, "levels"),     field(&M::pseudo, 6, "pseudo"),
                   field(&M::seen, 7, "seen"),         field(&M::tables, 8, "tables")};
  }

  std::size_t class_count() const { return static_cast<std::size_t>(classes); }
  std::size_t feature_count() const { return levels.size(); }
  bool tabled(std::size_t feature) const { return levels[feature] != kNumber; }
  // Rows of the feature's table: two for a presence.
  std::size_t level_count(std::size_t feature) const {
    return levels[feature] == kPresence ? 2 : static_cast<std::size_t>(levels[feature]);
  }
  // Whether `x` has a row in the table of its feature: not when it is missing.
  bool find_level(std::size_t feature, double x, std::size_t& level) const {
    if (levels[feature] == kPresence) {
      level = x > binarize ? 1 : 0;
      return x == x;
    }
    if (!(x >= 0 && x < static_cast<double>(levels[feature]))) return false;
    level = static_cast<std::size_t>(x);
    return true;
  }
  // Rows of all tables together.
  std::size_t table_rows() const;

  static constexpr Quantity quantities[] = {
      {"priors", "The probability of each class before anything is known of a row."},
      {"class_counts",
       "The training weight of each class: its number of rows when none is weighted."},
      {"conditionals",
       "For each column and class: the probability of each level, or mean and variance."},
      {"epsilon", "What was added to every variance."},
      {"conditionals_left_out", "Columns beyond those that conditionals shows."},
  };

  void predict(const RowBlock& rows, double* out) const;
  // In the multinomial model a zero is no factor; in the others it is one.
  bool predicts_sparse() const { return numeric == NumericEvent::multinomial; }
  void predict(const SparseRows& rows, double* out) const;
  Value fitted(const Signature& signature) const;
  void check(const Signature& signature) const;
  void explain(std::span<const double> row, const Signature& signature, Trace& trace) const;
};

}  // namespace gradus
