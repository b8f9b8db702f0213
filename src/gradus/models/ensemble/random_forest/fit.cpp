#include "gradus/blocks/forest/forest.hpp"
#include "gradus/blocks/splitter/criterion.hpp"
#include "gradus/contract/entry_impl.hpp"
#include "gradus/models/ensemble/random_forest/params.hpp"

namespace gradus {

template const Entry& entry<RandomForest>();

void RandomForest::check(const TrainTask& task) const {
  check_criterion(forest.criterion, task);
  check_columns_tried(forest.max_features, task.features.cols());
  check_analysis(analysis, task);
}

ForestModel RandomForest::fit(const TrainTask& task, const Context& context) const {
  return fit_forest({.n_estimators = n_estimators, .bootstrap = bootstrap, .params = forest},
                    analysis, task, context);
}

}  // namespace gradus
