// Tables for the tests of logistic regression, and how two fitted lines are compared.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "gradus/core/random.hpp"
#include "gradus/data/dataset.hpp"
#include "gradus/models/linear/logistic_regression/model.hpp"

namespace gradus {

// Noisy classes from a linear rule on columns of different size.
inline Dataset noisy(std::size_t n, std::size_t classes, std::size_t columns = 3) {
  std::vector<std::vector<double>> x(columns);
  std::vector<std::int32_t> y;
  for (std::size_t i = 0; i < n; ++i) {
    Stream stream(21, i);
    double score = 0;
    for (std::size_t j = 0; j < columns; ++j) {
      const double scale = std::pow(10.0, static_cast<double>(j % 3));
      x[j].push_back(scale * (stream.normal() + static_cast<double>(j)));
      score += stream.normal() + (j % 2 == 0 ? 1 : -1) * (x[j].back() / scale);
    }
    const double place = std::floor(score / 2 + static_cast<double>(classes) / 2);
    y.push_back(static_cast<std::int32_t>(
        std::fmin(std::fmax(place, 0), static_cast<double>(classes - 1))));
  }
  std::vector<Column> out;
  for (std::size_t j = 0; j < columns; ++j) {
    out.push_back(Column::numeric("x" + std::to_string(j + 1), x[j]));
  }
  std::vector<std::string> names;
  for (std::size_t k = 0; k < classes; ++k)
    names.push_back(std::string(1, static_cast<char>('a' + k)));
  out.push_back(Column::nominal("y", y, names));
  return Dataset(std::move(out));
}

inline Dataset of_one_column(const std::vector<double>& x, const std::vector<std::int32_t>& y) {
  return Dataset({Column::numeric("x", x), Column::nominal("y", y, {"no", "yes"})});
}

inline void expect_same_line(const LogisticRegressionModel& a, const LogisticRegressionModel& b,
                             double tolerance) {
  ASSERT_EQ(a.intercept.size(), b.intercept.size());
  for (std::size_t k = 0; k < a.intercept.size(); ++k) {
    EXPECT_NEAR(a.intercept[k], b.intercept[k], tolerance * (1 + std::abs(a.intercept[k])));
    for (std::size_t j = 0; j < a.coefficients.width(); ++j) {
      EXPECT_NEAR(a.coefficients(k, j), b.coefficients(k, j),
                  tolerance * (1e-2 + std::abs(a.coefficients(k, j))));
    }
  }
}

// Few stored numbers per row: some columns tell the class.
inline Dataset sparse_words(std::size_t n, std::size_t d, std::size_t classes) {
  CsrArrays matrix;
  matrix.cols = d;
  std::vector<std::int32_t> y;
  std::vector<std::string> names;
  for (std::size_t k = 0; k < classes; ++k) names.push_back("c" + std::to_string(k));
  for (std::size_t i = 0; i < n; ++i) {
    Stream stream(31, i);
    y.push_back(static_cast<std::int32_t>(stream.below(classes)));
    for (std::size_t j = 0; j < d; ++j) {
      const bool own = j % classes == static_cast<std::size_t>(y.back());
      if (stream.uniform() > (own ? 0.06 : 0.04)) continue;
      matrix.add(static_cast<std::uint32_t>(j), stream.uniform() + 0.5);
    }
    matrix.end_row();
  }
  return Dataset({Column::nominal("y", y, names)})
      .with_sparse({std::make_shared<CsrMatrix>(matrix), "f", 1});
}

inline Dataset made_dense(const Dataset& data) {
  const CsrMatrix& matrix = *data.sparse()->matrix;
  std::vector<std::vector<double>> x(matrix.cols, std::vector<double>(matrix.rows(), 0.0));
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    for (std::size_t at = matrix.row_begin[i]; at < matrix.row_begin[i + 1]; ++at) {
      x[matrix.index[at]][i] = matrix.value[at];
    }
  }
  std::vector<Column> columns = {data.column("y")};
  for (std::size_t j = 0; j < matrix.cols; ++j) {
    columns.push_back(Column::numeric(data.sparse()->name(j), x[j]));
  }
  return Dataset(std::move(columns));
}

}  // namespace gradus
