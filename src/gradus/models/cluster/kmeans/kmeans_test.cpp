#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <type_traits>

#include "gradus/api/fit.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"
#include "gradus/evaluate/metrics.hpp"
#include "gradus/models/cluster/kmeans/model.hpp"
#include "gradus/models/cluster/kmeans/start.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {
namespace {

using Numbers = std::vector<double>;

Dataset table(Numbers x, Numbers y) {
  return Dataset({Column::numeric("x", std::move(x)), Column::numeric("y", std::move(y))});
}

KMeans given(int clusters, Numbers centers) {
  return {.n_clusters = clusters, .init = KMeansInit::given, .centers = std::move(centers)};
}

std::string error_of(const KMeans& learner, const Dataset& data) {
  try {
    fit(learner, data);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  return "no error";
}

// A row-major matrix as columns that point into it.
template <class T>
Dataset matrix_view(const std::vector<T>& matrix, std::size_t cols) {
  const ElementType type = std::is_same_v<T, float> ? ElementType::float32 : ElementType::float64;
  std::vector<Column> columns;
  for (std::size_t j = 0; j < cols; ++j) {
    columns.push_back(Column::numeric_view("x" + std::to_string(j), type, &matrix[j],
                                           matrix.size() / cols,
                                           static_cast<std::ptrdiff_t>(cols * sizeof(T)), nullptr));
  }
  return Dataset(std::move(columns));
}

TEST(KMeans, a_matrix_of_floats_gives_the_model_and_the_labels_of_the_same_doubles) {
  Stream stream(11);
  std::vector<float> narrow(600 * 7);
  for (float& x : narrow)
    x = static_cast<float>(stream.normal() + 3.0 * static_cast<double>(stream.below(3)));
  const Numbers wide(narrow.begin(), narrow.end());
  for (const KMeansInit init : {KMeansInit::plus_plus, KMeansInit::random}) {
    const KMeans learner{.n_clusters = 5, .init = init, .n_init = 2};
    const auto expected = fit(learner, matrix_view(wide, 7));
    for (const int threads : {1, 2, 8}) {
      const Context context{.threads = threads};
      const auto model = fit(learner, matrix_view(narrow, 7), "", context);
      EXPECT_EQ(model.model().centers, expected.model().centers);
      EXPECT_EQ(model.model().inertia, expected.model().inertia);
      EXPECT_EQ(model.model().n_distinct, expected.model().n_distinct);
      const PredictOptions strict{.cells = Cells::finite};
      EXPECT_EQ(model.predict(matrix_view(narrow, 7), context, strict).values,
                expected.predict(matrix_view(wide, 7), context, strict).values);
    }
  }
}

TEST(KMeans, a_missing_or_infinite_float_is_refused_by_its_row_at_prediction) {
  std::vector<float> rows = {0, 0, 1, 1, 5, 5, 6, 6};
  const auto model = fit(KMeans{.n_clusters = 2}, matrix_view(rows, 2));
  rows[5] = std::numeric_limits<float>::infinity();
  try {
    model.predict(matrix_view(rows, 2), {}, {.cells = Cells::finite});
    FAIL() << "an infinite cell must be refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.where(), "row 3");
  }
}

struct Pass {
  Numbers centers;    // row-major
  Numbers distances;  // row-major
  std::vector<int> assigned;
};

void expect_rows(const Value& rows, const Numbers& expected, double tolerance) {
  std::size_t at = 0;
  for (const Value& row : rows.as_array()) {
    for (const Value& number : row.as_array()) {
      ASSERT_LT(at, expected.size());
      EXPECT_NEAR(number.as_number(), expected[at++], tolerance);
    }
  }
  EXPECT_EQ(at, expected.size());
}

// Every assignment step of the trace against a hand-computed pass.
void expect_passes(const Recorder& recorder, const std::vector<Pass>& passes) {
  std::vector<const Step*> steps;
  for (const Step& step : recorder.steps()) {
    if (step.values.find("assigned") != nullptr) steps.push_back(&step);
  }
  ASSERT_EQ(steps.size(), passes.size());
  for (std::size_t i = 0; i < passes.size(); ++i) {
    SCOPED_TRACE(testing::Message() << "pass " << i + 1);
    EXPECT_EQ(steps[i]->path, "iteration " + std::to_string(i + 1));
    expect_rows(steps[i]->values.at("centers"), passes[i].centers, 1e-10);
    expect_rows(steps[i]->values.at("distances"), passes[i].distances, 5e-7);
    const auto& assigned = steps[i]->values.at("assigned").as_array();
    ASSERT_EQ(assigned.size(), passes[i].assigned.size());
    for (std::size_t row = 0; row < assigned.size(); ++row) {
      EXPECT_EQ(assigned[row].as_integer() + 1, passes[i].assigned[row]) << "row " << row + 1;
    }
  }
}

TEST(KMeans, the_textbook_run_with_two_clusters_of_six_points) {
  Recorder recorder;
  const auto model = fit(given(2, {2, 1, 2, 3}), table({1, 2, 2, 3, 4, 5}, {1, 1, 3, 2, 3, 5}), "",
                         Context{.trace = &recorder});
  expect_passes(recorder, {{{2, 1, 2, 3},
                            {1, 2.236068, 0, 2, 2, 0, 1.414214, 1.414214, 2.828427, 2, 5, 3.605551},
                            {1, 1, 2, 1, 2, 2}},
                           {{2, 4.0 / 3, 11.0 / 3, 11.0 / 3},
                            {1.054093, 3.771236, 0.333333, 3.14466, 1.666667, 1.795055, 1.20185,
                             1.795055, 2.603417, 0.745356, 4.737557, 1.885618},
                            {1, 1, 1, 1, 2, 2}},
                           {{2, 1.75, 4.5, 4},
                            {1.25, 4.609772, 0.75, 3.905125, 1.25, 2.692582, 1.030776, 2.5,
                             2.358495, 1.118034, 4.422952, 1.118034},
                            {1, 1, 1, 1, 2, 2}}});
  EXPECT_EQ(model.model().centers, (Numbers{2, 1.75, 4.5, 4}));
  EXPECT_DOUBLE_EQ(model.model().inertia, 7.25);
  EXPECT_EQ(model.model().n_iter, 3);
  EXPECT_TRUE(model.model().converged);
  EXPECT_EQ(model.model().sizes, (Numbers{4, 2}));
  // Row 4 is as near to the second centre; the text says so.
  EXPECT_NE(recorder.steps()[1].text.find("Row 4 "), std::string::npos);
  EXPECT_EQ(recorder.steps()[2].formula,
            "c0 = Σx / n = (6, 4) / 3 = (2, 1.33333),  c1 = Σx / n = (11, 11) / 3 = (3.66667, "
            "3.66667)");
  const Step& last = recorder.steps().back();
  EXPECT_EQ(last.title, "Result");
  EXPECT_EQ(to_json(last.values.at("labels")), "[0,0,0,0,1,1]");
  EXPECT_EQ(to_json(last.values.at("centers")), "[[2,1.75],[4.5,4]]");
  EXPECT_EQ(recorder.steps()[recorder.steps().size() - 2].values.at("reason").as_string(),
            "no row changed its cluster");
}

TEST(KMeans, the_other_side_of_the_tie_ends_in_a_worse_minimum) {
  // The same centres in the other order: row 4 now goes to the centre (2, 3).
  const auto model = fit(given(2, {2, 3, 2, 1}), table({1, 2, 2, 3, 4, 5}, {1, 1, 3, 2, 3, 5}));
  EXPECT_EQ(model.model().centers, (Numbers{3.5, 3.25, 1.5, 1}));
  EXPECT_DOUBLE_EQ(model.model().inertia, 10.25);
  EXPECT_EQ(model.model().n_iter, 2);
}

TEST(KMeans, the_textbook_exercise_with_seven_points) {
  Recorder recorder;
  const Dataset data = table({1, 1.5, 3, 5, 3.5, 4.5, 3.5}, {1, 2, 4, 7, 5, 5, 4.5});
  const auto model = fit(given(2, {1, 1, 5, 7}), data, "", Context{.trace = &recorder});
  expect_passes(recorder, {{{1, 1, 5, 7},
                            {0, 7.211103, 1.118034, 6.103278, 3.605551, 3.605551, 7.211103, 0,
                             4.716991, 2.5, 5.315073, 2.061553, 4.301163, 2.915476},
                            {1, 1, 1, 2, 2, 2, 2}},
                           {{11.0 / 6, 7.0 / 3, 4.125, 5.375},
                            {1.57233, 5.376453, 0.471405, 4.275658, 2.034426, 1.776584, 5.639641,
                             1.845603, 3.14466, 0.728869, 3.771236, 0.53033, 2.733537, 1.075291},
                            {1, 1, 2, 2, 2, 2, 2}},
                           {{1.25, 1.5, 3.9, 5.1},
                            {0.559017, 5.021952, 0.559017, 3.920459, 3.051639, 1.421267, 6.656763,
                             2.19545, 4.160829, 0.412311, 4.776243, 0.608276, 3.75, 0.72111},
                            {1, 1, 2, 2, 2, 2, 2}}});
  EXPECT_DOUBLE_EQ(model.model().inertia, 8.525);
}

TEST(KMeans, the_exercise_ends_alike_from_each_of_its_21_pairs_of_points) {
  const Numbers x = {1, 1.5, 3, 5, 3.5, 4.5, 3.5};
  const Numbers y = {1, 2, 4, 7, 5, 5, 4.5};
  for (std::size_t a = 0; a < x.size(); ++a) {
    for (std::size_t b = a + 1; b < x.size(); ++b) {
      const auto model = fit(given(2, {x[a], y[a], x[b], y[b]}), table(x, y));
      EXPECT_NEAR(model.model().inertia, 8.525, 1e-12) << a << " " << b;
    }
  }
}

TEST(KMeans, starting_at_the_group_means_along_the_principal_component_is_already_the_end) {
  const auto model =
      fit(given(2, {2, 1.75, 4.5, 4}), table({1, 2, 2, 3, 4, 5}, {1, 1, 3, 2, 3, 5}));
  EXPECT_EQ(model.model().centers, (Numbers{2, 1.75, 4.5, 4}));
  EXPECT_EQ(model.model().n_iter, 1);
}

TEST(KMeans, a_row_of_weight_two_is_a_row_written_twice) {
  const Dataset weighted = table({1, 2, 8, 9, 4}, {1, 0, 7, 9, 5}).with_weights({2, 1, 1, 3, 2});
  const Dataset repeated = table({1, 1, 2, 8, 9, 9, 9, 4, 4}, {1, 1, 0, 7, 9, 9, 9, 5, 5});
  const auto a = fit(given(2, {0, 0, 5, 5}), weighted);
  const auto b = fit(given(2, {0, 0, 5, 5}), repeated);
  EXPECT_EQ(a.model().centers, b.model().centers);
  EXPECT_DOUBLE_EQ(a.model().inertia, b.model().inertia);
  EXPECT_EQ(a.model().sizes, b.model().sizes);
  EXPECT_EQ(a.model().n_iter, b.model().n_iter);
}

TEST(KMeans, a_row_of_weight_zero_counts_for_nothing) {
  const Dataset with = table({0, 1, 10, 11, 500}, {0, 0, 0, 0, 0}).with_weights({1, 1, 1, 1, 0});
  for (const KMeansInit init : {KMeansInit::plus_plus, KMeansInit::random}) {
    const auto model = fit(KMeans{.n_clusters = 2, .init = init}, with);
    EXPECT_DOUBLE_EQ(model.model().inertia, 1.0);
  }
}

Dataset blobs(std::size_t rows) {
  Numbers x;
  Numbers y;
  for (std::size_t row = 0; row < rows; ++row) {
    Stream stream(31, row);
    const auto blob = static_cast<double>(stream.below(9));
    x.push_back(10 * std::floor(blob / 3) + stream.normal());
    y.push_back(10 * std::fmod(blob, 3) + stream.normal());
  }
  return table(std::move(x), std::move(y));
}

TEST(KMeans, gives_the_same_bytes_for_any_number_of_threads) {
  const Dataset data = blobs(20000);
  for (const KMeansInit init : {KMeansInit::plus_plus, KMeansInit::random}) {
    const KMeans learner{.n_clusters = 12, .init = init, .n_init = 2, .random_state = 5};
    const std::string one = fit(learner, data, "", Context{.threads = 1}).fingerprint();
    EXPECT_EQ(fit(learner, data, "", Context{.threads = 2}).fingerprint(), one);
    EXPECT_EQ(fit(learner, data, "", Context{.threads = 8}).fingerprint(), one);
  }
}

TEST(KMeans, watching_does_not_change_the_model) {
  const Dataset data = blobs(300);
  const KMeans learner{.n_clusters = 7, .n_init = 3};
  Recorder recorder;
  EXPECT_EQ(fit(learner, data, "", Context{.trace = &recorder}).fingerprint(),
            fit(learner, data).fingerprint());
  EXPECT_EQ(recorder.steps()[0].path, "start 1");
}

TEST(KMeans, plus_plus_finds_nine_blobs_that_random_starts_miss) {
  const Dataset data = blobs(5000);
  const auto spread = fit(KMeans{.n_clusters = 9, .random_state = 1}, data);
  EXPECT_LT(spread.model().inertia, 5000 * 2 * 1.1);
  EXPECT_GT(fit(KMeans{.n_clusters = 8, .random_state = 1}, data).model().inertia,
            spread.model().inertia);
}

TEST(KMeans, more_starts_find_less_inertia) {
  const Dataset data = blobs(2000);
  KMeans learner{.n_clusters = 9, .init = KMeansInit::random, .random_state = 3};
  const double one = fit(learner, data).model().inertia;
  learner.n_init = 10;
  const double ten = fit(learner, data).model().inertia;
  EXPECT_LT(ten, one);
}

TEST(KMeans, another_seed_is_another_start) {
  const Dataset data = blobs(500);
  const KMeans learner{.n_clusters = 4, .init = KMeansInit::random, .max_iter = 1};
  KMeans other = learner;
  other.random_state = 1;
  EXPECT_NE(fit(learner, data).model().centers, fit(other, data).model().centers);
  EXPECT_FALSE(fit(learner, data).model().converged);
}

TEST(KMeans, the_start_never_repeats_a_point_while_others_are_left) {
  const Numbers data = {1, 1, 1, 1, 2, 3};
  const kmeans::Points points{data.data(), 6, 1, {}};
  for (Seed seed = 0; seed < 50; ++seed) {
    std::vector<double> found = kmeans::rows_as_centers(
        points,
        kmeans::plus_plus_rows(points, kmeans::ContentOrder(points, {}), 3, Stream(seed), {}));
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, (Numbers{1, 2, 3}));
    std::vector<std::size_t> rows = kmeans::random_rows(points, 6, Stream(seed));
    std::sort(rows.begin(), rows.end());
    EXPECT_EQ(rows, (std::vector<std::size_t>{0, 1, 2, 3, 4, 5}));
  }
}

TEST(KMeans, says_when_there_are_fewer_distinct_points_than_clusters) {
  const Dataset data = table({1, 1, 2, 2, 1}, {0, 0, 0, 0, 0});
  Recorder recorder;
  const auto model = fit(KMeans{.n_clusters = 4}, data, "", Context{.trace = &recorder});
  EXPECT_EQ(model.fitted().at("n_distinct").as_integer(), 2);
  EXPECT_EQ(model.model().inertia, 0.0);
  EXPECT_NE(recorder.steps().back().text.find("2 distinct points"), std::string::npos);
}

TEST(KMeans, refuses_more_clusters_than_rows_with_both_numbers) {
  const std::string message = error_of(KMeans{.n_clusters = 4}, table({1, 2, 3}, {1, 2, 3}));
  EXPECT_NE(message.find("n_clusters=4"), std::string::npos) << message;
  EXPECT_NE(message.find("rows, 3"), std::string::npos) << message;
}

TEST(KMeans, refuses_centres_of_the_wrong_number_or_without_their_init) {
  const Dataset data = table({1, 2, 3}, {1, 2, 3});
  EXPECT_NE(error_of(given(2, {1, 2, 3}), data).find("must be 4 numbers"), std::string::npos);
  EXPECT_NE(error_of(KMeans{.n_clusters = 1, .centers = {1, 2}}, data).find("init=given"),
            std::string::npos);
  EXPECT_NE(error_of(given(1, {1, std::nan("")}), data).find("centers"), std::string::npos);
}

TEST(KMeans, distances_beyond_all_numbers_are_an_error) {
  try {
    fit(KMeans{.n_clusters = 2}, table({1e200, -1e200, 3e200}, {0, 0, 0}));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::numerical);
  }
}

TEST(KMeans, predicts_the_nearest_centre_and_the_lowest_of_equals) {
  const auto model = fit(given(2, {0, 0, 4, 0}), table({0, 4}, {0, 0}));
  const Dataset asked = table({1, 3, 2, 2, 2, 2, 2, 2, 2}, {0, 0, 0, 1, 2, 3, 4, 5, 6});
  const Predictions many = model.predict(asked);
  EXPECT_EQ(many.values, (Numbers{0, 1, 0, 0, 0, 0, 0, 0, 0}));
  const std::size_t few[] = {0, 1, 2};
  EXPECT_EQ(model.predict(asked.take(few)).values, (Numbers{0, 1, 0}));
}

TEST(KMeans, turns_a_row_into_its_distances_to_the_centres) {
  const auto model = fit(given(2, {0, 0, 4, 0}), table({0, 4}, {0, 0}));
  const Transformed out = model.transform(table({0, 4, 1}, {3, 3, 0}));
  EXPECT_EQ(out.names, (std::vector<std::string>{"distance(0)", "distance(1)"}));
  EXPECT_EQ(out.values, (Numbers{3, 5, 5, 3, 1, 3}));
}

TEST(KMeans, explains_one_row_by_its_distances) {
  const auto model = fit(given(2, {0, 0, 4, 0}), table({0, 4}, {0, 0}));
  Recorder recorder;
  model.explain_row(table({3}, {2}), 0, recorder);
  ASSERT_EQ(recorder.steps().size(), 3U);
  EXPECT_EQ(recorder.steps()[0].formula, "d(x, c0) = √((3 − 0)² + (2 − 0)²) = 3.60555");
  EXPECT_DOUBLE_EQ(recorder.steps()[1].values.at("distance").as_number(), std::sqrt(5.0));
  EXPECT_EQ(recorder.steps()[2].values.at("cluster").as_integer(), 1);
}

TEST(KMeans, evaluation_gives_the_sizes_of_the_clusters) {
  const auto model = fit(given(2, {0, 0, 4, 0}), table({0, 4}, {0, 0}));
  const Value out = evaluate(model, table({0, 1, 5}, {0, 0, 0}));
  EXPECT_EQ(to_json(out), R"({"n":3,"sizes":[2,1],"training_inertia":0})");
}

TEST(KMeans, tells_its_centres_with_the_names_of_the_features) {
  const Value out = fit(given(1, {0, 0}), table({1, 3}, {2, 4})).fitted();
  EXPECT_EQ(to_json(out.at("features")), R"(["x","y"])");
  EXPECT_EQ(to_json(out.at("centers")), "[[2,3]]");
  EXPECT_EQ(out.at("inertia").as_number(), 4.0);
  EXPECT_EQ(out.at("n_distinct").as_integer(), 1);
}

}  // namespace
}  // namespace gradus
