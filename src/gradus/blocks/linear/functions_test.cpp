#include "gradus/blocks/linear/functions.hpp"

#include <gtest/gtest.h>

#include "gradus/blocks/linear/rows.hpp"
#include "gradus/core/error.hpp"
#include "gradus/data/csr.hpp"

namespace gradus {
namespace {

CsrArrays two_rows() {
  CsrArrays out;
  out.cols = 3;
  out.row_begin = {0, 2, 3};
  out.index = {0, 2, 1};
  out.value = {1.5, -2, 4};
  return out;
}
const std::vector<double> kDense = {1.5, 0, -2, 0, 4, 0};

LinearFunctions line() {
  LinearFunctions out = LinearFunctions::zeros(1, 3);
  out.intercept = {0.5};
  out.coefficients.values = {2, -1, 1};
  out.two_classes = true;
  return out;
}

Signature two_classes() {
  Signature out;
  out.features = FeatureNames({{"a"}, {"b"}, {"c"}});
  out.classes = {"no", "yes"};
  return out;
}

TEST(LinearFunctions, two_classes_have_opposite_scores_and_sparse_rows_the_same_bytes) {
  const CsrMatrix matrix = two_rows();
  std::vector<double> dense(4), sparse(4);
  line().predict(RowBlock{kDense.data(), 2, 3}, dense.data());
  line().predict(SparseRows{matrix, 0, 2}, sparse.data());
  EXPECT_EQ(dense, (std::vector<double>{-1.5, 1.5, 3.5, -3.5}));
  EXPECT_EQ(dense, sparse);
}

TEST(LinearFunctions, scores_beyond_the_range_of_numbers_stay_comparable) {
  LinearFunctions f = line();
  f.coefficients.values = {1e300, 0, 0};
  const double row[] = {1e300, 0, 0};
  double out[2];
  f.predict(RowBlock{row, 1, 3}, out);
  EXPECT_EQ(out[1], 1e300);
}

TEST(LinearFunctions, sizes_that_do_not_fit_are_refused) {
  LinearFunctions f = line();
  EXPECT_NO_THROW(f.check(two_classes()));
  f.two_classes = false;
  EXPECT_THROW(f.check(two_classes()), Error);
  f = line();
  f.coefficients.values.pop_back();
  EXPECT_THROW(f.check(two_classes()), Error);
}

TEST(LinearFunctions, a_coefficient_that_is_no_number_is_named_by_its_column) {
  LinearFunctions f = line();
  f.coefficients.values[1] = 1e308 * 10;
  try {
    f.require_finite(two_classes());
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.where().find("\"b\""), std::string::npos);
  }
}

TEST(LinearFunctions, shows_the_sum_and_the_decision) {
  Recorder recorder;
  line().explain(std::span(kDense).first(3), two_classes(), recorder);
  ASSERT_EQ(recorder.steps().size(), 2U);
  EXPECT_EQ(recorder.steps()[0].values.at("z").as_number(), 1.5);
  EXPECT_EQ(recorder.steps()[1].text, "The row belongs to yes.");
  EXPECT_EQ(line().equation(0, two_classes()), "z(yes) = 0.5 + 2 a - 1 b + 1 c");
}

TEST(LinearRows, dense_and_sparse_rows_are_used_alike) {
  const Context context;
  const Features sparse(std::make_shared<const CsrMatrix>(two_rows()));
  std::vector<FeatureColumn> columns;
  for (std::size_t j = 0; j < 3; ++j) {
    columns.push_back({Column::numeric("x", std::vector<double>{kDense[j], kDense[3 + j]}), {}});
  }
  const Features dense(2, columns);
  const std::vector<double> w = {2, -1, 1};
  for (const Features* features : {&sparse, &dense}) {
    const LinearRows rows(*features, context);
    EXPECT_EQ(rows.dot(0, w.data()), 1);
    EXPECT_EQ(rows.dot(1, w.data()), -4);
    EXPECT_EQ(rows.square(0), 6.25);
    std::vector<double> sum(3, 1.0);
    rows.add(0, 2, sum.data());
    EXPECT_EQ(sum, (std::vector<double>{4, 1, -3}));
  }
  const CsrArrays back = as_sparse(dense, context).arrays();
  EXPECT_EQ(back.value, two_rows().value);
  EXPECT_EQ(back.index, two_rows().index);
  EXPECT_EQ(back.row_begin, two_rows().row_begin);
}

}  // namespace
}  // namespace gradus
