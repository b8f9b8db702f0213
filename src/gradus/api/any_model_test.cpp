#include "gradus/api/any_model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>

#include "gradus/api/fit.hpp"
#include "gradus/core/error.hpp"
#include "gradus/models/catalogue.hpp"

namespace gradus {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kRows = 1300;  // more than two blocks

// Three numeric columns, side by side in one matrix of T, and a class that depends on them.
template <class T>
Dataset matrix_table(std::size_t strange_row = kRows, double strange = 0) {
  auto matrix = std::make_shared<std::vector<T>>(kRows * 3);
  std::vector<std::int32_t> classes(kRows);
  for (std::size_t i = 0; i < kRows; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      (*matrix)[3 * i + j] = static_cast<T>((i * (7 + 4 * j)) % 13) / 4;
    }
    classes[i] = (*matrix)[3 * i] + (*matrix)[3 * i + 1] > 3 ? 1 : 0;
  }
  if (strange_row < kRows) (*matrix)[3 * strange_row + 2] = static_cast<T>(strange);
  const ElementType type = sizeof(T) == 8 ? ElementType::float64 : ElementType::float32;
  std::vector<Column> columns;
  for (std::size_t j = 0; j < 3; ++j) {
    columns.push_back(Column::numeric_view("x" + std::to_string(j), type, matrix->data() + j, kRows,
                                           3 * sizeof(T), matrix));
  }
  columns.push_back(Column::nominal("kind", std::move(classes), {"low", "high"}));
  return Dataset(std::move(columns));
}

AnyModel fitted(const char* learner, bool standardize = false) {
  FitOptions options;
  options.target = {"kind"};
  options.prepare.standardize = standardize;
  return fit(AnyLearner(find_learner(learner)), matrix_table<double>(), options, Context{});
}

std::string where_refused(const AnyModel& model, const Dataset& data, Cells cells) {
  try {
    model.predict(data, Context{}, {.cells = cells});
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_data);
    return error.where();
  }
  return "nowhere";
}

TEST(AnyModel, numbers_and_labels_into_given_memory_are_those_of_predict) {
  for (const char* learner : {"lda", "naive_bayes", "cart"}) {
    const AnyModel model = fitted(learner);
    for (const Dataset& data : {matrix_table<double>(), matrix_table<float>()}) {
      const Predictions expected = model.predict(data);
      std::vector<double> numbers(kRows * 2, -1);
      std::vector<std::int32_t> labels(kRows, -1);
      for (const int threads : {1, 3}) {
        Context context;
        context.threads = threads;
        model.predict_into(data, numbers, context, {.cells = Cells::finite});
        model.labels_into(data, labels, context, {.cells = Cells::finite});
        EXPECT_EQ(numbers, expected.values) << learner;
        for (std::size_t i = 0; i < kRows; ++i) {
          EXPECT_EQ(static_cast<std::size_t>(labels[i]), expected.label(i)) << learner << " " << i;
        }
      }
    }
  }
}

TEST(AnyModel, cells_that_the_caller_refuses_are_named_by_their_row_however_they_are_prepared) {
  for (const bool standardize : {false, true}) {
    const AnyModel model = fitted("lda", standardize);
    EXPECT_EQ(where_refused(model, matrix_table<double>(700, kNaN), Cells::finite), "row 701");
    EXPECT_EQ(where_refused(model, matrix_table<float>(700, kNaN), Cells::finite), "row 701");
    EXPECT_EQ(where_refused(model, matrix_table<double>(9, -kInfinity), Cells::finite), "row 10");
    EXPECT_EQ(where_refused(model, matrix_table<float>(9, kInfinity), Cells::no_infinity),
              "row 10");
    EXPECT_EQ(where_refused(model, matrix_table<double>(), Cells::finite), "nowhere");
  }
}

TEST(AnyModel, missing_cells_are_filled_unless_the_caller_refuses_them) {
  const AnyModel model = fitted("lda");
  const double mean = model.preparation().features[2].fill;
  const Predictions filled = model.predict(matrix_table<double>(700, kNaN));
  const Predictions given = model.predict(matrix_table<double>(700, mean));
  EXPECT_EQ(filled.values, given.values);
  EXPECT_EQ(where_refused(model, matrix_table<double>(700, kNaN), Cells::no_infinity), "nowhere");
}

}  // namespace
}  // namespace gradus
