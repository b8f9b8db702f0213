// Growing a forest: trees side by side, each from its own stream of random numbers, so that tree t
// is the same whatever thread grows it; and the rows that a tree did not draw, which test it.
//
//   ForestGrower grower({.n_estimators = 100, .params = forest}, task, context);
//   ForestModel model = grower.grow();
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "gradus/blocks/forest/forest_analysis.hpp"
#include "gradus/blocks/forest/forest_model.hpp"
#include "gradus/blocks/forest/forest_params.hpp"
#include "gradus/blocks/splitter/class_grow.hpp"
#include "gradus/blocks/splitter/exact_grow.hpp"
#include "gradus/core/context.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {

struct ForestPlan {
  int n_estimators = 100;
  bool bootstrap = true;
  ForestParams params = {};
  Thresholds thresholds = Thresholds::best;
};

// The rows that one tree did not draw, ascending, and where each of them ends.
struct LeftOut {
  std::vector<std::uint32_t> rows;
  std::vector<std::int32_t> leaf;
  // The only class of that leaf, -1 when it has several; empty when leaves do not name theirs.
  std::vector<std::int32_t> only_class;
};

class ForestGrower {
 public:
  ForestGrower(const ForestPlan& plan, const TrainTask& task, const Context& context);
  // The same with another table of the same rows.
  ForestGrower(const ForestPlan& plan, const TrainTask& task, RankedTable table,
               const Context& context);

  // Trees and importances; the out-of-bag error when there is one.
  ForestModel grow();

  const RankedTable& table() const { return table_; }
  const TrainTask& task() const { return task_; }
  const ForestPlan& plan() const { return plan_; }
  const Context& context() const { return context_; }
  // Rows that weigh anything.
  std::span<const std::uint32_t> rows() const { return rows_; }
  // How often a tree drew each row.
  std::vector<double> draws(std::size_t tree) const;
  // Grows a tree once more, the same one, while somebody looks on.
  ExactTree watch(std::size_t tree, TreeCriterion criterion,
                  const std::function<void(const NodeEvent&)>& observe) const;
  // By tree, after grow(); empty without a bootstrap.
  const std::vector<LeftOut>& left_out() const { return left_out_; }

 private:
  struct Grown {
    ExactTree tree;
    LeftOut left_out;
  };
  struct Errors;
  struct Votes;

  void order_by_content();
  std::uint32_t draw(Stream& stream) const;
  // What each row weighs in a tree; those that it did not draw stand in `left`.
  std::vector<double> weights_in(std::size_t tree, LeftOut& left) const;
  ExactOptions options(std::size_t tree, TreeCriterion criterion,
                       std::span<const double> weights) const;
  void route_left_out(const ClassTree& grown, LeftOut& left) const;
  Grown grow_tree(std::size_t tree, TreeCriterion criterion) const;
  void join(std::vector<Grown>& grown, Trees& trees) const;
  void measure_out_of_bag(ForestModel& model) const;
  Errors errors_of(const Trees& trees, parallel::Block block) const;
  double loss(std::size_t row, const Votes& votes) const;

  ForestPlan plan_;
  const TrainTask& task_;
  Context context_;
  RankedTable table_;
  std::vector<double> weights_;
  std::vector<std::uint32_t> rows_;  // with weight; for a bootstrap in the order of their contents
  std::vector<double> reached_;      // the sum of the weights up to each of them
  bool whole_ = true;                // all weights are whole numbers
  std::vector<LeftOut> left_out_;
};

// A whole fit: the trees, what the analysis asks for, and the story when there is a trace.
ForestModel fit_forest(const ForestPlan& plan, const ForestAnalysis& analysis,
                       const TrainTask& task, const Context& context);

}  // namespace gradus
