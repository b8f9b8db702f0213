// The numbered steps of a fit or a prediction, with the real numbers in the formulas.
//
// A learner emits plain event structs (its `events.hpp`) only when `context.trace` is set, per
// node, per iteration or per step and never inside the innermost loop; its `explain.cpp` turns each
// event into a Step. The fit itself is the same code with and without a trace, so the steps end in
// exactly the model that the fast path gives: the conformance suite compares the bytes.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "gradus/core/value.hpp"

namespace gradus {

struct Step {
  std::size_t number = 0;    // 1, 2, 3, ... in the order of the work
  std::string title = {};    // "Choose the attribute at the root"
  std::string path = {};     // where in the work: "tree/outlook=sunny", "iteration 3"
  std::string formula = {};  // the textbook formula with the numbers filled in
  Value values = {};         // every number that the formula shows, by name
  std::string text = {};     // the conclusion in one or two sentences
};

// Where steps go. Implementations must not throw.
class Trace {
 public:
  virtual ~Trace() = default;
  // Numbers the step and keeps it.
  virtual void add(Step step) = 0;
  // False once enough was kept: emitters may then skip the work of building steps.
  virtual bool wants_more() const { return true; }
};

// Keeps the steps in memory, up to a limit that a person could still read.
class Recorder : public Trace {
 public:
  explicit Recorder(std::size_t limit = 100000) : limit_(limit) {}
  void add(Step step) override;
  bool wants_more() const override { return steps_.size() < limit_; }
  const std::vector<Step>& steps() const { return steps_; }
  std::size_t dropped() const { return dropped_; }

 private:
  std::size_t limit_;
  std::size_t dropped_ = 0;
  std::vector<Step> steps_;
};

Value to_value(const Step& step);

}  // namespace gradus
