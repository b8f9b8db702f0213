#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gradus/api/fit.hpp"
#include "gradus/core/error.hpp"
#include "gradus/models/tree/id3/model.hpp"
#include "gradus/trace/trace.hpp"
#include "support/tables.hpp"

namespace gradus {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_tables::nominal_table;
using testing_tables::play_tennis;

constexpr double kDigits = 1e-9;  // the reference values are given with ten digits

using Numbers = std::vector<std::pair<std::string, double>>;

void expect_numbers(const Value& actual, const Numbers& expected) {
  for (const auto& [name, number] : expected) {
    EXPECT_NEAR(actual.at(name).as_number(), number, kDigits) << name;
  }
  EXPECT_EQ(actual.size(), expected.size()) << to_json(actual);
}

std::vector<std::string> texts(const Value& list) {
  std::vector<std::string> out;
  for (const Value& item : list.as_array()) out.push_back(item.as_string());
  return out;
}

struct Traced {
  Fitted<Id3> model;
  Recorder trace;

  const Step& at(const std::string& path) const {
    for (const Step& step : trace.steps()) {
      if (step.path == path) return step;
    }
    throw Error(ErrorKind::internal, path, "no such step");
  }
  const Value& values(const std::string& path) const { return at(path).values; }
  std::string chosen(const std::string& path) const {
    return values(path).at("chosen").as_string();
  }
  std::string leaf(const std::string& path) const { return values(path).at("leaf").as_string(); }
};

Traced grow(const Dataset& data, const std::string& target, const Id3& learner = {}) {
  Recorder trace;
  Context context;
  context.trace = &trace;
  Fitted<Id3> model = fit(learner, data, target, context);
  return {std::move(model), std::move(trace)};
}

std::size_t training_errors(const AnyModel& model, const Dataset& data, const std::string& target) {
  const Predictions predictions = model.predict(data);
  std::size_t errors = 0;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    const std::string& said = predictions.classes[predictions.label(row)];
    errors += said == data.column(target).text_at(row) ? 0 : 1;
  }
  return errors;
}

TEST(Id3, the_root_of_play_tennis_has_the_textbook_numbers) {
  const Traced run = grow(play_tennis(), "play");
  const Value& root = run.values("tree");
  EXPECT_EQ(root.at("n").as_number(), 14);
  EXPECT_NEAR(root.at("entropy").as_number(), 0.9402859587, kDigits);
  expect_numbers(root.at("counts"), {{"no", 5}, {"yes", 9}});
  expect_numbers(root.at("gains"), {{"outlook", 0.2467498198},
                                    {"temperature", 0.02922256566},
                                    {"humidity", 0.1518355014},
                                    {"wind", 0.04812703041}});
  const Value& subsets = root.at("subset_entropies");
  expect_numbers(subsets.at("outlook"),
                 {{"sunny", 0.9709505945}, {"overcast", 0}, {"rain", 0.9709505945}});
  expect_numbers(subsets.at("temperature"),
                 {{"hot", 1}, {"mild", 0.9182958341}, {"cool", 0.8112781245}});
  expect_numbers(subsets.at("humidity"), {{"high", 0.985228136}, {"normal", 0.5916727786}});
  expect_numbers(subsets.at("wind"), {{"weak", 0.8112781245}, {"strong", 1}});
  EXPECT_EQ(run.chosen("tree"), "outlook");
  EXPECT_EQ(root.at("ties").size(), 0U);
}

TEST(Id3, the_formula_shows_the_numbers) {
  const Traced run = grow(play_tennis(), "play");
  const Step& root = run.at("tree");
  EXPECT_EQ(root.number, 1U);
  EXPECT_EQ(root.title, "Choose the attribute at the root");
  EXPECT_THAT(root.formula,
              HasSubstr("Entropy(S) = −(5/14)·log₂(5/14) − (9/14)·log₂(9/14) = 0.9403; "
                        "Gain(S, outlook) = 0.9403 − (4/14)·0 − (5/14)·0.971 − (5/14)·0.971 = "
                        "0.2467; "));
  EXPECT_THAT(root.text, HasSubstr("outlook has the largest gain, 0.2467 bits"));
}

TEST(Id3, the_inner_nodes_of_play_tennis_have_the_textbook_numbers) {
  const Traced run = grow(play_tennis(), "play");
  const std::string sunny = "tree/outlook=sunny";
  const std::string rain = "tree/outlook=rain";
  expect_numbers(
      run.values(sunny).at("gains"),
      {{"temperature", 0.5709505945}, {"humidity", 0.9709505945}, {"wind", 0.01997309402}});
  EXPECT_EQ(run.chosen(sunny), "humidity");
  expect_numbers(
      run.values(rain).at("gains"),
      {{"temperature", 0.01997309402}, {"humidity", 0.01997309402}, {"wind", 0.9709505945}});
  EXPECT_EQ(run.chosen(rain), "wind");
  EXPECT_EQ(run.leaf("tree/outlook=overcast"), "yes");
  EXPECT_EQ(run.leaf(sunny + "/humidity=high"), "no");
  EXPECT_EQ(run.leaf(sunny + "/humidity=normal"), "yes");
  EXPECT_EQ(run.leaf(rain + "/wind=weak"), "yes");
  EXPECT_EQ(run.leaf(rain + "/wind=strong"), "no");
  EXPECT_EQ(training_errors(run.model, play_tennis(), "play"), 0U);
}

TEST(Id3, the_tree_reads_as_rules_and_as_a_disjunction) {
  const Traced run = grow(play_tennis(), "play");
  const Value fitted = run.model.fitted();
  EXPECT_THAT(
      texts(fitted.at("rules")),
      ElementsAre("IF outlook = overcast THEN yes", "IF outlook = rain AND wind = strong THEN no",
                  "IF outlook = rain AND wind = weak THEN yes",
                  "IF outlook = sunny AND humidity = high THEN no",
                  "IF outlook = sunny AND humidity = normal THEN yes"));
  EXPECT_EQ(fitted.at("disjunctive_form").at("yes").as_string(),
            "(outlook = overcast) ∨ (outlook = rain ∧ wind = weak) ∨ "
            "(outlook = sunny ∧ humidity = normal)");
  EXPECT_EQ(fitted.at("depth").as_integer(), 2);
  EXPECT_EQ(fitted.at("nodes").as_integer(), 8);
  EXPECT_EQ(fitted.at("leaves").as_integer(), 5);
  const Value& tree = fitted.at("tree");
  EXPECT_EQ(tree.at("attribute").as_string(), "outlook");
  EXPECT_EQ(tree.at("branches").at("sunny").at("branches").at("high").at("leaf").as_string(), "no");
  EXPECT_EQ(run.trace.steps().back().values, fitted);
}

TEST(Id3, the_disjunction_holds_on_all_36_days_that_could_be) {
  const Traced run = grow(play_tennis(), "play");
  testing_tables::TextRows rows;
  std::vector<bool> expected;
  for (const std::string outlook : {"sunny", "overcast", "rain"}) {
    for (const std::string temperature : {"hot", "mild", "cool"}) {
      for (const std::string humidity : {"high", "normal"}) {
        for (const std::string wind : {"weak", "strong"}) {
          rows.push_back({outlook, temperature, humidity, wind});
          expected.push_back((outlook == "sunny" && humidity == "normal") ||
                             outlook == "overcast" || (outlook == "rain" && wind == "weak"));
        }
      }
    }
  }
  const Predictions said =
      run.model.predict(nominal_table({"outlook", "temperature", "humidity", "wind"}, rows));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(said.classes[said.label(i)] == "yes", expected[i]) << i;
  }
}

Dataset vertebrates() {
  return nominal_table({"gives birth", "aquatic animal", "aerial animal", "has legs", "class"},
                       {{"yes", "no", "no", "yes", "mammal"},
                        {"no", "no", "no", "no", "reptile"},
                        {"no", "yes", "no", "no", "fish"},
                        {"no", "semi", "no", "yes", "amphibian"},
                        {"yes", "no", "yes", "yes", "bird"},
                        {"no", "no", "yes", "yes", "bird"},
                        {"yes", "no", "no", "yes", "mammal"},
                        {"yes", "yes", "no", "no", "fish"},
                        {"no", "semi", "no", "yes", "amphibian"},
                        {"no", "semi", "no", "yes", "amphibian"}});
}

TEST(Id3, the_vertebrates_with_five_classes) {
  const Traced run = grow(vertebrates(), "class");
  const Value& root = run.values("tree");
  EXPECT_NEAR(root.at("entropy").as_number(), 2.246439345, kDigits);
  expect_numbers(root.at("gains"), {{"gives birth", 0.5709505945},
                                    {"aquatic animal", 1.485475297},
                                    {"aerial animal", 0.7219280949},
                                    {"has legs", 0.8812908992}});
  const Value& subsets = root.at("subset_entropies");
  expect_numbers(subsets.at("gives birth"), {{"yes", 1.5}, {"no", 1.79248125}});
  expect_numbers(subsets.at("aquatic animal"), {{"yes", 0}, {"no", 1.521928095}, {"semi", 0}});
  expect_numbers(subsets.at("aerial animal"), {{"no", 1.905639062}, {"yes", 0}});
  expect_numbers(subsets.at("has legs"), {{"yes", 1.556656707}, {"no", 0.9182958341}});
  const std::string land = "tree/aquatic animal=no";
  expect_numbers(
      run.values(land).at("gains"),
      {{"gives birth", 0.5709505945}, {"aerial animal", 0.9709505945}, {"has legs", 0.7219280949}});
  EXPECT_EQ(run.chosen(land), "aerial animal");
  const std::string ground = land + "/aerial animal=no";
  expect_numbers(run.values(ground).at("gains"),
                 {{"gives birth", 0.9182958341}, {"has legs", 0.9182958341}});
  EXPECT_EQ(run.chosen(ground), "gives birth");
  EXPECT_THAT(texts(run.values(ground).at("ties")), ElementsAre("gives birth", "has legs"));
  EXPECT_THAT(run.at(ground).text, HasSubstr("the first column, gives birth, is taken"));
  EXPECT_EQ(run.leaf(ground + "/gives birth=yes"), "mammal");
  EXPECT_EQ(run.leaf(ground + "/gives birth=no"), "reptile");
  EXPECT_EQ(run.leaf(land + "/aerial animal=yes"), "bird");
  EXPECT_EQ(run.leaf("tree/aquatic animal=yes"), "fish");
  EXPECT_EQ(run.leaf("tree/aquatic animal=semi"), "amphibian");
}

TEST(Id3, a_split_without_gain_at_one_attribute_can_pay_below) {
  const Dataset data = nominal_table({"class", "x_1", "x_2"}, {{"1", "T", "T"},
                                                               {"1", "T", "T"},
                                                               {"0", "T", "F"},
                                                               {"1", "F", "F"},
                                                               {"0", "F", "T"},
                                                               {"0", "F", "T"}});
  const Traced run = grow(data, "class");
  EXPECT_EQ(run.values("tree").at("entropy").as_number(), 1.0);
  expect_numbers(run.values("tree").at("gains"), {{"x_1", 0.08170416595}, {"x_2", 0}});
  expect_numbers(run.values("tree/x_1=T").at("gains"), {{"x_2", 0.9182958341}});
  expect_numbers(run.values("tree/x_1=F").at("gains"), {{"x_2", 0.9182958341}});
  EXPECT_EQ(run.leaf("tree/x_1=T/x_2=T"), "1");
  EXPECT_EQ(run.leaf("tree/x_1=T/x_2=F"), "0");
  EXPECT_EQ(run.leaf("tree/x_1=F/x_2=T"), "0");
  EXPECT_EQ(run.leaf("tree/x_1=F/x_2=F"), "1");
}

TEST(Id3, exclusive_or_is_learned_through_gains_of_zero) {
  const Dataset data = nominal_table(
      {"a", "b", "y"}, {{"0", "0", "n"}, {"0", "1", "y"}, {"1", "0", "y"}, {"1", "1", "n"}});
  const Traced run = grow(data, "y");
  expect_numbers(run.values("tree").at("gains"), {{"a", 0}, {"b", 0}});
  EXPECT_THAT(texts(run.values("tree").at("ties")), ElementsAre("a", "b"));
  EXPECT_EQ(run.chosen("tree"), "a");
  EXPECT_EQ(training_errors(run.model, data, "y"), 0U);
}

Dataset restaurant() {
  return nominal_table(
      {"Alt", "Bar", "Fri", "Hun", "Pat", "Price", "Rain", "Res", "Type", "Est", "WillWait"},
      {{"T", "F", "F", "T", "Some", "$$$", "F", "T", "French", "0-10", "T"},
       {"T", "F", "F", "T", "Full", "$", "F", "F", "Thai", "30-60", "F"},
       {"F", "T", "F", "F", "Some", "$", "F", "F", "Burger", "0-10", "T"},
       {"T", "F", "T", "T", "Full", "$", "F", "F", "Thai", "10-30", "T"},
       {"T", "F", "T", "F", "Full", "$$$", "F", "T", "French", ">60", "F"},
       {"F", "T", "F", "T", "Some", "$$", "T", "T", "Italian", "0-10", "T"},
       {"F", "T", "F", "F", "None", "$", "T", "F", "Burger", "0-10", "F"},
       {"F", "F", "F", "T", "Some", "$$", "T", "T", "Thai", "0-10", "T"},
       {"F", "T", "T", "F", "Full", "$", "T", "F", "Burger", ">60", "F"},
       {"T", "T", "T", "T", "Full", "$$$", "F", "T", "Italian", "10-30", "F"},
       {"F", "F", "F", "F", "None", "$", "F", "F", "Thai", "0-10", "F"},
       {"T", "T", "T", "T", "Full", "$", "F", "F", "Burger", "30-60", "T"}});
}

TEST(Id3, the_restaurant_with_ties_and_an_empty_branch) {
  const Traced run = grow(restaurant(), "WillWait");
  expect_numbers(run.values("tree").at("gains"), {{"Alt", 0},
                                                  {"Bar", 0},
                                                  {"Fri", 0.02072083962},
                                                  {"Hun", 0.1957096288},
                                                  {"Pat", 0.540852083},
                                                  {"Price", 0.1957096288},
                                                  {"Rain", 0},
                                                  {"Res", 0.02072083962},
                                                  {"Type", 0},
                                                  {"Est", 0.2075187496}});
  EXPECT_EQ(run.chosen("tree"), "Pat");
  const std::string full = "tree/Pat=Full";
  expect_numbers(run.values(full).at("counts"), {{"F", 4}, {"T", 2}});
  EXPECT_EQ(run.chosen(full), "Hun");
  EXPECT_THAT(texts(run.values(full).at("ties")),
              ElementsAre("Hun", "Price", "Res", "Type", "Est"));
  const std::string hungry = full + "/Hun=T";
  expect_numbers(run.values(hungry).at("gains"), {{"Alt", 0},
                                                  {"Bar", 0},
                                                  {"Fri", 0.3112781245},
                                                  {"Price", 0.3112781245},
                                                  {"Rain", 0},
                                                  {"Res", 0.3112781245},
                                                  {"Type", 0.5},
                                                  {"Est", 0}});
  EXPECT_EQ(run.chosen(hungry), "Type");
  EXPECT_EQ(run.chosen(hungry + "/Type=Thai"), "Fri");
  EXPECT_THAT(texts(run.values(hungry + "/Type=Thai").at("ties")), ElementsAre("Fri", "Est"));
  // Two of each class at the parent: the tie goes to the first class.
  const Step& empty = run.at(hungry + "/Type=French");
  EXPECT_EQ(empty.values.at("n").as_number(), 0);
  EXPECT_EQ(empty.values.at("leaf").as_string(), "F");
  EXPECT_THAT(empty.text, HasSubstr("majority of the parent"));
  EXPECT_EQ(training_errors(run.model, restaurant(), "WillWait"), 0U);
}

TEST(Id3, an_empty_branch_answers_with_the_shares_of_its_parent) {
  const Traced run = grow(restaurant(), "WillWait");
  const Dataset french =
      nominal_table({"Alt", "Bar", "Fri", "Hun", "Pat", "Price", "Rain", "Res", "Type", "Est"},
                    {{"T", "F", "F", "T", "Full", "$", "F", "T", "French", "0-10"}});
  const Predictions said = run.model.predict(french);
  EXPECT_THAT(said.values, ElementsAre(0.5, 0.5));
  Recorder steps;
  run.model.explain_row(french, 0, steps);
  EXPECT_EQ(steps.steps().size(), 5U);  // with what each attribute adds
  EXPECT_THAT(steps.steps().back().text,
              HasSubstr("IF Pat = Full AND Hun = T AND Type = French THEN F. No training row"));
}

TEST(Id3, explaining_a_row_walks_the_path_and_counts_the_leaf) {
  const Traced run = grow(play_tennis(), "play");
  Recorder steps;
  run.model.explain_row(play_tennis(), 0, steps);
  ASSERT_EQ(steps.steps().size(), 4U);
  EXPECT_EQ(steps.steps()[0].text, "The row has outlook = sunny.");
  EXPECT_EQ(steps.steps()[1].text, "The row has humidity = high.");
  // P(yes) with the columns of a set: none 9/14, outlook 2/5, humidity 7/14, wind 11/14, outlook
  // and wind 2/5, humidity and wind 9/14, outlook and humidity 0. All orders together:
  EXPECT_NEAR(steps.steps()[2].values.at("mean").at("yes").as_number(), 9.0 / 14, kDigits);
  expect_numbers(
      steps.steps()[2].values.at("contributions").at("yes"),
      {{"outlook", -31.0 / 70}, {"temperature", 0}, {"humidity", -19.0 / 70}, {"wind", 1.0 / 14}});
  EXPECT_EQ(steps.steps()[3].text, "IF outlook = sunny AND humidity = high THEN no.");
  expect_numbers(steps.steps()[3].values.at("counts"), {{"no", 3}, {"yes", 0}});
  expect_numbers(steps.steps()[3].values.at("probabilities"), {{"no", 1}, {"yes", 0}});
}

TEST(Id3, an_attribute_of_identifiers_is_chosen_for_its_gain) {
  Dataset data = play_tennis();
  std::vector<std::optional<std::string>> days;
  for (int day = 1; day <= 14; ++day) days.emplace_back("D" + std::to_string(day));
  data = data.with_column(categorical_from_texts("day", days));
  const Traced run = grow(data, "play");
  EXPECT_NEAR(run.values("tree").at("gains").at("day").as_number(), 0.9402859587, kDigits);
  EXPECT_EQ(run.chosen("tree"), "day");
}

TEST(Id3, missing_cells_are_filled_with_the_most_common_value) {
  const Dataset data = nominal_table({"Temperature", "Headache", "Nausea", "Flu"},
                                     {{"high", "?", "no", "yes"},
                                      {"very high", "yes", "no", "yes"},
                                      {"?", "no", "no", "no"},
                                      {"high", "yes", "yes", "yes"},
                                      {"high", "?", "yes", "no"},
                                      {"normal", "yes", "no", "no"},
                                      {"normal", "no", "yes", "no"},
                                      {"?", "yes", "?", "yes"}});
  const Traced run = grow(data, "Flu");
  EXPECT_EQ(run.values("tree").at("entropy").as_number(), 1.0);
  expect_numbers(
      run.values("tree").at("gains"),
      {{"Temperature", 0.3931558785}, {"Headache", 0.3112781245}, {"Nausea", 0.0487949407}});
}

TEST(Id3, a_missing_or_unseen_value_at_prediction_ends_the_walk_with_the_majority_of_the_node) {
  const Traced run = grow(play_tennis(), "play");
  ASSERT_EQ(run.chosen("tree"), "outlook");
  const Dataset rows = nominal_table({"outlook", "temperature", "humidity", "wind"},
                                     {{"?", "hot", "high", "weak"},
                                      {"foggy", "hot", "high", "weak"},
                                      {"sunny", "hot", "?", "weak"}});
  const Predictions said = run.model.predict(rows);
  for (const std::size_t row : {0U, 1U}) {
    EXPECT_DOUBLE_EQ(said.row(row)[0], 5.0 / 14) << row;  // no: the shares of the root
  }
  EXPECT_DOUBLE_EQ(said.row(2)[0], 3.0 / 5);  // of the five sunny days
  ASSERT_EQ(said.unseen.columns.size(), 1U);
  EXPECT_EQ(said.unseen.columns[0].example, "foggy");
  Recorder recorder;
  run.model.explain_row(rows, 1, recorder);
  EXPECT_THAT(recorder.steps().back().text, HasSubstr("the majority of this node answers"));
}

TEST(Id3, rows_that_no_attribute_separates_end_in_a_leaf_with_their_shares) {
  const Dataset data = nominal_table(
      {"a", "b", "y"}, {{"0", "0", "n"}, {"0", "0", "n"}, {"0", "0", "y"}, {"1", "1", "y"}});
  const Traced run = grow(data, "y");
  EXPECT_EQ(run.model.fitted().at("depth").as_integer(), 1);
  EXPECT_THAT(run.at("tree/a=0").text, HasSubstr("agree in every attribute that is left"));
  const Predictions said = run.model.predict(data);
  EXPECT_DOUBLE_EQ(said.row(0)[0], 2.0 / 3);
  EXPECT_DOUBLE_EQ(said.row(0)[1], 1.0 / 3);
}

TEST(Id3, a_row_of_weight_two_equals_a_row_written_twice_and_weight_zero_a_row_left_out) {
  const Dataset data = play_tennis();
  std::vector<double> weights(14, 1.0);
  weights[3] = 2;
  weights[8] = 0;
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < 14; ++row) {
    for (int copy = 0; copy < static_cast<int>(weights[row]); ++copy) rows.push_back(row);
  }
  const auto weighted = fit(Id3{}, data.with_weights(weights), "play");
  const auto repeated = fit(Id3{}, data.take(rows), "play");
  EXPECT_EQ(weighted.fingerprint(), repeated.fingerprint());
}

TEST(Id3, limits_turn_nodes_into_majority_leaves) {
  const Traced shallow = grow(play_tennis(), "play", {.max_depth = 1});
  EXPECT_EQ(shallow.model.fitted().at("depth").as_integer(), 1);
  EXPECT_THAT(shallow.at("tree/outlook=sunny").text, HasSubstr("max_depth"));
  const Traced large = grow(play_tennis(), "play", {.min_samples_split = 6});
  EXPECT_THAT(large.at("tree/outlook=sunny").text, HasSubstr("min_samples_split"));
  // The gain of the sunny node is 0.971 bits on 5 of 14 rows.
  const Traced kept = grow(play_tennis(), "play", {.min_impurity_decrease = 0.2467});
  EXPECT_EQ(kept.model.fitted().at("depth").as_integer(), 2);
  const Traced cut = grow(play_tennis(), "play", {.min_impurity_decrease = 0.2468});
  EXPECT_THAT(cut.at("tree").text, HasSubstr("min_impurity_decrease"));
  EXPECT_EQ(cut.model.fitted().at("nodes").as_integer(), 1);
  EXPECT_THAT(texts(cut.model.fitted().at("rules")), ElementsAre("IF true THEN yes"));
}

TEST(Id3, numeric_columns_are_refused_with_a_hint) {
  const Dataset data = play_tennis().with_column(Column::numeric("n", std::vector<double>(14, 1)));
  try {
    fit(Id3{}, data, "play");
    FAIL() << "a numeric column was taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.where(), "column \"n\"");
    EXPECT_THAT(error.hint(), HasSubstr("--nominal"));
  }
}

TEST(Id3, tracing_and_threads_do_not_change_the_model) {
  const Traced traced = grow(restaurant(), "WillWait");
  for (const int threads : {1, 2, 8}) {
    Context context;
    context.threads = threads;
    EXPECT_EQ(fit(Id3{}, restaurant(), "WillWait", context).fingerprint(),
              traced.model.fingerprint());
  }
}

// A bad model of each kind must be refused by check(), which runs when a file is loaded.
class DamagedId3 : public testing::Test {
 protected:
  Id3Model model_ = fit(Id3{}, play_tennis(), "play").model();
  Signature signature_ = fit(Id3{}, play_tennis(), "play").signature();

  void expect_refused() { EXPECT_THROW(model_.check(signature_), Error); }
};

TEST_F(DamagedId3, the_whole_one_is_accepted) { EXPECT_NO_THROW(model_.check(signature_)); }
TEST_F(DamagedId3, a_child_before_its_parent) {
  model_.first_child[0] = 0;
  expect_refused();
}
TEST_F(DamagedId3, a_child_outside) {
  model_.first_child[0] = 6;
  expect_refused();
}
TEST_F(DamagedId3, two_parents) {
  model_.first_child[2] = 3;
  expect_refused();
}
TEST_F(DamagedId3, an_unknown_attribute) {
  model_.feature[0] = 4;
  expect_refused();
}
TEST_F(DamagedId3, a_negative_attribute) {
  model_.feature[0] = -2;
  expect_refused();
}
TEST_F(DamagedId3, a_count_that_is_no_number) {
  model_.counts[3] = std::nan("");
  expect_refused();
}
TEST_F(DamagedId3, an_empty_root) {
  model_.counts[0] = model_.counts[1] = 0;
  expect_refused();
}
TEST_F(DamagedId3, levels_of_other_data) {
  model_.levels[0] = 1000000;
  expect_refused();
}
TEST_F(DamagedId3, classes_of_other_data) {
  model_.classes = -2;
  expect_refused();
}
TEST_F(DamagedId3, arrays_of_different_length) {
  model_.first_child.pop_back();
  expect_refused();
}
TEST_F(DamagedId3, no_node_at_all) {
  model_ = {};
  expect_refused();
}

TEST(Id3, a_code_without_a_branch_is_answered_by_the_node_it_reached) {
  const auto fitted = fit(Id3{}, play_tennis(), "play");
  for (const double code : {std::nan(""), -1.0, 3.0, 1e300}) {
    const double row[] = {code, 0, 0, 0};
    double out[2];
    fitted.predict_row(row, out);
    EXPECT_DOUBLE_EQ(out[0], 5.0 / 14) << code;
  }
}

}  // namespace
}  // namespace gradus
