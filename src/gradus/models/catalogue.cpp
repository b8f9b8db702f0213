#include "gradus/models/catalogue.hpp"

#include <string>
#include <vector>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/models/learners.hpp"

namespace gradus {

std::span<const Entry* const> catalogue() {
  // One line per learner.
  // clang-format off
  static const std::vector<const Entry*> all = {
      &entry<Baseline>(),
      &entry<LinearRegression>(),
      &entry<KMeans>(),
      &entry<Id3>(),
      &entry<NaiveBayes>(),
      &entry<LogisticRegression>(),
      &entry<LinearSvm>(),
      &entry<Perceptron>(),
      &entry<Sgd>(),
      &entry<Lda>(),
      &entry<Ridge>(),
      &entry<Lasso>(),
      &entry<ElasticNet>(),
      &entry<GradientBoosting>(),
      &entry<DecisionTree>(),
      &entry<RandomForest>(),
      &entry<Bagging>(),
      &entry<OneVsRest>(),
      &entry<OneVsOne>(),
      &entry<Ecoc>(),
      &entry<LabelPartition>(),
      &entry<Calibrated>(),
      &entry<Pipeline>(),
      &entry<DecisionStump>(),
      &entry<C45>(),
      &entry<Cart>(),
      &entry<OneR>(),
      &entry<Rules>(),
      &entry<Ripper>(),
      &entry<ExtraTrees>(),
      &entry<IsolationForest>(),
      &entry<AdaBoost>(),
      &entry<LogitBoost>(),
      &entry<BoostByFiltering>(),
      &entry<Qda>(),
      &entry<FisherDiscriminant>(),
      &entry<LeastSquaresClassifier>(),
      &entry<PolynomialRegression>(),
      &entry<BasisRegression>(),
      &entry<GeneralisedLeastSquares>(),
      &entry<TotalLeastSquares>(),
      &entry<PartialLeastSquares>(),
      &entry<BayesianLinearRegression>(),
      &entry<RobustRegression>(),
      &entry<StepwiseRegression>(),
      &entry<BridgeRegression>(),
      &entry<GroupLasso>(),
  };
  // clang-format on
  return all;
}

const Entry& find_learner(std::string_view name) {
  std::vector<std::string> names;
  for (const Entry* candidate : catalogue()) {
    if (candidate->info.name == name) return *candidate;
    names.emplace_back(candidate->info.name);
  }
  std::string hint = did_you_mean(name, names);
  if (hint.empty()) hint = "`gradus list` shows the learners";
  throw Error(ErrorKind::usage, "", "there is no learner " + in_quotes(name), hint);
}

}  // namespace gradus
