// A learner chosen by name, with its parameters as values. What the command, Python, learners over
// other learners and searches use; C++ programs usually name the type instead.
//
//   AnyLearner learner("kmeans");
//   learner.set("n_clusters", 3);
//   AnyLearner same = KMeans{.n_clusters = 3};
#pragma once

#include <memory>
#include <string_view>

#include "gradus/contract/entry.hpp"

namespace gradus {

class AnyLearner {
 public:
  explicit AnyLearner(std::string_view name);  // Error{usage} with the nearest names if unknown
  explicit AnyLearner(const Entry& entry);

  template <NamedLearner L>
  AnyLearner(const L& learner)
      : AnyLearner(gradus::entry<L>(), static_cast<const void*>(&learner)) {}

  AnyLearner(const AnyLearner& other);
  AnyLearner(AnyLearner&& other) noexcept;
  AnyLearner& operator=(const AnyLearner& other);
  AnyLearner& operator=(AnyLearner&& other) noexcept;
  ~AnyLearner();

  const Entry& entry() const { return *entry_; }
  // What it takes and gives with its present parameters.
  const Info& info() const { return info_; }
  const ParamTable& params() const { return entry_->params; }
  ParamValues values() const { return entry_->values(learner_.get()); }
  const void* address() const { return learner_.get(); }

  // Sets one parameter by canonical name or alias; checks name, type, bounds and choices.
  void set(std::string_view name, const Value& value);
  // As typed by a user: "0.5", "none", "a,b".
  void set_text(std::string_view name, std::string_view text);

  // Every value against its description, for learners that were built as structs.
  void check_values() const;

 private:
  AnyLearner(const Entry& entry, const void* learner);  // copies it
  AnyLearner(const Entry& entry, std::shared_ptr<void> learner);

  const Entry* entry_;
  std::shared_ptr<void> learner_;  // shared between copies until one of them is changed
  Info info_;
};

}  // namespace gradus
