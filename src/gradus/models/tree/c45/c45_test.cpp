#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <optional>

#include "gradus/api/fit.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"
#include "gradus/models/tree/c45/model.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {
namespace {

using testing::HasSubstr;

constexpr double kDigits = 1e-8;
constexpr double kHole = std::numeric_limits<double>::quiet_NaN();

struct Traced {
  AnyModel model;
  Recorder trace;

  const Value& values(const std::string& path) const {
    for (const Step& step : trace.steps()) {
      if (step.path == path) return step.values;
    }
    throw Error(ErrorKind::internal, path, "no such step");
  }
};

Traced grow(const Dataset& data, const std::string& target, const C45& learner = {}) {
  Recorder trace;
  Context context;
  context.trace = &trace;
  AnyModel model = fit(learner, data, target, context);
  return {std::move(model), std::move(trace)};
}

Column words(const std::string& name, const std::vector<std::string>& cells) {
  std::vector<std::optional<std::string>> texts;
  for (const std::string& cell : cells) {
    texts.push_back(cell.empty() ? std::nullopt : std::optional(cell));
  }
  return categorical_from_texts(name, texts);
}

const std::vector<std::string> kOutlook = {"sunny", "sunny",    "overcast", "rainy", "rainy",
                                           "rainy", "overcast", "sunny",    "sunny", "rainy",
                                           "sunny", "overcast", "overcast", "rainy"};
const std::vector<std::string> kWindy = {"false", "true", "false", "false", "false",
                                         "true",  "true", "false", "false", "false",
                                         "true",  "true", "false", "true"};
const std::vector<std::string> kPlay = {"no", "no",  "yes", "yes", "yes", "no",  "yes",
                                        "no", "yes", "yes", "yes", "yes", "yes", "no"};

Dataset weather(std::vector<double> humidity = {85, 90, 86, 96, 80, 70, 65, 95, 70, 80, 70, 90, 75,
                                                91}) {
  return Dataset({words("outlook", kOutlook),
                  Column::numeric("temperature", std::vector<double>{85, 80, 83, 70, 68, 65, 64, 72,
                                                                     69, 75, 75, 72, 81, 71}),
                  Column::numeric("humidity", std::move(humidity)), words("windy", kWindy),
                  words("play", kPlay)});
}

TEST(C45, the_parts_of_a_gain_add_up_to_it) {
  const Traced run = grow(weather(), "play");
  const Value& root = run.values("tree");
  const Value& gains = root.at("gains");
  const double charge = root.at("charges").at("humidity").as_number();
  EXPECT_GT(charge, 0);
  EXPECT_EQ(root.at("charges").find("outlook"), nullptr);
  const double left = root.at("entropy").as_number() - gains.at("humidity").as_number() - charge;
  EXPECT_NEAR(root.at("remainders").at("humidity").as_number(), left, kDigits);
  EXPECT_THAT(run.trace.steps()[0].formula, HasSubstr("− log₂("));
  const Traced plain = grow(weather(), "play", {.mdl_correction = false});
  EXPECT_EQ(plain.values("tree").find("charges"), nullptr);
  EXPECT_EQ(plain.trace.steps()[0].formula.find("− log₂("), std::string::npos);
}

TEST(C45, lists_every_set_of_levels_and_of_many_cuts_the_best) {
  const Traced sets = grow(weather(), "play", {.nominal = NominalBranches::one_vs_rest});
  const Value& asked = sets.values("tree").at("thresholds").at("outlook");
  ASSERT_EQ(asked.size(), 3U);
  EXPECT_EQ(asked.as_array()[0].at("question").as_string(), "outlook = overcast");
  std::vector<double> x;
  std::vector<std::int32_t> y;
  for (std::size_t i = 0; i < 90; ++i) {
    x.push_back(static_cast<double>(i));
    y.push_back(i < 30 ? 0 : 1);
  }
  const Traced many =
      grow(Dataset({Column::numeric("x", x), Column::nominal("y", y, {"low", "high"})}), "y");
  const Value& cuts = many.values("tree").at("thresholds").at("x");
  ASSERT_EQ(cuts.size(), 10U);
  EXPECT_EQ(cuts.as_array()[0].at("threshold").as_number(), 29.5);
  EXPECT_THAT(many.trace.steps()[0].text, HasSubstr("the 10 best are listed"));
}

TEST(C45, says_which_cell_was_filled_with_what_and_from_which_rows) {
  std::vector<double> humidity = {85, 90, 86, 96, 80, 70, 65, 95, 70, 80, 70, 90, 75, 91};
  humidity[2] = kHole;
  const Traced mean = grow(weather(humidity), "play", {.missing = C45Missing::mean});
  const Value& usual = mean.values("missing").at("cells").as_array().at(0);
  EXPECT_EQ(usual.at("row").as_integer(), 3);
  EXPECT_EQ(usual.at("column").as_string(), "humidity");
  EXPECT_NEAR(usual.at("value").as_number(), 1057.0 / 13, kDigits);
  EXPECT_EQ(usual.find("neighbours"), nullptr);
  const Traced nearest =
      grow(weather(humidity), "play", {.missing = C45Missing::nearest, .neighbours = 2});
  const Value& near = nearest.values("missing").at("cells").as_array().at(0);
  double sum = 0;
  for (const Value& row : near.at("neighbours").as_array()) {
    sum += humidity[static_cast<std::size_t>(row.as_integer()) - 1];
  }
  EXPECT_GE(near.at("neighbours").size(), 2U);
  EXPECT_NEAR(near.at("value").as_number(), sum / static_cast<double>(near.at("neighbours").size()),
              kDigits);
}

TEST(C45, grows_the_known_tree_of_the_numeric_weather_data) {
  const Traced run = grow(weather(), "play");
  const Value& root = run.values("tree");
  EXPECT_NEAR(root.at("entropy").as_number(), 0.9402859587, kDigits);
  EXPECT_NEAR(root.at("gains").at("outlook").as_number(), 0.2467498198, kDigits);
  EXPECT_NEAR(root.at("split_informations").at("outlook").as_number(), 1.577406283, kDigits);
  EXPECT_NEAR(root.at("gain_ratios").at("outlook").as_number(), 0.1564275624, kDigits);
  EXPECT_EQ(root.at("chosen").as_string(), "outlook");
  EXPECT_EQ(run.values("tree/outlook=sunny").at("question").as_string(), "humidity <= 75");
  EXPECT_EQ(run.values("tree/outlook=rainy").at("chosen").as_string(), "windy");
  const Value fitted = run.model.fitted();
  EXPECT_EQ(fitted.at("nodes").as_integer(), 8);
  EXPECT_EQ(fitted.at("leaves").as_integer(), 5);
  EXPECT_EQ(fitted.at("rules").as_array()[0].as_string(), "IF outlook = overcast THEN yes");
}

TEST(C45, parts_a_row_whose_value_is_missing) {
  Dataset data = weather();
  std::vector<std::string> outlook = kOutlook;
  outlook[11] = "";  // the twelfth day, a yes: the example of Quinlan's chapter 3
  data = data.with_column(words("outlook", outlook));
  const Traced run = grow(data, "play", {.pruning = C45Pruning::none});
  const Value& root = run.values("tree");
  // 13/14 of the gain of the known rows, and four parts in the split information.
  EXPECT_NEAR(root.at("gains").at("outlook").as_number(), 0.199, 5e-4);
  EXPECT_NEAR(root.at("split_informations").at("outlook").as_number(), 1.809, 5e-4);
  EXPECT_NEAR(run.values("tree/outlook=sunny").at("n").as_number(), 5 + 5.0 / 13, kDigits);
  EXPECT_NEAR(run.values("tree/outlook=overcast").at("n").as_number(), 3 + 3.0 / 13, kDigits);
  EXPECT_NEAR(run.values("tree/outlook=rainy").at("n").as_number(), 5 + 5.0 / 13, kDigits);
}

TEST(C45, answers_a_missing_value_with_the_mean_over_the_branches) {
  const AnyModel model = fit(C45{}, weather(), "play");
  const Dataset asked(
      {words("outlook", {""}), Column::numeric("temperature", std::vector<double>{70}),
       Column::numeric("humidity", std::vector<double>{90}), words("windy", {"false"})});
  const Predictions said = model.predict(asked);
  // sunny (5/14) and humid: no; overcast (4/14): yes; rainy (5/14), no wind: yes.
  EXPECT_NEAR(said.row(0)[0], 5.0 / 14, 1e-12);
  EXPECT_NEAR(said.row(0)[1], 9.0 / 14, 1e-12);
  Recorder trace;
  model.explain_row(asked, 0, trace);
  EXPECT_THAT(trace.steps()[0].text, HasSubstr("parts of the row go to"));
  EXPECT_EQ(trace.steps().back().values.at("prediction").as_string(), "yes");
  // A value that is missing tells nothing, so it adds nothing.
  const Contributions parts = model.contributions(asked);
  const std::size_t width = parts.features.size() + 1;
  EXPECT_EQ(parts.values[width], 0);
  EXPECT_NEAR(std::accumulate(parts.values.begin() + static_cast<std::ptrdiff_t>(width),
                              parts.values.end(), 0.0),
              9.0 / 14, 1e-12);
}

TEST(C45, knows_every_way_with_missing_values) {
  Dataset data = weather({85, kHole, 86, 96, 80, kHole, 65, 95, 70, 80, 70, 90, kHole, 91});
  std::vector<std::string> outlook = kOutlook;
  outlook[0] = outlook[5] = "";
  data = data.with_column(words("outlook", outlook));
  for (const C45Missing missing :
       {C45Missing::fractional, C45Missing::fractional_gain, C45Missing::own_branch,
        C45Missing::most_common, C45Missing::same_class, C45Missing::mean, C45Missing::nearest,
        C45Missing::remove}) {
    const AnyModel model = fit(C45{.missing = missing, .min_weight_leaf = 1}, data, "play");
    const Predictions said = model.predict(data, {}, {.extra = Extra::ignore});
    std::size_t right = 0;
    for (std::size_t row = 0; row < said.rows; ++row) {
      EXPECT_NEAR(said.row(row)[0] + said.row(row)[1], 1, 1e-12);
      right += (said.row(row)[1] > said.row(row)[0]) == (kPlay[row] == "yes") ? 1 : 0;
    }
    EXPECT_GE(right, 9U) << static_cast<int>(missing);
  }
}

TEST(C45, a_hole_has_a_branch_of_its_own) {
  std::vector<double> x = {1, 2, 3, 4, kHole, kHole};
  const Dataset data({Column::numeric("x", x), words("y", {"a", "a", "b", "b", "c", "c"})});
  const AnyModel model =
      fit(C45{.missing = C45Missing::own_branch, .mdl_correction = false}, data, "y");
  EXPECT_EQ(model.fitted().at("leaves").as_integer(), 3);
  const Predictions said = model.predict(data, {}, {.extra = Extra::ignore});
  EXPECT_EQ(said.row(4)[2], 1);
  EXPECT_EQ(said.row(0)[0], 1);
}

TEST(C45, two_branches_for_a_category_if_asked) {
  const Dataset data({words("c", {"p", "q", "r", "s", "p", "q", "r", "s"}),
                      words("y", {"a", "b", "a", "b", "a", "b", "a", "b"})});
  const auto leaves = [&](NominalBranches nominal) {
    const C45 learner{.nominal = nominal, .pruning = C45Pruning::none};
    return fit(learner, data, "y").fitted().at("leaves").as_integer();
  };
  EXPECT_EQ(leaves(NominalBranches::multiway), 4);
  EXPECT_EQ(leaves(NominalBranches::subset), 2);
  EXPECT_EQ(leaves(NominalBranches::one_vs_rest), 3);
}

TEST(C45, costs_make_a_dear_column_less_attractive) {
  const Dataset data = weather();
  const auto root = [&](const std::vector<std::string>& costs) {
    const Traced run = grow(data, "play", {.costs = {.costs = costs}});
    return run.values("tree").at("chosen").as_string();
  };
  EXPECT_EQ(root({}), "outlook");
  EXPECT_NE(root({"outlook=100"}), "outlook");
  EXPECT_THROW(root({"outlok=2"}), Error);
}

TEST(C45, prunes_what_noise_made) {
  std::vector<double> x;
  std::vector<std::int32_t> y;
  for (int i = 0; i < 200; ++i) {
    x.push_back(i);
    y.push_back((i >= 100) != (i % 17 == 3) ? 1 : 0);
  }
  const Dataset data({Column::numeric("x", x), Column::nominal("y", y, {"low", "high"})});
  const auto leaves = [&](C45Pruning pruning) {
    return fit(C45{.pruning = pruning}, data, "y").fitted().at("leaves").as_integer();
  };
  const auto full = leaves(C45Pruning::none);
  EXPECT_EQ(leaves(C45Pruning::pessimistic), 2);
  EXPECT_EQ(leaves(C45Pruning::description_length), 2);
  EXPECT_LE(leaves(C45Pruning::reduced_error), full);
}

TEST(C45, shows_accuracy_against_size) {
  const AnyModel model =
      fit(C45{.min_weight_leaf = 1, .pruning = C45Pruning::reduced_error}, weather(), "play");
  const Value fitted = model.fitted();
  const Value::Array& curve = fitted.at("overfitting_curve").as_array();
  ASSERT_FALSE(curve.empty());
  EXPECT_EQ(curve.back().at("leaves").as_integer(), 1);
  EXPECT_GE(curve.front().at("training_accuracy").as_number(),
            curve.back().at("training_accuracy").as_number());
}

TEST(C45, one_row_one_class_or_nothing_known_is_a_leaf) {
  const Dataset one({Column::numeric("x", std::vector<double>{1}), words("y", {"a"})});
  EXPECT_EQ(fit(C45{}, one, "y").fitted().at("nodes").as_integer(), 1);
  const Dataset holes({Column::numeric("x", std::vector<double>{kHole, kHole, kHole}),
                       words("y", {"a", "b", "b"})});
  for (const C45Missing missing :
       {C45Missing::fractional, C45Missing::own_branch, C45Missing::most_common, C45Missing::mean,
        C45Missing::nearest}) {
    const AnyModel model = fit(C45{.missing = missing}, holes, "y");
    EXPECT_EQ(model.fitted().at("nodes").as_integer(), 1);
    EXPECT_NEAR(model.predict(holes, {}, {.extra = Extra::ignore}).row(0)[1], 2.0 / 3, 1e-12);
  }
  EXPECT_THROW(fit(C45{.missing = C45Missing::remove}, holes, "y"), Error);
}

TEST(C45, rows_of_the_user_prune_instead_of_rows_kept_aside) {
  // Only the first column says something; the second invites the tree to learn noise.
  const auto table = [](std::size_t rows, std::uint64_t seed) {
    Stream stream(seed);
    std::vector<double> a(rows);
    std::vector<double> b(rows);
    std::vector<std::int32_t> y(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      a[i] = stream.uniform();
      b[i] = stream.uniform();
      y[i] = (a[i] > 0.5) != (stream.uniform() < 0.2) ? 1 : 0;
    }
    return Dataset(
        {Column::numeric("a", a), Column::numeric("b", b), Column::nominal("y", y, {"no", "yes"})});
  };
  const Dataset train = table(200, 1);
  const Dataset other = table(200, 2);
  C45 learner{.pruning = C45Pruning::none};
  learner.mdl_correction = false;
  learner.min_weight_leaf = 1;
  const Fitted<C45> whole(fit(learner, train, "y"));
  learner.pruning = C45Pruning::reduced_error;
  FitOptions options{.target = {"y"}, .validation = &other};
  const Fitted<C45> pruned(fit(learner, train, options));
  EXPECT_LT(pruned.model().tree.leaves(), whole.model().tree.leaves());
  // All rows teach, and the accuracy on the others is that of the model.
  EXPECT_EQ(pruned.model().tree.weight_of(0), 200);
  EXPECT_EQ(pruned.model().grown_nodes, whole.model().grown_nodes);
  const Predictions said = pruned.predict(other, {}, {.extra = Extra::ignore});
  double right = 0;
  for (std::size_t i = 0; i < 200; ++i) {
    if (static_cast<std::int32_t>(said.label(i)) == other.column("y").code(i)) right += 1;
  }
  double best = 0;
  const std::vector<double>& curve = pruned.model().curve;
  for (std::size_t i = 2; i < curve.size(); i += 3) best = std::max(best, curve[i]);
  EXPECT_NEAR(right / 200, best, 1e-12);
  learner.pruning = C45Pruning::pessimistic;
  EXPECT_THROW(fit(learner, train, options), Error);
}

}  // namespace
}  // namespace gradus
