// The tasks that a learner over any learner sets the chosen one: some rows, some columns, and
// classes of its own making.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gradus/contract/train_task.hpp"
#include "gradus/core/context.hpp"
#include "gradus/core/random.hpp"
#include "gradus/models/any_learner.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

// A task with everything that it refers to.
struct InnerTask {
  Features features;
  Signature signature;
  std::vector<std::int32_t> classes;
  std::vector<double> numbers;
  std::vector<double> weights;
  std::uint64_t copied = 0;  // bytes of the features, where they are not the outer ones

  // What a fit to this task may still take: the copy stays while it runs.
  Context beside(const Context& context) const;
  TrainTask task() const { return {features, signature, classes, numbers, weights}; }
};

// What of the outer task goes into the inner one.
struct InnerChoice {
  std::vector<std::uint32_t> rows = {};    // ascending; may repeat
  std::vector<double> times = {};          // what each row weighs beside its own weight; empty: 1
  std::vector<std::int32_t> columns = {};  // ascending; empty: all
  std::vector<std::int32_t> codes = {};    // of each outer class; empty: its own
  std::vector<std::string> class_names = {};  // of the inner classes, when there are codes
};

// Gives the chosen rows the classes that they have: sets the codes and their names, and returns the
// outer class of each inner one, ascending. Rows drawn from a table may lack classes.
std::vector<std::int32_t> choose_classes(InnerChoice& choice, const TrainTask& outer);

InnerTask inner_task(const TrainTask& outer, const InnerChoice& choice, const Context& context);

// The signature alone: what a restored inner model is checked against.
Signature inner_signature(const Signature& outer, const std::vector<std::int32_t>& columns,
                          const std::vector<std::string>& class_names);

// The rows that weigh something.
std::vector<std::uint32_t> weighing_rows(const TrainTask& task);

// The seed of a learner that has one.
std::optional<Seed> seed_of(const AnyLearner& learner);

// The learner with another seed, if it has one.
AnyLearner with_seed(AnyLearner learner, Seed seed);

// What a learner over `base` is: its own name and doings, but the tasks, the inputs and the
// encoding that the base has, so that the rows are prepared for the base.
Info info_over(const Info& own, const Info& base);

// What inner fits that run side by side tell: the first few record for themselves and are told in
// their order, the others are silent. Nobody but the outer fit reports progress.
class InnerTraces {
 public:
  InnerTraces(const Context& outer, std::size_t told);

  // As many fits run side by side, as far as there are threads: each has its part of the memory.
  void share_memory(std::size_t fits);

  bool tells(std::size_t i) const { return i < recorders_.size(); }
  Context context(std::size_t i);
  void replay(std::size_t i, const std::string& path) const;

 private:
  Context outer_;
  std::vector<Recorder> recorders_;
};

}  // namespace gradus
