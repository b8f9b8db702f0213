// Learning in parts is fitting the first part and updating with every other one.
#include "gradus/api/fit_in_parts.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "gradus/core/error.hpp"
#include "gradus/models/bayes/naive_bayes/params.hpp"
#include "gradus/models/linear/linear_regression/params.hpp"
#include "gradus/models/linear/sgd/params.hpp"
#include "support/temporary_directory.hpp"

namespace gradus {
namespace {

// The last class and the last city occur only near the end.
std::string rows_text(std::size_t rows) {
  std::string text = "x,z,city,y\n";
  for (std::size_t i = 0; i < rows; ++i) {
    const bool late = i * 10 > rows * 9;
    text += fmt::format("{},{},{},{}\n", static_cast<double>(i % 13) / 10,
                        static_cast<double>(i % 7) / 10,
                        late         ? "rome"
                        : i % 3 == 0 ? "bonn"
                                     : "oslo",
                        late && i % 2 == 0 ? "b" : (i % 13 > 6 ? "c" : "a"));
  }
  return text;
}

class FitInParts : public testing::Test {
 protected:
  PartsFit learned(const AnyLearner& learner, std::size_t rows, const FitOptions& options,
                   const PartsOptions& how = {}, int threads = 1) const {
    const Context context{.threads = threads};
    TableParts parts(file_, {}, rows, context);
    return fit_in_parts(learner, parts, options, how, context);
  }
  std::string error_of(const AnyLearner& learner, const FitOptions& options) const {
    try {
      learned(learner, 100, options);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  TemporaryDirectory folder_;
  std::string file_ = folder_.file("t.csv", rows_text(1000));
  FitOptions target_ = {.target = {"y"}};
};

TEST_F(FitInParts, counts_are_those_of_the_whole_table) {
  const AnyModel whole = fit(NaiveBayes{}, read_table(file_), "y");
  const PartsFit parts = learned(NaiveBayes{}, 150, target_);
  EXPECT_EQ(parts.rows, 1000U);
  EXPECT_EQ(parts.parts, 7U);
  EXPECT_EQ(parts.last.rows(), 100U);
  EXPECT_EQ(parts.model.provenance().rows, 1000);
  EXPECT_EQ(parts.model.signature().classes, whole.signature().classes);
  const Predictions a = whole.predict(read_table(file_));
  const Predictions b = parts.model.predict(read_table(file_));
  for (std::size_t i = 0; i < a.values.size(); ++i) ASSERT_NEAR(a.values[i], b.values[i], 1e-9);
}

TEST_F(FitInParts, sgd_passes_once_over_each_part) {
  const PartsFit one = learned(Sgd{}, 100, target_);
  const Value fitted = one.model.fitted();  // a range does not keep what it is taken from
  for (const auto& [label, steps] : fitted.at("steps").as_object()) {
    EXPECT_EQ(steps.as_number(), 1000) << label;
  }
  const PartsFit two = learned(Sgd{}, 100, target_, {.passes = 2});
  EXPECT_EQ(two.model.fitted().at("steps").at("a").as_number(), 2000);
  EXPECT_EQ(two.rows, 1000U);
}

TEST_F(FitInParts, the_number_of_threads_changes_nothing) {
  const std::string one = learned(Sgd{}, 130, target_, {}, 1).model.fingerprint();
  EXPECT_EQ(learned(Sgd{}, 130, target_, {}, 2).model.fingerprint(), one);
  EXPECT_EQ(learned(Sgd{}, 130, target_, {}, 5).model.fingerprint(), one);
}

TEST_F(FitInParts, a_category_of_a_later_part_has_its_own_feature) {
  const PartsFit done = learned(Sgd{}, 100, target_);
  bool rome = false;
  for (const FeatureName& feature : done.model.signature().features) {
    rome = rome || feature.name == "city=rome";
  }
  EXPECT_TRUE(rome);
}

TEST_F(FitInParts, classes_may_be_known_beforehand) {
  FitOptions options = target_;
  options.classes = {"c", "b", "a", "never"};
  EXPECT_EQ(learned(Sgd{}, 100, options).model.signature().classes, options.classes);
  options.classes = {"a", "c"};
  const std::string error = error_of(Sgd{}, options);
  EXPECT_NE(error.find("the class \"b\""), std::string::npos) << error;
  EXPECT_NE(error.find("rows are counted from row 901"), std::string::npos) << error;
}

TEST_F(FitInParts, a_learner_that_cannot_names_those_that_can) {
  FitOptions options;
  options.target = {"x"};
  const std::string error = error_of(LinearRegression{}, options);
  EXPECT_NE(error.find("linear_regression cannot learn in parts"), std::string::npos) << error;
  EXPECT_NE(error.find("naive_bayes"), std::string::npos) << error;
  EXPECT_NE(error.find("sgd"), std::string::npos) << error;
}

TEST_F(FitInParts, numbers_are_learned_too) {
  FitOptions options;
  options.target = {"x"};
  options.ignore = {"y"};
  const PartsFit done = learned(Sgd{}, 250, options);
  EXPECT_EQ(done.model.signature().task, Task::regress);
  EXPECT_EQ(done.parts, 4U);
}

}  // namespace
}  // namespace gradus
