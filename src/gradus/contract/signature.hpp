// The names behind the numbers: what the prepared features, classes and outputs of a model are
// called. A learner sees numbers; everything it says to people takes its words from here.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gradus/contract/info.hpp"
#include "gradus/data/column.hpp"

namespace gradus {

struct FeatureName {
  std::string name = {};                     // "petal_width", or "color=red" for an encoded level
  bool nominal = false;                      // the numbers are codes into `levels`
  std::span<const std::string> levels = {};  // those of the FeatureNames that it came from
  std::span<const std::string> order = {};   // an ordinal column: the names of 0, 1, 2, ...
};

// The names of all features: a list, or numbered ones ("x0", "x1", ...) of which none is stored, so
// that a table of 100 million sparse columns costs no strings.
//
//   for (const FeatureName& feature : signature.features) ...
class FeatureNames {
 public:
  struct Stored {
    std::string name;
    bool nominal = false;
    std::vector<std::string> levels = {};
    std::vector<std::string> order = {};
  };

  FeatureNames();
  explicit FeatureNames(std::vector<Stored> names);
  // Feature j is called `prefix` + (first + j).
  FeatureNames(std::string prefix, std::size_t first, std::size_t count);
  FeatureNames(const FeatureNames& other);
  FeatureNames(FeatureNames&& other) noexcept;
  FeatureNames& operator=(const FeatureNames& other);
  FeatureNames& operator=(FeatureNames&& other) noexcept;
  ~FeatureNames();

  std::size_t size() const { return count_; }
  FeatureName operator[](std::size_t j) const;

  // The parts of a name, without making the text.
  bool nominal(std::size_t j) const { return !stored_.empty() && stored_[j].nominal; }
  std::span<const std::string> levels(std::size_t j) const {
    return stored_.empty() ? std::span<const std::string>() : stored_[j].levels;
  }
  std::span<const std::string> order(std::size_t j) const {
    return stored_.empty() ? std::span<const std::string>() : stored_[j].order;
  }

  // How many levels the numbers of a feature stand for, ordered or not; 0: they are numbers.
  std::size_t level_count(std::size_t j) const {
    return nominal(j) ? levels(j).size() : order(j).size();
  }

  class Iterator {
   public:
    Iterator(const FeatureNames& names, std::size_t at) : names_(&names), at_(at) {}
    FeatureName operator*() const { return (*names_)[at_]; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    const FeatureNames* names_;
    std::size_t at_;
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, count_}; }

 private:
  std::vector<Stored> stored_;
  std::string prefix_;
  std::size_t first_ = 0;
  std::size_t count_ = 0;
};

struct Signature {
  Task task = Task::classify;
  FeatureNames features;
  std::vector<std::string> classes;  // classification: in code order
  std::vector<std::string> outputs;  // the target's name; several for many outputs

  // Numbers per row that a model writes: one per class, one per output, or the cluster index.
  std::size_t width() const {
    if (task == Task::classify) return classes.size();
    return task == Task::regress ? outputs.size() : 1;
  }
};

}  // namespace gradus
