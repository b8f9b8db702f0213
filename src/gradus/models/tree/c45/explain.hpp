// The steps of C4.5: at every node the gain, the split information and the gain ratio of each
// column, the one that was chosen, why a leaf is a leaf; then every cut of the pruning.
#pragma once

#include <functional>
#include <optional>

#include "gradus/blocks/branching/branch_grow.hpp"
#include "gradus/blocks/branching/branch_prune.hpp"
#include "gradus/blocks/branching/branch_words.hpp"
#include "gradus/blocks/branching/fill_table.hpp"
#include "gradus/models/tree/c45/model.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

// Tells nothing, and costs nothing, without a trace.
class C45Story {
 public:
  C45Story(const C45& learner, const Signature& signature, Trace* trace)
      : learner_(learner), signature_(signature), trace_(trace) {}

  std::function<void(const BranchEvent&)> observer();
  // The tree must live as long as what is returned.
  ObserveCut cut_observer(const BranchTree& grown);
  std::function<void(const ReducedErrorEvent&)> reduced_error_observer(const BranchTree& grown);
  void fill(const FilledTable& filled);
  void finish(const C45Model& model);

 private:
  bool listens() const { return trace_ != nullptr && trace_->wants_more(); }
  void tell(const BranchEvent& event);
  void add_candidates(const BranchEvent& event, Step& step) const;
  std::string leaf_text(const BranchEvent& event) const;

  const C45& learner_;
  const Signature& signature_;
  Trace* trace_;
  std::optional<BranchWords> words_;
};

}  // namespace gradus
