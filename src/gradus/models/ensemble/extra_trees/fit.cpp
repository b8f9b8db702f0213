#include "gradus/blocks/forest/forest.hpp"
#include "gradus/blocks/splitter/criterion.hpp"
#include "gradus/contract/entry_impl.hpp"
#include "gradus/models/ensemble/extra_trees/params.hpp"

namespace gradus {

template const Entry& entry<ExtraTrees>();

void ExtraTrees::check(const TrainTask& task) const {
  check_criterion(forest.criterion, task);
  check_columns_tried(forest.max_features, task.features.cols());
  check_analysis(analysis, task);
}

ForestModel ExtraTrees::fit(const TrainTask& task, const Context& context) const {
  return fit_forest({.n_estimators = n_estimators,
                     .bootstrap = bootstrap,
                     .params = forest,
                     .thresholds = Thresholds::random},
                    analysis, task, context);
}

}  // namespace gradus
