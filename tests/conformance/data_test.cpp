// The same data in another form is the same data: weights, layouts, precision, missing cells.
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#include "conformance/learner_case.hpp"
#include "gradus/api/save.hpp"
#include "gradus/core/error.hpp"

namespace gradus::conformance {
namespace {

class Data : public EveryLearner {
 protected:
  std::vector<double> answers(const Dataset& training) const {
    return fit(learner(), training, small().options).predict(small().features).values;
  }
  bool takes_weights() const { return info().accepts.has(Accept::weights); }
};
GRADUS_FOR_EVERY_LEARNER(Data);

void expect_close(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_NEAR(a[i], b[i], 1e-9 * std::max(1.0, std::abs(a[i]))) << "at " << i;
  }
}

TEST_P(Data, weights_of_one_change_nothing) {
  const SmallCase data = small();
  const Dataset weighted = data.data.with_weights(std::vector<double>(data.data.rows(), 1.0));
  if (!takes_weights()) {
    EXPECT_THROW(fit(learner(), weighted, data.options), Error);
    return;
  }
  EXPECT_EQ(answers(weighted), answers(data.data));
}

TEST_P(Data, an_integer_weight_is_a_row_written_that_often) {
  if (!takes_weights() || has_seed()) return;  // random starts draw by row, not by weight
  const SmallCase data = small();
  std::vector<double> weights(data.data.rows());
  std::vector<std::size_t> repeated;
  for (std::size_t row = 0; row < weights.size(); ++row) {
    weights[row] = static_cast<double>(row % 4);
    repeated.insert(repeated.end(), row % 4, row);
  }
  expect_close(answers(data.data.with_weights(weights)), answers(data.data.take(repeated)));
}

TEST_P(Data, the_weight_of_a_class_is_that_of_its_rows) {
  const ParamInfo* param = find_param(GetParam().entry->params, "class_weight");
  if (param == nullptr || GetParam().task != Task::classify) return;
  const SmallCase data = small();
  const Column& target = data.data.column("target");
  std::vector<double> weights(data.data.rows());
  Value by_class = object();
  for (std::size_t c = 0; c < target.levels().size(); ++c) {
    by_class[target.levels()[c]] = Value(0.5 + static_cast<double>(c));
  }
  for (std::size_t row = 0; row < weights.size(); ++row) {
    weights[row] = 0.5 + static_cast<double>(target.code(row));
  }
  AnyLearner weighing = learner();
  // A sample is drawn by the weights of the rows, and not by those of the classes.
  if (find_param(GetParam().entry->params, "bootstrap") != nullptr) {
    weighing.set("bootstrap", Value(false));
  }
  const AnyModel by_hand = fit(weighing, data.data.with_weights(weights), data.options);
  weighing.set("class_weight", by_class);
  const AnyModel model = fit(weighing, data.data, data.options);
  EXPECT_EQ(model.predict(data.features).values, by_hand.predict(data.features).values);
  by_class["no such class"] = Value(1.0);
  weighing.set("class_weight", by_class);
  EXPECT_EQ(fit(weighing, data.data, data.options).predict(data.features).values,
            model.predict(data.features).values);
  by_class[target.levels().front()] = Value(0.0);
  weighing.set("class_weight", by_class);
  EXPECT_EQ(fit_and_predict(weighing, data.data, data.options), Outcome::works);
  weighing.set("class_weight", object({{"no such class", 2.0}}));
  EXPECT_THROW(fit(weighing, data.data, data.options), Error);
}

// The data with holes in every column of features, numeric and nominal.
Dataset with_holes(const Dataset& data, const std::string& target) {
  std::vector<Column> columns;
  for (std::size_t j = 0; j < data.columns().size(); ++j) {
    const Column& column = data.columns()[j];
    const auto hole = [&](std::size_t row) { return row % 5 == j % 5; };
    if (column.name() == target) {
      columns.push_back(column);
    } else if (column.is_numeric()) {
      std::vector<double> values(column.size());
      for (std::size_t row = 0; row < values.size(); ++row) {
        values[row] = hole(row) ? std::numeric_limits<double>::quiet_NaN() : column.number(row);
      }
      columns.push_back(Column::numeric(column.name(), values));
    } else {
      std::vector<std::int32_t> codes(column.size());
      for (std::size_t row = 0; row < codes.size(); ++row) {
        codes[row] = hole(row) ? kMissingCode : column.code(row);
      }
      columns.push_back(Column::nominal(column.name(), codes, column.levels()));
    }
  }
  return Dataset(std::move(columns));
}

TEST_P(Data, an_integer_weight_is_a_row_written_that_often_in_what_is_imputed_and_scaled) {
  if (!takes_weights() || has_seed()) return;  // random starts draw by row, not by weight
  SmallCase data = small();
  const std::string target = data.options.target.empty() ? "" : data.options.target.front();
  const Dataset holed = with_holes(data.data, target);
  std::vector<double> weights(holed.rows());
  std::vector<std::size_t> repeated;
  for (std::size_t row = 0; row < weights.size(); ++row) {
    weights[row] = static_cast<double>(row % 4);
    repeated.insert(repeated.end(), row % 4, row);
  }
  for (const bool standardize : {false, true}) {
    data.options.prepare.standardize = standardize;
    const AnyModel weighted = fit(learner(), holed.with_weights(weights), data.options);
    const AnyModel written = fit(learner(), holed.take(repeated), data.options);
    const PredictOptions ignore{.extra = Extra::ignore};
    expect_close(weighted.predict(holed, {}, ignore).values,
                 written.predict(holed, {}, ignore).values);
  }
}

TEST_P(Data, weights_that_make_no_sense_are_refused) {
  if (!takes_weights()) return;
  const SmallCase data = small();
  const std::size_t n = data.data.rows();
  EXPECT_THROW(data.data.with_weights(std::vector<double>(n, 0.0)), Error);
  EXPECT_THROW(data.data.with_weights(std::vector<double>(n + 1, 1.0)), Error);
  EXPECT_THROW(data.data.with_weights(std::vector<double>(n, -1.0)), Error);
  EXPECT_THROW(
      data.data.with_weights(std::vector<double>(n, std::numeric_limits<double>::quiet_NaN())),
      Error);
}

TEST_P(Data, the_order_of_the_rows_does_not_matter_to_a_learner_without_a_seed) {
  if (has_seed()) return;
  const SmallCase data = small();
  const Dataset reordered = with_rows(data.data, [](std::size_t n) {
    std::vector<std::size_t> rows(n);
    for (std::size_t i = 0; i < n; ++i) rows[i] = (i * 7 + 3) % n;
    return rows;
  });
  expect_close(answers(reordered), answers(data.data));
}

// Numeric columns replaced by `convert(values, all columns, index)`.
template <class Convert>
Dataset converted(const Dataset& data, const std::string& target, Convert convert) {
  Dataset out = data;
  for (const Column& column : data.columns()) {
    if (!column.is_numeric() || column.name() == target) continue;
    std::vector<double> values(column.size());
    for (std::size_t row = 0; row < column.size(); ++row) values[row] = column.number(row);
    out = out.with_column(convert(column.name(), values));
  }
  return out;
}

std::string target_of(const FitOptions& options) {
  return options.target.empty() ? "" : options.target.front();
}

TEST_P(Data, single_precision_columns_give_the_model_of_the_same_numbers) {
  const SmallCase data = small();
  const std::string target = target_of(data.options);
  const Dataset narrow = converted(data.data, target, [](const auto& name, const auto& values) {
    return Column::numeric(name, std::vector<float>(values.begin(), values.end()));
  });
  const Dataset widened = converted(data.data, target, [](const auto& name, auto values) {
    for (double& x : values) x = static_cast<double>(static_cast<float>(x));
    return Column::numeric(name, values);
  });
  EXPECT_EQ(fit(learner(), narrow, data.options).fingerprint(),
            fit(learner(), widened, data.options).fingerprint());
}

TEST_P(Data, strided_columns_give_the_same_bytes) {
  const SmallCase data = small();
  const Dataset strided =
      converted(data.data, target_of(data.options), [](const auto& name, const auto& values) {
        auto spread = std::make_shared<std::vector<double>>(values.size() * 3, -1.0);
        for (std::size_t row = 0; row < values.size(); ++row) {
          (*spread)[(values.size() - 1 - row) * 3] = values[row];
        }
        // Backwards through memory, three apart: a negative stride, as NumPy may hand over.
        const double* first = spread->data() + (values.size() - 1) * 3;
        return Column::numeric_view(name, ElementType::float64, first, values.size(),
                                    -3 * static_cast<std::ptrdiff_t>(sizeof(double)), spread);
      });
  EXPECT_EQ(fit(learner(), strided, data.options).fingerprint(),
            fit(learner(), data.data, data.options).fingerprint());
}

TEST_P(Data, missing_cells_are_taken_or_refused_as_declared) {
  const SmallCase data = small();
  const Dataset holed =
      converted(data.data, target_of(data.options), [](const auto& name, auto values) {
        values[1] = std::numeric_limits<double>::quiet_NaN();
        return Column::numeric(name, values);
      });
  EXPECT_EQ(fit_and_predict(learner(), holed, data.options), Outcome::works);
  const bool unchanged = holed.fingerprint() == data.data.fingerprint();
  FitOptions strict = data.options;
  strict.prepare.missing = Missing::error;
  const Outcome expected =
      unchanged || info().accepts.has(Accept::missing) ? Outcome::works : Outcome::refuses;
  EXPECT_EQ(fit_and_predict(learner(), holed, strict), expected);
}

TEST_P(Data, sparse_rows_are_the_dense_rows) {
  if (!info().accepts.has(Accept::numeric)) return;
  const SmallCase data = small();
  std::vector<Column> dense;
  CsrArrays matrix;
  for (const Column& column : data.features.columns()) {
    if (column.is_numeric()) dense.push_back(column);
  }
  matrix.cols = dense.size();
  for (std::size_t row = 0; row < data.data.rows(); ++row) {
    for (std::size_t j = 0; j < dense.size(); ++j) {
      if (dense[j].number(row) == 0) continue;
      matrix.add(static_cast<std::uint32_t>(j), dense[j].number(row));
    }
    matrix.end_row();
  }
  const std::string target = target_of(data.options);
  const SparseBlock block{std::make_shared<const CsrMatrix>(matrix), "f", 1};
  Dataset sparse_data = target.empty() ? Dataset().with_sparse(block)
                                       : Dataset({data.data.column(target)}).with_sparse(block);
  if (!target.empty()) dense.push_back(data.data.column(target));
  const std::vector<double> from_sparse =
      fit(learner(), sparse_data, data.options).predict(sparse_data).values;
  const Dataset dense_data{dense};
  expect_close(from_sparse, fit(learner(), dense_data, data.options).predict(dense_data).values);
}

TEST_P(Data, learning_in_two_parts_is_learning_at_once) {
  const SmallCase data = small();
  std::vector<std::size_t> first;
  std::vector<std::size_t> second;
  // Both parts see all classes: every third row goes to the second part.
  for (std::size_t row = 0; row < data.data.rows(); ++row) {
    ((row / 3) % 2 == 0 ? first : second).push_back(row);
  }
  const AnyModel begun = fit(learner(), data.data.take(first), data.options);
  if (!info().gives.has(Give::incremental)) {
    EXPECT_THROW(update(begun, data.data.take(second), data.options), Error);
    return;
  }
  const AnyModel gone_on = update(begun, data.data.take(second), data.options);
  if (has_seed()) {  // the order of the rows is part of the result: going on is all that is owed
    EXPECT_NE(gone_on.fingerprint(), begun.fingerprint());
    return;
  }
  expect_close(gone_on.predict(data.features).values, answers(data.data));
}

TEST_P(Data, a_target_of_the_wrong_kind_is_refused) {
  const SmallCase data = small();
  const std::string target = target_of(data.options);
  if (target.empty()) {
    FitOptions options = data.options;
    options.target = {data.data.columns().front().name()};
    EXPECT_THROW(fit(learner(), data.data, options), Error);
    return;
  }
  FitOptions options = data.options;
  options.task = GetParam().task;
  std::vector<double> continuous(data.data.rows());
  for (std::size_t i = 0; i < continuous.size(); ++i)
    continuous[i] = 0.37 * static_cast<double>(i) + 0.1;
  const Column wrong =
      GetParam().task == Task::regress
          ? Column::nominal(target, std::vector<std::int32_t>(data.data.rows(), 0), {"a"})
          : Column::numeric(target, continuous);
  EXPECT_THROW(fit(learner(), data.data.with_column(wrong), options), Error);
  std::vector<double> holed = continuous;
  holed[3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(fit(learner(), data.data.with_column(Column::numeric(target, holed)), options),
               Error);
}

TEST_P(Data, infinity_is_refused_with_its_column) {
  if (!info().accepts.has(Accept::numeric)) return;
  const SmallCase data = small();
  const Dataset infinite =
      converted(data.data, target_of(data.options), [](const auto& name, auto values) {
        values[2] = std::numeric_limits<double>::infinity();
        return Column::numeric(name, values);
      });
  try {
    fit(learner(), infinite, data.options);
    FAIL() << "took infinity";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_data);
    EXPECT_NE(error.where().find("column"), std::string::npos);
  }
}

}  // namespace
}  // namespace gradus::conformance
