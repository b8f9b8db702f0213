#include "gradus/api/fit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gradus/core/error.hpp"
#include "gradus/models/baseline/baseline/model.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Dataset colours() {
  return Dataset({Column::numeric("size", std::vector<double>{1, 2, kNaN, 4}),
                  Column::nominal("colour", {0, 1, 1, kMissingCode}, {"blue", "red"}),
                  Column::numeric("price", std::vector<double>{10, 20, 30, 60}),
                  Column::nominal("sold", {0, 1, 1, 1}, {"no", "yes"})});
}

// A learner that takes plain numbers, to see what the adapters make of a table.
constexpr Info kNumbersOnly{.name = "numbers_only",
                            .family = "test",
                            .summary = "",
                            .tasks = Task::regress,
                            .accepts = Accept::numeric,
                            .gives = {}};

std::vector<double> prepared_rows(const PrepareOptions& options, const TargetNumbers& target = {}) {
  const Dataset data = colours();
  const Preparation plan =
      plan_preparation(kNumbersOnly, data, {"size", "colour"}, options, target, Context{});
  const Features features = plan.apply(data, Extra::ignore, nullptr);
  std::vector<double> scratch;
  const RowBlock block = features.block(0, data.rows(), scratch);
  return {block.data, block.data + block.rows * block.cols};
}

TEST(Preparation, numbers_are_imputed_by_the_mean_and_categories_become_indicators) {
  const double mean = 1 + 4.0 / 3;
  EXPECT_EQ(prepared_rows({}), (std::vector<double>{1, 1, 0, 2, 0, 1, mean, 0, 1, 4, 0, 1}));
}

TEST(Preparation, means_deviations_modes_and_target_means_count_the_weights) {
  const double gap = std::numeric_limits<double>::quiet_NaN();
  const Dataset data({Column::numeric("x", std::vector<double>{1, 5, gap, 1e300}),
                      Column::nominal("c", {0, 1, kMissingCode, 1}, {"p", "q"})});
  const std::vector<double> weights = {3, 1, 1, 0};
  const Preparation plan = plan_preparation(
      kNumbersOnly, data, {"x", "c"}, {.encode = Encoding::target, .standardize = true},
      {.values = {10, 20, 30, 1e9}, .weights = weights}, Context{});
  EXPECT_DOUBLE_EQ(plan.features[0].fill, 2);
  EXPECT_DOUBLE_EQ(plan.features[0].shift, 2);
  EXPECT_DOUBLE_EQ(plan.features[0].scale, 1 / std::sqrt(3.0));
  const double overall = (3 * 10 + 20 + 30) / 5.0;
  EXPECT_DOUBLE_EQ(plan.features[1].table[0], (10 * overall + 30) / 13);
  EXPECT_DOUBLE_EQ(plan.features[1].fill, plan.features[1].table[0]);
}

TEST(Preparation, dummy_ordinal_and_target_encoding_do_what_they_say) {
  const double mean = 1 + 4.0 / 3;
  EXPECT_EQ(prepared_rows({.encode = Encoding::dummy}),
            (std::vector<double>{1, 0, 2, 1, mean, 1, 4, 1}));
  EXPECT_EQ(prepared_rows({.encode = Encoding::ordinal}),
            (std::vector<double>{1, 0, 2, 1, mean, 1, 4, 1}));
  const std::vector<double> encoded =
      prepared_rows({.encode = Encoding::target}, {{10, 20, 30, 60}});
  EXPECT_DOUBLE_EQ(encoded[1], (10 * 30.0 + 10) / 11);
  EXPECT_DOUBLE_EQ(encoded[3], (10 * 30.0 + 50) / 12);
}

TEST(Preparation, standardised_columns_have_mean_zero_and_constant_ones_stay_finite) {
  const Dataset data({Column::numeric("x", std::vector<double>{1, 2, 3}),
                      Column::numeric("c", std::vector<double>{14.62, 14.62, 14.62})});
  const Preparation plan =
      plan_preparation(kNumbersOnly, data, {"x", "c"}, {.standardize = true}, {}, Context{});
  const Features features = plan.apply(data, Extra::ignore, nullptr);
  EXPECT_NEAR(features.column(0)[0], -1.224744871391589, 1e-15);
  EXPECT_EQ(features.column(1), (std::vector<double>{0, 0, 0}));
}

TEST(Preparation, missing_cells_are_refused_when_asked) {
  EXPECT_THROW(prepared_rows({.missing = Missing::error}), Error);
}

TEST(Predict, columns_are_matched_by_name_in_any_order) {
  const AnyModel model = fit(Baseline{}, colours(), "price");
  const Dataset data = colours();
  const std::vector<std::string> reversed = {"sold", "colour", "size"};
  EXPECT_EQ(model.predict(data.select(reversed)).values, (std::vector<double>(4, 30.0)));
}

TEST(Predict, missing_and_unknown_columns_are_both_listed) {
  const AnyModel model = fit(Baseline{}, colours(), "price");
  const Dataset other = colours().without("size").with_column(
      Column::numeric("siez", std::vector<double>{1, 2, 3, 4}));
  try {
    model.predict(other);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "missing columns: \"size\"; unknown columns: \"siez\"");
  }
}

TEST(Predict, unseen_categories_are_treated_as_missing_and_counted) {
  const AnyModel model = fit(Baseline{}, colours(), "price");
  const Dataset other = colours().with_column(Column::nominal("colour", {0, 0, 0, 0}, {"green"}));
  const Predictions predictions = model.predict(other);
  ASSERT_EQ(predictions.unseen.columns.size(), 1U);
  EXPECT_EQ(predictions.unseen.columns[0].rows, 4U);
  EXPECT_EQ(predictions.unseen.columns[0].example, "green");
}

TEST(Target, number_coded_classes_are_classes_and_continuous_ones_are_refused) {
  AnyLearner baseline = Baseline{};
  FitOptions options{.target = {"y"}, .task = Task::classify};
  const Dataset coded({Column::numeric("y", std::vector<double>{2, 10, 2, 1})});
  EXPECT_EQ(fit(baseline, coded, options).signature().classes,
            (std::vector<std::string>{"1", "2", "10"}));
  const Dataset continuous({Column::numeric("y", std::vector<double>{0.1, 0.2, 0.3, 0.4})});
  EXPECT_THROW(fit(baseline, continuous, options), Error);
}

TEST(Fit, names_what_is_wrong_before_any_work) {
  const auto message = [](const FitOptions& options) -> std::string {
    try {
      fit(AnyLearner("baseline"), colours(), options);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message({.target = {"prize"}}).find("did you mean \"price\"?"), std::string::npos);
  EXPECT_NE(message({}).find("name the column to predict with --target"), std::string::npos);
  EXPECT_NE(message({.target = {"price"}, .features = {"price"}}).find("is the target"),
            std::string::npos);
  EXPECT_NE(message({.target = {"price"}, .weights = "colour"}).find("not numeric"),
            std::string::npos);
  EXPECT_NE(message({.target = {"price"}, .weights = "price"}).find("is the target"),
            std::string::npos);
  EXPECT_NE(message({.target = {"colour"}, .features = {"price"}, .weights = "price"})
                .find("is a feature and cannot hold the weights too"),
            std::string::npos);
}

TEST(Fit, a_traced_fit_gives_the_same_fingerprint) {
  Recorder recorder;
  Context context;
  context.trace = &recorder;
  const AnyModel traced = fit(Baseline{}, colours(), "sold", context);
  EXPECT_EQ(traced.fingerprint(), fit(Baseline{}, colours(), "sold").fingerprint());
  ASSERT_EQ(recorder.steps().size(), 1U);
  EXPECT_EQ(recorder.steps()[0].formula, "P(no) = 1/4 = 0.25,  P(yes) = 3/4 = 0.75");
}

TEST(Fit, the_model_comes_back_from_its_archive) {
  const Fitted<Baseline> model = fit(Baseline{}, colours(), "sold");
  const AnyModel back = from_archive(to_archive(model));
  EXPECT_EQ(back.fingerprint(), model.fingerprint());
  EXPECT_EQ(model.model().answer, (std::vector<double>{0.25, 0.75}));
}

}  // namespace
}  // namespace gradus
