// What becomes of a column whose levels have an order.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gradus/api/fit.hpp"
#include "gradus/api/save.hpp"
#include "gradus/core/error.hpp"
#include "gradus/models/catalogue.hpp"
#include "gradus/models/tree/cart/params.hpp"
#include "gradus/models/tree/decision_tree/params.hpp"
#include "gradus/models/tree/id3/params.hpp"
#include "gradus/trace/trace.hpp"
#include "support/temporary_directory.hpp"

namespace gradus {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::vector<std::string> kSizes = {"tiny", "small", "medium", "large", "huge"};

// By the order of the letters the sizes stand in another order than by size.
Dataset sizes() {
  std::vector<std::int32_t> size;
  std::vector<double> noise;
  std::vector<std::int32_t> fits;
  for (std::int32_t i = 0; i < 60; ++i) {
    size.push_back(i % 5);
    noise.push_back(static_cast<double>(i * 37 % 11));
    fits.push_back(i % 5 <= 2 ? 1 : 0);
  }
  return Dataset({Column::ordinal("size", size, kSizes), Column::numeric("noise", noise),
                  Column::nominal("fits", fits, {"no", "yes"})});
}

Dataset asked(const std::string& size) {
  return Dataset(
      {Column::nominal("size", {0}, {size}), Column::numeric("noise", std::vector<double>{3})});
}

std::string rules_of(const AnyModel& model) { return to_json(model.fitted()); }

TEST(Ordinal, a_tree_asks_by_the_order_and_says_the_names_of_the_levels) {
  Recorder trace;
  Context context;
  context.trace = &trace;
  const AnyModel model = fit(DecisionTree{}, sizes(), "fits", context);
  EXPECT_THAT(rules_of(model), HasSubstr("IF size <= medium THEN yes"));
  EXPECT_THAT(rules_of(model), HasSubstr("IF size > medium THEN no"));
  const Step& root = trace.steps().front();
  EXPECT_EQ(root.values.at("chosen").as_string(), "size <= medium");
  EXPECT_EQ(root.values.at("thresholds").at("size").as_array()[1].at("level").as_string(), "small");
  Recorder row;
  model.explain_row(asked("small"), 0, row);
  EXPECT_EQ(row.steps().front().values.at("row").as_string(), "size = small");
}

TEST(Ordinal, every_learner_that_takes_orders_gets_the_places_of_the_levels) {
  std::size_t learners = 0;
  for (const Entry* entry : catalogue()) {
    AnyLearner learner(*entry);
    if (!learner.info().accepts.has(Accept::ordinal)) continue;
    ++learners;
    SCOPED_TRACE(entry->info.name);
    const AnyModel model = fit(learner, sizes(), {.target = {"fits"}}, {});
    const FeatureName name = model.signature().features[0];
    EXPECT_FALSE(name.nominal);
    EXPECT_EQ(std::vector<std::string>(name.order.begin(), name.order.end()), kSizes);
    EXPECT_THAT(rules_of(model), Not(HasSubstr("size in {")));
    const Dataset data = sizes();
    const Predictions said = model.predict(data, {}, {.extra = Extra::ignore});
    std::size_t wrong = 0;
    for (std::size_t row = 0; row < data.rows(); ++row) {
      const auto truth = static_cast<std::size_t>(data.column("fits").code(row));
      wrong += said.label(row) != truth ? 1 : 0;
    }
    EXPECT_EQ(wrong, 0U);
  }
  EXPECT_GE(learners, 12U);
}

TEST(Ordinal, learners_of_categories_keep_them_and_an_encoding_is_obeyed) {
  Dataset data = sizes().without("noise");
  const AnyModel by_levels = fit(Id3{}, data, "fits");
  EXPECT_TRUE(by_levels.signature().features[0].nominal);
  FitOptions options{.target = {"fits"}};
  options.prepare.encode = Encoding::one_hot;
  const AnyModel encoded = fit(AnyLearner(DecisionTree{}), data, options, {});
  EXPECT_EQ(encoded.signature().features.size(), 5U);
}

TEST(Ordinal, a_level_that_training_never_saw_is_missing_or_refused) {
  const AnyModel model = fit(DecisionTree{}, sizes(), "fits");
  const Predictions said = model.predict(asked("gigantic"), {}, {});
  EXPECT_EQ(said.unseen.columns.at(0).example, "gigantic");
  Recorder row;
  model.explain_row(asked("gigantic"), 0, row);
  EXPECT_EQ(row.steps().front().values.at("row").as_string(), "size is missing");
  FitOptions options{.target = {"fits"}};
  options.prepare.unseen = Unseen::error;
  const AnyModel strict = fit(AnyLearner(DecisionTree{}), sizes(), options, {});
  EXPECT_THROW(strict.predict(asked("gigantic"), {}, {}), Error);
}

TEST(Ordinal, missing_levels_are_parted_like_missing_numbers) {
  const Dataset data(
      {Column::ordinal("size", {0, 1, 2, kMissingCode, kMissingCode, 1}, {"S", "M", "L"}),
       Column::nominal("y", {0, 0, 0, 1, 1, 0}, {"no", "yes"})});
  const AnyModel model = fit(DecisionTree{}, data, "y");
  EXPECT_THAT(rules_of(model), HasSubstr("IF size is not missing THEN no"));
  EXPECT_THAT(rules_of(model), HasSubstr("IF size is missing THEN yes"));
}

TEST(Ordinal, a_saved_model_keeps_the_order) {
  const TemporaryDirectory folder;
  const AnyModel model = fit(Cart{}, sizes(), "fits");
  save(model, folder.path("m.gradus"));
  const AnyModel loaded = load(folder.path("m.gradus"));
  EXPECT_EQ(rules_of(loaded), rules_of(model));
  EXPECT_EQ(loaded.fingerprint(), model.fingerprint());
}

}  // namespace
}  // namespace gradus
