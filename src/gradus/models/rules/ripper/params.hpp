// RIPPER: rules for one class after the other, each grown, pruned, and then improved.
//
// The classes are taken from the rarest on; the most frequent one is the default. For a class,
// rules are grown on two thirds of the rows that are left and pruned on the third, until the bits
// that say the rules and their exceptions rise by 64 above the least, or a rule errs in half of its
// rows. Then every rule is grown again, anew and from where it stands, and the version that needs
// the fewest bits stays (Cohen: "Fast effective rule induction", 1995).
//
//   auto model = fit(Ripper{}, train, "species");
#pragma once

#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"

namespace gradus {

struct RipperModel;

struct Ripper {
  using Model = RipperModel;

  int folds = 3;
  double min_weight = 2;
  int optimizations = 2;
  bool pruning = true;

  static constexpr Info info{
      .name = "ripper",
      .family = "rules",
      .summary =
          "A short list of rules for one class after the other, grown, pruned and improved "
          "(RIPPER).",
      .tasks = Task::classify,
      .accepts = Flags<Accept>(Accept::numeric) | Accept::nominal | Accept::ordinal |
                 Accept::missing | Accept::weights | Accept::validation,
      .gives = Flags<Give>(Give::probabilities) | Give::explains_fit | Give::explains_row};

  template <class L = Ripper>
  static constexpr auto describe() {
    return Members{
        param(&L::folds, "folds",
              "One of so many dealt parts of the rows prunes what the others grew; validation rows "
              "prune "
              "in its place.")
            .at_least(2),
        param(&L::min_weight, "min_weight",
              "The least weight (number of rows) of its class that a rule covers.")
            .at_least(0)
            .aka("min_no"),
        param(&L::optimizations, "optimizations", "How often all rules of a class are improved.")
            .at_least(0)
            .aka("k"),
        param(&L::pruning, "pruning",
              "Whether rules are pruned; else they are grown on all rows.")};
  }

  void check(const TrainTask& task) const;
  Model fit(const TrainTask& task, const Context& context) const;
};

}  // namespace gradus
