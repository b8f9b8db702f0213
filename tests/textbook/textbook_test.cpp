// The worked examples of the textbooks, each a JSON file in cases/: data, what to run, and every
// number that the text works out, with its tolerance. The intermediate numbers are read from the
// trace, so that the explanation itself is tested.
//
// A case names a `learner` with `parameters` and a table (`columns`, `rows`, `target`), and expects
//   {"in": "fitted", "at": ["coefficients", "x"], "value": 1.5, "tolerance": 1e-9}
//   {"in": "step", "path": "tree/outlook=sunny", "at": ["gains", "humidity"], "value": 0.971}
//   {"in": "prediction", "row": {"outlook": "sunny"}, "class": "no", "probability": 0.795}
//   {"in": "row_step", "row": {...}, "path": "class yes", "at": ["product"], "value": 0.0053}
// or it gives `scores` (classes or numbers with predictions) and expects {"in": "scores", ...}.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "gradus/api/fit.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/read_file.hpp"
#include "gradus/core/text.hpp"
#include "gradus/evaluate/metrics.hpp"
#include "gradus/trace/trace.hpp"
#include "support/source_path.hpp"

namespace gradus {
namespace {

constexpr double kTolerance = 1e-9;

std::vector<std::string> case_files() {
  std::vector<std::string> paths;
  for (const auto& file :
       std::filesystem::directory_iterator(source_path("tests/textbook/cases"))) {
    if (file.path().extension() == ".json") paths.push_back(file.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

Value read_case(const std::string& path) {
  return parse_json(read_whole_file(path, 16U << 20U), path);
}

// A column is numeric when all its cells are numbers (or null) and it is not listed as nominal.
Column column_from(const std::string& name, const std::vector<const Value*>& cells, bool nominal) {
  const bool numbers = std::all_of(cells.begin(), cells.end(), [](const Value* cell) {
    return cell->is_number() || cell->is_null();
  });
  if (numbers && !nominal) {
    std::vector<double> values;
    for (const Value* cell : cells) values.push_back(cell->is_null() ? NAN : cell->as_number());
    return Column::numeric(name, values);
  }
  std::vector<std::optional<std::string>> texts;
  for (const Value* cell : cells) {
    if (cell->is_null()) {
      texts.emplace_back();
    } else {
      texts.emplace_back(cell->is_string() ? cell->as_string() : to_json(*cell));
    }
  }
  return categorical_from_texts(name, texts);
}

bool lists(const Value& object, std::string_view key, const std::string& name) {
  const Value* list = object.find(key);
  if (list == nullptr) return false;
  const auto& items = list->as_array();
  return std::any_of(items.begin(), items.end(),
                     [&](const Value& item) { return item.as_string() == name; });
}

Dataset table_from(const Value& example, const Value::Array& rows) {
  std::vector<Column> columns;
  const auto& names = example.at("columns").as_array();
  for (std::size_t j = 0; j < names.size(); ++j) {
    std::vector<const Value*> cells;
    for (const Value& row : rows) cells.push_back(&row.as_array().at(j));
    const std::string& name = names[j].as_string();
    columns.push_back(column_from(name, cells, lists(example, "nominal", name)));
  }
  return Dataset(std::move(columns));
}

// One row given by column name; columns that it does not name are missing.
Dataset row_from(const Value& example, const Value& cells, const Dataset& training) {
  std::vector<Column> columns;
  for (const Value& name : example.at("columns").as_array()) {
    const Column& like = training.column(name.as_string());
    const Value* cell = cells.find(name.as_string());
    static const Value kMissing;
    const Value* shown = cell == nullptr ? &kMissing : cell;
    Column column = column_from(name.as_string(), {shown}, !like.is_numeric());
    columns.push_back(column);
  }
  return Dataset(std::move(columns));
}

const Value& walk(const Value& root, const Value::Array& keys) {
  const Value* here = &root;
  for (const Value& key : keys) {
    here = key.is_string() ? &here->at(key.as_string())
                           : &here->as_array().at(static_cast<std::size_t>(key.as_integer()));
  }
  return *here;
}

void expect_same(const Value& got, const Value& wanted, double tolerance, const std::string& what) {
  if (wanted.is_number()) {
    ASSERT_TRUE(got.is_number()) << what << ": got " << to_json(got);
    EXPECT_NEAR(got.as_number(), wanted.as_number(), tolerance) << what;
  } else if (wanted.is_array()) {
    ASSERT_EQ(got.size(), wanted.size()) << what << ": got " << to_json(got);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      expect_same(got.as_array()[i], wanted.as_array()[i], tolerance,
                  fmt::format("{}[{}]", what, i));
    }
  } else if (wanted.is_object()) {
    for (const auto& [key, value] : wanted.as_object()) {
      const Value* found = got.is_object() ? got.find(key) : nullptr;
      ASSERT_NE(found, nullptr) << what << " has no " << key << ": " << to_json(got);
      expect_same(*found, value, tolerance, what + "." + key);
    }
  } else {
    EXPECT_EQ(got, wanted) << what;
  }
}

const Step& step_at(const std::vector<Step>& steps, const Value& expectation) {
  const std::string& path = expectation.at("path").as_string();
  for (const Step& step : steps) {
    if (step.path == path) return step;
  }
  std::vector<std::string> paths;
  for (const Step& step : steps) paths.push_back(step.path);
  throw Error(ErrorKind::bad_data, path, "no such step; there are " + join(paths, " | "));
}

class Example {
 public:
  explicit Example(const Value& description) : about_(description) {
    training_ = table_from(about_, about_.at("rows").as_array());
    AnyLearner learner(about_.at("learner").as_string());
    if (const Value* parameters = about_.find("parameters")) {
      for (const auto& [name, value] : parameters->as_object()) learner.set(name, value);
    }
    FitOptions options;
    if (const Value* target = about_.find("target")) options.target = {target->as_string()};
    if (const Value* ignored = about_.find("ignore")) {
      for (const Value& name : ignored->as_array()) options.ignore.push_back(name.as_string());
    }
    Context context;
    context.trace = &fit_trace_;
    model_ = fit(learner, training_, options, context);
  }

  void expect(const Value& expectation, const std::string& what) const {
    const std::string& place = expectation.at("in").as_string();
    if (place == "prediction") return expect_prediction(expectation, what);
    Recorder row_trace;
    Value root;
    if (place == "fitted") {
      root = model_->fitted();
    } else if (place == "step") {
      root = step_at(fit_trace_.steps(), expectation).values;
    } else if (place == "row_step") {
      model_->explain_row(row_from(about_, expectation.at("row"), training_), 0, row_trace);
      root = step_at(row_trace.steps(), expectation).values;
    } else {
      FAIL() << what << ": unknown place " << place;
    }
    const Value* tolerance = expectation.find("tolerance");
    expect_same(walk(root, expectation.at("at").as_array()), expectation.at("value"),
                tolerance == nullptr ? kTolerance : tolerance->as_number(), what);
  }

 private:
  void expect_prediction(const Value& expectation, const std::string& what) const {
    const Dataset row = row_from(about_, expectation.at("row"), training_);
    const Predictions predictions = model_->predict(row, {}, {.extra = Extra::ignore});
    const Value* tolerance = expectation.find("tolerance");
    const double allowed = tolerance == nullptr ? kTolerance : tolerance->as_number();
    if (const Value* label = expectation.find("class")) {
      EXPECT_EQ(predictions.classes.at(predictions.label(0)), label->as_string()) << what;
      if (const Value* probability = expectation.find("probability")) {
        EXPECT_NEAR(predictions.row(0)[predictions.label(0)], probability->as_number(), allowed)
            << what;
      }
    } else {
      EXPECT_NEAR(predictions.row(0)[0], expectation.at("value").as_number(), allowed) << what;
    }
  }

  const Value& about_;
  Dataset training_;
  Recorder fit_trace_;
  std::optional<AnyModel> model_;
};

std::vector<double> numbers_of(const Value& list) {
  std::vector<double> numbers;
  for (const Value& item : list.as_array()) numbers.push_back(item.as_number());
  return numbers;
}

std::vector<std::int32_t> codes_of(const Value& list) {
  std::vector<std::int32_t> codes;
  for (const Value& item : list.as_array())
    codes.push_back(static_cast<std::int32_t>(item.as_integer()));
  return codes;
}

// Examples that only measure: actual and predicted classes (codes into `labels`) or numbers.
Value measured(const Value& scores) {
  if (scores.find("labels") == nullptr) {
    return to_value(
        evaluate_numbers(numbers_of(scores.at("actual")), numbers_of(scores.at("predicted"))));
  }
  std::vector<std::string> labels;
  for (const Value& label : scores.at("labels").as_array()) labels.push_back(label.as_string());
  const Value* probabilities = scores.find("probabilities");
  return to_value(evaluate_classes(
      codes_of(scores.at("actual")), codes_of(scores.at("predicted")),
      probabilities == nullptr ? std::vector<double>{} : numbers_of(*probabilities), labels));
}

class Textbook : public testing::TestWithParam<std::string> {};

TEST_P(Textbook, gives_every_number_of_the_text) {
  const Value example = read_case(GetParam());
  const auto& expectations = example.at("expect").as_array();
  ASSERT_FALSE(expectations.empty()) << "a case that expects nothing";
  if (const Value* scores = example.find("scores")) {
    const Value result = measured(*scores);
    for (const Value& one : expectations) {
      const Value* tolerance = one.find("tolerance");
      expect_same(walk(result, one.at("at").as_array()), one.at("value"),
                  tolerance == nullptr ? kTolerance : tolerance->as_number(), to_json(one));
    }
    return;
  }
  const Example run(example);
  for (const Value& one : expectations) run.expect(one, to_json(one));
}

std::string file_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = std::filesystem::path(info.param).stem().string();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Examples, Textbook, testing::ValuesIn(case_files()), file_name);

}  // namespace
}  // namespace gradus
