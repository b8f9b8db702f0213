#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gradus/api/fit.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"
#include "gradus/models/bayes/naive_bayes/model.hpp"
#include "gradus/trace/trace.hpp"
#include "support/tables.hpp"

namespace gradus {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_tables::mixed_table;
using testing_tables::nominal_table;
using testing_tables::play_tennis;
using testing_tables::TextRows;

constexpr double kDigits = 1e-9;  // the reference values are given with ten digits
constexpr double kRounding = 1e-12;

using Numbers = std::vector<std::pair<std::string, double>>;

void expect_numbers(const Value& actual, const Numbers& expected, double tolerance = kDigits) {
  for (const auto& [name, number] : expected) {
    EXPECT_NEAR(actual.at(name).as_number(), number, tolerance) << name;
  }
  EXPECT_EQ(actual.size(), expected.size()) << to_json(actual);
}

struct Traced {
  Fitted<NaiveBayes> model;
  Recorder trace;

  const Step& at(const std::string& path) const {
    for (const Step& step : trace.steps()) {
      if (step.path == path) return step;
    }
    throw Error(ErrorKind::internal, path, "no such step");
  }
};

Traced learn(const NaiveBayes& learner, const Dataset& data, const std::string& target) {
  Recorder trace;
  Context context;
  context.trace = &trace;
  auto model = fit(learner, data, target, context);
  return {std::move(model), std::move(trace)};
}

// The steps of the prediction of the only row.
std::vector<Step> explained(const AnyModel& model, const Dataset& row) {
  Recorder trace;
  model.explain_row(row, 0, trace);
  return trace.steps();
}

const std::vector<std::string> kDay = {"outlook", "temperature", "humidity", "wind"};

TEST(NaiveBayes, the_weather_with_bare_frequencies_has_the_textbook_numbers) {
  const Traced run = learn({.alpha = 0}, play_tennis(), "play");
  const Value fitted = run.model.fitted();
  expect_numbers(fitted.at("priors"), {{"no", 5.0 / 14}, {"yes", 9.0 / 14}});
  expect_numbers(fitted.at("class_counts"), {{"no", 5}, {"yes", 9}});
  const Value& outlook = fitted.at("conditionals").at("outlook");
  expect_numbers(outlook.at("yes"), {{"overcast", 4.0 / 9}, {"rain", 3.0 / 9}, {"sunny", 2.0 / 9}});
  expect_numbers(outlook.at("no"), {{"overcast", 0}, {"rain", 2.0 / 5}, {"sunny", 3.0 / 5}});
  EXPECT_THAT(run.at("priors").formula, HasSubstr("P(yes) = 9/14 = 0.6429"));
  EXPECT_THAT(run.at("conditionals/outlook").formula,
              HasSubstr("P(outlook = sunny|yes) = 2/9 = 0.2222"));

  const Dataset day = nominal_table(kDay, {{"sunny", "cool", "high", "strong"}});
  const std::vector<Step> steps = explained(run.model, day);
  ASSERT_EQ(steps.size(), 3U);
  expect_numbers(
      steps[1].values.at("factors"),
      {{"outlook", 2.0 / 9}, {"temperature", 3.0 / 9}, {"humidity", 3.0 / 9}, {"wind", 3.0 / 9}});
  expect_numbers(steps[2].values.at("likelihoods"),
                 {{"no", 0.02057142857}, {"yes", 0.005291005291}});
  expect_numbers(steps[2].values.at("probabilities"),
                 {{"no", 0.7954173486}, {"yes", 0.2045826514}});
  EXPECT_THAT(steps[2].formula, HasSubstr("P(yes|x) = 0.005291/(0.02057 + 0.005291) = 20.5%"));
  EXPECT_THAT(steps[1].formula, HasSubstr("P(yes)·P(outlook = sunny|yes)·"));
  EXPECT_EQ(steps[2].text, "The most probable class is no.");
  const Predictions said = run.model.predict(day);
  EXPECT_NEAR(said.row(0)[1], 0.2045826514, kDigits);
}

struct LaplaceCase {
  double alpha;
  double likelihood_yes;
  double likelihood_no;
  double posterior_yes;
};

TEST(NaiveBayes, smoothing_gives_a_zero_count_a_chance) {
  const Dataset day = nominal_table(kDay, {{"overcast", "cool", "high", "strong"}});
  const LaplaceCase cases[] = {{0, 0.01058201058, 0, 1},
                               {1, 0.01180637544, 0.004555393586, 0.7215830649},
                               {0.5, 0.01125, 0.002773668639, 0.8022151899}};
  for (const LaplaceCase& expected : cases) {
    const Traced run = learn({.alpha = expected.alpha}, play_tennis(), "play");
    const Value last = explained(run.model, day).back().values;
    expect_numbers(last.at("likelihoods"),
                   {{"no", expected.likelihood_no}, {"yes", expected.likelihood_yes}});
    EXPECT_NEAR(last.at("probabilities").at("yes").as_number(), expected.posterior_yes, kDigits);
  }
}

TEST(NaiveBayes, laplace_and_the_m_estimate_of_outlook_given_no) {
  const Numbers expected = {{"overcast", 0.125}, {"rain", 0.375}, {"sunny", 0.5}};
  const Traced laplace = learn({}, play_tennis(), "play");
  expect_numbers(laplace.at("conditionals/outlook").values.at("conditionals").at("no"), expected);
  EXPECT_THAT(laplace.at("conditionals/outlook").formula,
              HasSubstr("P(outlook = overcast|no) = (0 + 1)/(5 + 1·3) = 0.125"));
  const NaiveBayes m_estimate{.estimate = FrequencyEstimate::m_estimate, .m = 3};
  const Traced estimated = learn(m_estimate, play_tennis(), "play");
  expect_numbers(estimated.model.fitted().at("conditionals").at("outlook").at("no"), expected);
  // m·p = 3/2 for the two levels of wind: (3 + 1.5)/(5 + 3).
  expect_numbers(estimated.model.fitted().at("conditionals").at("wind").at("no"),
                 {{"strong", 0.5625}, {"weak", 0.4375}});
}

TEST(NaiveBayes, a_missing_value_is_left_out_of_the_product) {
  const Traced run = learn({.alpha = 0}, play_tennis(), "play");
  const std::vector<Step> steps =
      explained(run.model, nominal_table(kDay, {{"?", "cool", "high", "strong"}}));
  const Step& last = steps.back();
  expect_numbers(last.values.at("likelihoods"), {{"no", 0.03428571429}, {"yes", 0.02380952381}});
  expect_numbers(last.values.at("probabilities"), {{"no", 0.5901639344}, {"yes", 0.4098360656}});
  EXPECT_THAT(last.text, HasSubstr("Missing, and left out of every product: outlook."));
  EXPECT_EQ(steps[1].values.at("factors").size(), 3U);
}

TEST(NaiveBayes, missing_values_in_training_are_not_counted) {
  TextRows rows;
  const std::vector<std::string> temperature = {"83", "?", "68", "64", "69", "75", "?", "72", "81"};
  const std::vector<std::string> outlook = {"sunny", "sunny", "overcast", "overcast", "overcast",
                                            "rainy", "rainy", "rainy",    "?"};
  for (std::size_t i = 0; i < 9; ++i) rows.push_back({temperature[i], outlook[i], "yes"});
  rows.push_back({"70", "sunny", "no"});
  const Traced run = learn({.alpha = 0, .ddof = 1, .var_smoothing = 0},
                           mixed_table({"temperature", "outlook", "play"}, rows), "play");
  const Value fitted = run.model.fitted();
  const Value& normal = fitted.at("conditionals").at("temperature").at("yes");
  EXPECT_EQ(normal.at("n").as_number(), 7);
  EXPECT_NEAR(normal.at("mean").as_number(), 73.14285714, 1e-8);
  EXPECT_NEAR(normal.at("sd").as_number(), 6.962484505, kDigits);
  EXPECT_EQ(run.at("conditionals/temperature").values.at("yes").at("missing").as_number(), 2);
  expect_numbers(fitted.at("conditionals").at("outlook").at("yes"),
                 {{"overcast", 0.375}, {"rainy", 0.375}, {"sunny", 0.25}});
  EXPECT_THAT(run.at("conditionals/outlook").text, HasSubstr("1 of the rows have no value"));
}

Dataset numeric_weather() {
  return mixed_table({"outlook", "temperature", "humidity", "windy", "play"},
                     {{"overcast", "83", "86", "false", "yes"},
                      {"rainy", "70", "96", "false", "yes"},
                      {"rainy", "68", "80", "false", "yes"},
                      {"overcast", "64", "65", "true", "yes"},
                      {"sunny", "69", "70", "false", "yes"},
                      {"rainy", "75", "80", "false", "yes"},
                      {"sunny", "75", "70", "true", "yes"},
                      {"overcast", "72", "90", "true", "yes"},
                      {"overcast", "81", "75", "false", "yes"},
                      {"sunny", "85", "85", "false", "no"},
                      {"sunny", "80", "90", "true", "no"},
                      {"rainy", "65", "70", "true", "no"},
                      {"sunny", "72", "95", "false", "no"},
                      {"rainy", "71", "91", "true", "no"}});
}

const std::vector<std::string> kNumericDay = {"outlook", "temperature", "humidity", "windy"};

TEST(NaiveBayes, means_and_deviations_of_the_numeric_weather) {
  const Traced sample = learn({.ddof = 1, .var_smoothing = 0}, numeric_weather(), "play");
  const Traced likelihood = learn({.var_smoothing = 0}, numeric_weather(), "play");
  struct Expected {
    const char* column;
    const char* label;
    double mean, sample_sd, sd;
  };
  for (const Expected& expected :
       {Expected{"temperature", "yes", 73, 6.164414003, 5.811865258},
        Expected{"temperature", "no", 74.6, 7.893034904, 7.059745038},
        Expected{"humidity", "yes", 79.11111111, 10.21572861, 9.631481303},
        Expected{"humidity", "no", 86.2, 9.731392501, 8.704022059}}) {
    const Value by_sample = sample.model.fitted().at("conditionals").at(expected.column);
    const Value by_n = likelihood.model.fitted().at("conditionals").at(expected.column);
    EXPECT_NEAR(by_n.at(expected.label).at("mean").as_number(), expected.mean, 1e-8);
    EXPECT_NEAR(by_sample.at(expected.label).at("sd").as_number(), expected.sample_sd, 1e-8);
    EXPECT_NEAR(by_n.at(expected.label).at("sd").as_number(), expected.sd, kDigits);
  }
  EXPECT_THAT(sample.at("conditionals/temperature").formula,
              HasSubstr("μ(yes) = Σx/n = 657/9 = 73, σ²(yes) = Σ(x − μ)²/(n − 1) = 304/8 = 38"));
}

TEST(NaiveBayes, densities_and_frequencies_multiply_in_one_model) {
  const Dataset day = mixed_table(kNumericDay, {{"sunny", "66", "90", "true"}});
  const Traced sample =
      learn({.alpha = 0, .ddof = 1, .var_smoothing = 0}, numeric_weather(), "play");
  const std::vector<Step> steps = explained(sample.model, day);
  EXPECT_NEAR(steps[0].values.at("factors").at("temperature").as_number(), 0.02791757946, kDigits);
  EXPECT_NEAR(steps[0].values.at("factors").at("humidity").as_number(), 0.03798604994, kDigits);
  EXPECT_NEAR(steps[1].values.at("factors").at("temperature").as_number(), 0.03396351376, kDigits);
  EXPECT_NEAR(steps[1].values.at("factors").at("humidity").as_number(), 0.02212753267, kDigits);
  expect_numbers(steps[2].values.at("likelihoods"),
                 {{"no", 0.0001363472444}, {"yes", 3.578708383e-05}}, 1e-13);
  expect_numbers(steps[2].values.at("probabilities"),
                 {{"no", 0.7920979261}, {"yes", 0.2079020739}});
  EXPECT_THAT(steps[1].formula, HasSubstr("f(temperature = 66|yes)"));
  const Traced likelihood = learn({.alpha = 0, .var_smoothing = 0}, numeric_weather(), "play");
  expect_numbers(explained(likelihood.model, day)[2].values.at("probabilities"),
                 {{"no", 0.8064527464}, {"yes", 0.1935472536}});
}

TEST(NaiveBayes, a_red_domestic_suv_is_not_stolen) {
  const Dataset cars = nominal_table({"Colour", "Type", "Origin", "Stolen"},
                                     {{"red", "sports", "domestic", "yes"},
                                      {"red", "sports", "domestic", "no"},
                                      {"red", "sports", "domestic", "yes"},
                                      {"yellow", "sports", "domestic", "no"},
                                      {"yellow", "sports", "imported", "yes"},
                                      {"yellow", "SUV", "imported", "no"},
                                      {"yellow", "SUV", "imported", "yes"},
                                      {"yellow", "SUV", "domestic", "no"},
                                      {"red", "SUV", "imported", "no"},
                                      {"red", "sports", "imported", "yes"}});
  const Traced run = learn({.alpha = 0}, cars, "Stolen");
  const std::vector<Step> steps = explained(
      run.model, nominal_table({"Colour", "Type", "Origin"}, {{"red", "SUV", "domestic"}}));
  expect_numbers(steps[0].values.at("factors"), {{"Colour", 0.4}, {"Type", 0.6}, {"Origin", 0.6}});
  expect_numbers(steps[1].values.at("factors"), {{"Colour", 0.6}, {"Type", 0.2}, {"Origin", 0.4}});
  expect_numbers(steps[2].values.at("likelihoods"), {{"no", 0.072}, {"yes", 0.024}});
  expect_numbers(steps[2].values.at("probabilities"), {{"no", 0.75}, {"yes", 0.25}});
  EXPECT_EQ(steps[2].values.at("prediction").as_string(), "no");
}

TEST(NaiveBayes, the_fauna_has_one_possible_class_for_a_slow_swimmer_that_rarely_flies) {
  const Dataset fauna =
      nominal_table({"Swim", "Fly", "Crawl", "Class"}, {{"Fast", "No", "No", "Fish"},
                                                        {"Fast", "No", "Yes", "Animal"},
                                                        {"Slow", "No", "No", "Animal"},
                                                        {"Fast", "No", "No", "Animal"},
                                                        {"No", "Short", "No", "Bird"},
                                                        {"No", "Short", "No", "Bird"},
                                                        {"No", "Rarely", "No", "Animal"},
                                                        {"Slow", "No", "Yes", "Animal"},
                                                        {"Slow", "No", "No", "Fish"},
                                                        {"Slow", "No", "Yes", "Fish"},
                                                        {"No", "Long", "No", "Bird"},
                                                        {"Fast", "No", "No", "Bird"}});
  const Traced run = learn({.alpha = 0}, fauna, "Class");
  const Value& crawl = run.at("conditionals/Crawl").values.at("counts");
  expect_numbers(crawl.at("Animal"), {{"No", 3}, {"Yes", 2}});
  expect_numbers(crawl.at("Bird"), {{"No", 4}, {"Yes", 0}});
  expect_numbers(crawl.at("Fish"), {{"No", 2}, {"Yes", 1}});
  const Dataset animal = nominal_table({"Swim", "Fly", "Crawl"}, {{"Slow", "Rarely", "No"}});
  const Value last = explained(run.model, animal).back().values;
  expect_numbers(last.at("likelihoods"), {{"Animal", 0.02}, {"Bird", 0}, {"Fish", 0}});
  expect_numbers(last.at("probabilities"), {{"Animal", 1}, {"Bird", 0}, {"Fish", 0}});
}

const std::vector<std::string> kWords = {"Beijing", "Chinese",  "Japan",
                                         "Macao",   "Shanghai", "Tokyo"};

Dataset texts() {
  std::vector<std::string> names = kWords;
  names.push_back("class");
  return mixed_table(names, {{"1", "2", "0", "0", "0", "0", "china"},
                             {"0", "2", "0", "0", "1", "0", "china"},
                             {"0", "1", "0", "1", "0", "0", "china"},
                             {"0", "1", "1", "0", "0", "1", "not"}});
}

// Chinese Chinese Chinese Tokyo Japan, the unknown word removed.
Dataset new_text() { return mixed_table(kWords, {{"0", "3", "1", "0", "0", "1"}}); }

TEST(NaiveBayes, words_as_multinomial_events) {
  const Traced run = learn({.numeric_model = NumericEvent::multinomial}, texts(), "class");
  const Value conditionals = run.model.fitted().at("conditionals");
  expect_numbers(conditionals.at("Chinese"), {{"china", 0.4285714286}, {"not", 0.2222222222}});
  expect_numbers(conditionals.at("Tokyo"), {{"china", 0.07142857143}, {"not", 0.2222222222}});
  EXPECT_THAT(run.at("conditionals/Chinese").formula,
              HasSubstr("P(Chinese|china) = (5 + 1)/(8 + 1·6) = 0.4286"));
  const Value last = explained(run.model, new_text()).back().values;
  expect_numbers(last.at("likelihoods"), {{"china", 0.00030121378}, {"not", 0.0001354807025}},
                 1e-13);
  expect_numbers(last.at("probabilities"), {{"china", 0.6897586118}, {"not", 0.3102413882}});
}

TEST(NaiveBayes, words_as_bernoulli_presences) {
  const Traced run = learn({.numeric_model = NumericEvent::bernoulli}, texts(), "class");
  const Value conditionals = run.model.fitted().at("conditionals");
  expect_numbers(conditionals.at("Chinese").at("china"), {{"absent", 0.2}, {"present", 0.8}});
  expect_numbers(conditionals.at("Tokyo").at("china"), {{"absent", 0.8}, {"present", 0.2}});
  expect_numbers(conditionals.at("Tokyo").at("not"), {{"absent", 1.0 / 3}, {"present", 2.0 / 3}});
  const Value last = explained(run.model, new_text()).back().values;
  expect_numbers(last.at("likelihoods"), {{"china", 0.005184}, {"not", 0.0219478738}});
  EXPECT_NEAR(last.at("probabilities").at("china").as_number(), 0.1910667888, kDigits);
}

// Ten events of each class with the shares of the text, priors 0.4 and 0.6.
TEST(NaiveBayes, the_multinomial_model_is_a_linear_classifier) {
  const Dataset data =
      mixed_table({"a", "b", "c", "y"}, {{"5", "3", "2", "+"}, {"2", "3", "5", "-"}});
  const auto model =
      fit(NaiveBayes{.alpha = 0, .numeric_model = NumericEvent::multinomial, .priors = {0.4, 0.6}},
          data, "y");
  ASSERT_THAT(model.signature().classes, ElementsAre("+", "-"));
  const Predictions said = model.predict(mixed_table({"a", "b", "c"}, {{"3", "1", "2"}}));
  EXPECT_NEAR(said.row(0)[0], 0.625, kDigits);
  EXPECT_NEAR(std::log(said.row(0)[0] / said.row(0)[1]), 0.5108256238, kDigits);
}

TEST(NaiveBayes, sparse_rows_give_what_dense_rows_give) {
  const auto matrix = std::make_shared<const CsrMatrix>(CsrArrays{.cols = 3,
                                                                  .row_begin = {0, 2, 3, 3, 5, 6},
                                                                  .index = {0, 2, 1, 0, 1, 2},
                                                                  .value = {1, 2.5, 3, 4, 1, 7}});
  const std::vector<std::int32_t> labels = {0, 0, 1, 1, 0};
  std::vector<Column> dense;
  for (std::size_t j = 0; j < 3; ++j) {
    std::vector<double> values(5, 0.0);
    for (std::size_t row = 0; row < 5; ++row) {
      const auto index = matrix->row_index(row);
      for (std::size_t k = 0; k < index.size(); ++k) {
        if (index[k] == j) values[row] = matrix->row_value(row)[k];
      }
    }
    dense.push_back(Column::numeric("f" + std::to_string(j + 1), values));
  }
  const Column target = Column::nominal("y", labels, {"a", "b"});
  const std::vector<double> weights = {1, 2, 0, 1, 3};
  dense.push_back(target);
  const Dataset full = Dataset(dense).with_weights(weights);
  const Dataset sparse = Dataset({target}).with_weights(weights).with_sparse({matrix});
  for (const NumericEvent numeric :
       {NumericEvent::gaussian, NumericEvent::multinomial, NumericEvent::bernoulli}) {
    for (const double binarize : {0.0, -1.0, 2.0}) {
      const NaiveBayes learner{.numeric_model = numeric, .binarize = binarize};
      const auto by_rows = fit(learner, full, "y");
      const auto by_csr = fit(learner, sparse, "y");
      const Predictions a = by_rows.predict(full);
      const Predictions b = by_csr.predict(sparse);
      for (std::size_t i = 0; i < a.values.size(); ++i) {
        EXPECT_NEAR(a.values[i], b.values[i], kRounding);
      }
    }
  }
}

// Random numbers around `centre` with two classes and some cells missing.
Dataset random_table(std::size_t rows, double centre, double missing_share) {
  Stream stream(7);
  std::vector<Column> columns;
  std::vector<std::int32_t> labels;
  for (std::size_t row = 0; row < rows; ++row) {
    labels.push_back(static_cast<std::int32_t>(stream.below(3)));
  }
  for (int j = 0; j < 4; ++j) {
    std::vector<double> values;
    for (std::size_t row = 0; row < rows; ++row) {
      const double x = centre + stream.normal() + labels[row] * j;
      values.push_back(stream.uniform() < missing_share ? std::nan("") : x);
    }
    columns.push_back(Column::numeric("x" + std::to_string(j), values));
  }
  std::vector<std::int32_t> codes;
  for (std::size_t row = 0; row < rows; ++row) {
    codes.push_back(static_cast<std::int32_t>(stream.below(4)) - 1);
  }
  columns.insert(columns.begin() + 2, Column::nominal("n", codes, {"p", "q", "r"}));
  columns.push_back(Column::nominal("y", labels, {"a", "b", "c"}));
  return Dataset(std::move(columns));
}

void expect_close(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_NEAR(a[i], b[i], tolerance * std::max(1.0, std::abs(a[i]))) << i;
  }
}

void expect_same_model(const NaiveBayesModel& a, const NaiveBayesModel& b) {
  expect_close(a.seen.classes, b.seen.classes, kRounding);
  expect_close(a.seen.levels, b.seen.levels, kRounding);
  expect_close(a.tables.mean, b.tables.mean, kRounding);
  expect_close(a.tables.variance, b.tables.variance, kRounding);
  expect_close(a.tables.log_level, b.tables.log_level, kRounding);
}

TEST(NaiveBayes, learning_in_pieces_gives_what_learning_at_once_gives) {
  const Dataset data = random_table(10000, 5, 0.1);
  const auto at_once = fit(NaiveBayes{}, data, "y");
  std::vector<std::size_t> rows;
  std::optional<AnyModel> model;
  FitOptions options;
  options.target = {"y"};
  for (std::size_t row = 0; row < data.rows(); ++row) {
    rows.push_back(row);
    if (rows.size() < 777 && row + 1 < data.rows()) continue;
    const Dataset piece = data.take(rows);
    model = model ? update(*model, piece, options) : fit(AnyLearner(NaiveBayes{}), piece, options);
    rows.clear();
  }
  expect_same_model(at_once.model(), Fitted<NaiveBayes>(*model).model());
}

TEST(NaiveBayes, weight_two_is_a_row_written_twice_and_weight_zero_a_row_left_out) {
  const Dataset data = random_table(2000, 1, 0.1);
  std::vector<double> weights;
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    weights.push_back(static_cast<double>(row % 3));
    for (std::size_t copy = 0; copy < row % 3; ++copy) rows.push_back(row);
  }
  const NaiveBayes learner{.ddof = 1};
  expect_same_model(fit(learner, data.with_weights(weights), "y").model(),
                    fit(learner, data.take(rows), "y").model());
}

TEST(NaiveBayes, a_billion_added_to_every_number_does_not_change_a_variance) {
  const auto near = fit(NaiveBayes{}, random_table(20000, 0, 0), "y");
  const auto far = fit(NaiveBayes{}, random_table(20000, 1e9, 0), "y");
  // The numbers themselves lose 1e9 * 2^-53 = 1e-7 when they are stored.
  expect_close(near.model().tables.variance, far.model().tables.variance, 1e-6);
}

TEST(NaiveBayes, threads_and_tracing_do_not_change_a_byte) {
  const Dataset data = random_table(30000, 3, 0.01);
  const Traced traced = learn({}, data, "y");
  for (const int threads : {1, 2, 8}) {
    Context context;
    context.threads = threads;
    EXPECT_EQ(fit(NaiveBayes{}, data, "y", context).fingerprint(), traced.model.fingerprint());
  }
}

TEST(NaiveBayes, a_row_gets_the_same_bytes_alone_and_in_a_block) {
  const Dataset data = random_table(600, 3, 0.1);
  const auto model = fit(NaiveBayes{}, data, "y");
  const Predictions all = model.predict(data);
  for (std::size_t row = 0; row < data.rows(); row += 37) {
    const std::size_t chosen[] = {row};
    const Predictions alone = model.predict(data.take(chosen));
    for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(alone.row(0)[c], all.row(row)[c]);
  }
}

TEST(NaiveBayes, constant_columns_and_single_rows_never_give_nan) {
  const Dataset one = mixed_table({"x", "y"}, {{"5", "a"}});
  const Dataset constant = mixed_table({"x", "y"}, {{"5", "a"}, {"5", "b"}, {"5", "b"}});
  for (const int ddof : {0, 1}) {
    for (const double smoothing : {0.0, 1e-9}) {
      const NaiveBayes learner{.ddof = ddof, .var_smoothing = smoothing};
      for (const double x : {5.0, 6.0, -1e300, 1e300}) {
        const Dataset row({Column::numeric("x", std::vector<double>{x})});
        EXPECT_EQ(fit(learner, one, "y").predict(row).row(0)[0], 1.0);
        EXPECT_NEAR(fit(learner, constant, "y").predict(row).row(0)[1], 2.0 / 3, kRounding);
      }
    }
  }
}

TEST(NaiveBayes, a_column_without_any_value_says_nothing) {
  const Dataset data = mixed_table({"x", "z", "y"}, {{"1", "?", "a"}, {"2", "?", "b"}});
  const auto model = fit(NaiveBayes{}, data, "y");
  const auto without = fit(NaiveBayes{}, data.without("z"), "y");
  EXPECT_EQ(model.predict(data).values, without.predict(data.without("z")).values);
}

TEST(NaiveBayes, a_class_without_any_value_of_a_column_takes_those_of_all_classes) {
  const Dataset data = mixed_table({"x", "y"}, {{"1", "a"}, {"3", "a"}, {"?", "b"}});
  const Value x =
      fit(NaiveBayes{.var_smoothing = 0}, data, "y").fitted().at("conditionals").at("x");
  EXPECT_EQ(x.at("b").at("n").as_number(), 0);
  EXPECT_EQ(x.at("b").at("mean").as_number(), 2);
  EXPECT_EQ(x.at("b").at("variance").as_number(), 1);
}

TEST(NaiveBayes, where_no_class_is_possible_the_priors_answer) {
  const Dataset data =
      nominal_table({"a", "b", "y"}, {{"0", "0", "n"}, {"1", "1", "y"}, {"1", "1", "y"}});
  const auto model = fit(NaiveBayes{.alpha = 0}, data, "y");
  const Predictions said = model.predict(nominal_table({"a", "b"}, {{"0", "1"}}));
  EXPECT_NEAR(said.row(0)[0], 1.0 / 3, kRounding);
  EXPECT_NEAR(said.row(0)[1], 2.0 / 3, kRounding);
}

TEST(NaiveBayes, hundreds_of_columns_do_not_underflow) {
  std::vector<Column> columns;
  for (int j = 0; j < 500; ++j) {
    columns.push_back(Column::numeric("x" + std::to_string(j), std::vector<double>{0, 1, 10, 11}));
  }
  columns.push_back(Column::nominal("y", {0, 0, 1, 1}, {"a", "b"}));
  const Dataset data(std::move(columns));
  const auto model = fit(NaiveBayes{}, data, "y");
  const Predictions said = model.predict(data);
  EXPECT_EQ(said.row(0)[0], 1.0);
  EXPECT_EQ(said.row(3)[1], 1.0);
  EXPECT_THAT(explained(model, data.take(std::vector<std::size_t>{0}))[0].formula, HasSubstr("…"));
}

TEST(NaiveBayes, priors_are_learned_uniform_or_given) {
  const auto prior = [](const NaiveBayes& learner) {
    return fit(learner, play_tennis(), "play").fitted().at("priors").at("yes").as_number();
  };
  EXPECT_DOUBLE_EQ(prior({}), 9.0 / 14);
  EXPECT_DOUBLE_EQ(prior({.fit_prior = false}), 0.5);
  EXPECT_DOUBLE_EQ(prior({.priors = {0.25, 0.75}}), 0.75);
  for (const std::vector<double>& wrong :
       {std::vector<double>{1}, {0.5, 0.6}, {1.5, -0.5}, {std::nan(""), 1}}) {
    EXPECT_THROW(prior({.priors = wrong}), Error);
  }
}

TEST(NaiveBayes, a_negative_event_count_is_refused_by_name) {
  const Dataset data = mixed_table({"w", "y"}, {{"1", "a"}, {"-2", "b"}});
  try {
    fit(NaiveBayes{.numeric_model = NumericEvent::multinomial}, data, "y");
    FAIL() << "a negative count was taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.where(), "column \"w\"");
    EXPECT_THAT(error.message(), HasSubstr("row 2: an event count must be at least 0 (got -2)"));
  }
}

TEST(NaiveBayes, numbers_whose_variance_overflows_are_refused_by_name) {
  const Dataset data = mixed_table({"x", "y"}, {{"1e300", "a"}, {"-1e300", "a"}, {"0", "b"}});
  EXPECT_THROW(fit(NaiveBayes{}, data, "y"), Error);
}

// A bad model of each kind must be refused by check(), which runs when a file is loaded.
class DamagedNaiveBayes : public testing::Test {
 protected:
  NaiveBayesModel model_ = fit(NaiveBayes{}, numeric_weather(), "play").model();
  Signature signature_ = fit(NaiveBayes{}, numeric_weather(), "play").signature();

  void expect_refused() { EXPECT_THROW(model_.check(signature_), Error); }
};

TEST_F(DamagedNaiveBayes, the_whole_one_is_accepted) { EXPECT_NO_THROW(model_.check(signature_)); }
TEST_F(DamagedNaiveBayes, other_classes) {
  model_.classes = 3;
  expect_refused();
}
TEST_F(DamagedNaiveBayes, negative_classes) {
  model_.classes = -2;
  expect_refused();
}
TEST_F(DamagedNaiveBayes, more_levels_than_the_column_has) {
  model_.levels[0] = 1000;
  expect_refused();
}
TEST_F(DamagedNaiveBayes, a_number_that_claims_levels) {
  model_.levels[1] = 2;
  expect_refused();
}
TEST_F(DamagedNaiveBayes, a_short_table) {
  model_.tables.log_level.pop_back();
  expect_refused();
}
TEST_F(DamagedNaiveBayes, a_short_table_of_means) {
  model_.tables.mean.pop_back();
  expect_refused();
}
TEST_F(DamagedNaiveBayes, a_probability_over_one) {
  model_.tables.log_level[0] = 0.5;
  expect_refused();
}
TEST_F(DamagedNaiveBayes, a_mean_that_is_no_number) {
  model_.tables.mean[2] = std::nan("");
  expect_refused();
}
TEST_F(DamagedNaiveBayes, no_possible_class) {
  model_.tables.log_prior.assign(2, -std::numeric_limits<double>::infinity());
  expect_refused();
}
TEST_F(DamagedNaiveBayes, another_event_model) {
  model_.numeric = NumericEvent::multinomial;
  expect_refused();
}

}  // namespace
}  // namespace gradus
