// The worked examples of the textbooks, each a JSON file in cases/: data, what to run, and every
// number that the text works out, with its tolerance. The intermediate numbers are read from the
// trace, so that the explanation itself is tested. README.md lists what is covered.
//
// A case names a `learner` with `parameters` and a table (`columns`, `rows`; the columns `target`,
// `weights`, `ignore`; numbers to be read as words in `nominal`), and expects
//   {"in": "fitted", "at": ["coefficients", "x"], "value": 1.5, "tolerance": 1e-9}
//   {"in": "fitted", "at": ["columns"], "count": 12}         how many there are
//   {"in": "step", "path": "tree/outlook=sunny", "at": ["gains", "humidity"], "value": 0.971}
//   {"in": "prediction", "row": {"outlook": "sunny"}, "class": "no", "probability": 0.795}
//   {"in": "row_step", "row": {...}, "path": "likelihood/yes", "at": ["prior"], "value": 0.643}
//   {"in": "evaluation", "at": ["accuracy"], "value": 1}     on the rows learned, or on its `rows`
// where `title` tells steps of one path apart. Or it measures without a learner: `scores` (classes
// or numbers with predictions, or the `counts` of a confusion matrix), `interval` (errors of n at a
// level), `hypotheses` (two error counts), `differences` (of two learners, per fold), `folds` (how
// many, of how many rows) or `models` (answers of several models to the same rows), and expects
// {"in": "scores", ...}. `"with": {...}` in an expectation replaces some of the parameters, or of
// what is measured, for this expectation alone.
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
#include "gradus/evaluate/bias_variance.hpp"
#include "gradus/evaluate/folds.hpp"
#include "gradus/evaluate/intervals.hpp"
#include "gradus/evaluate/metrics.hpp"
#include "gradus/evaluate/significance.hpp"
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
  const Value* title = expectation.find("title");
  for (const Step& step : steps) {
    if (step.path == path && (title == nullptr || step.title == title->as_string())) return step;
  }
  std::vector<std::string> paths;
  for (const Step& step : steps) paths.push_back(step.path);
  throw Error(ErrorKind::bad_data, path, "no such step; there are " + join(paths, " | "));
}

double tolerance_of(const Value& expectation) {
  const Value* tolerance = expectation.find("tolerance");
  return tolerance == nullptr ? kTolerance : tolerance->as_number();
}

void expect_at(const Value& root, const Value& expectation, const std::string& what) {
  const Value& got = walk(root, expectation.at("at").as_array());
  if (const Value* count = expectation.find("count")) {
    EXPECT_EQ(got.size(), static_cast<std::size_t>(count->as_integer())) << what;
    return;
  }
  expect_same(got, expectation.at("value"), tolerance_of(expectation), what);
}

// One name or a list of them; none when there is no such key.
std::vector<std::string> names_at(const Value& object, std::string_view key) {
  std::vector<std::string> names;
  const Value* found = object.find(key);
  if (found == nullptr) return names;
  if (found->is_string()) return {found->as_string()};
  for (const Value& name : found->as_array()) names.push_back(name.as_string());
  return names;
}

// A copy of `base` with the values of `changes` in the place of its own.
Value changed(Value base, const Value& changes) {
  for (const auto& [name, value] : changes.as_object()) base[name] = value;
  return base;
}

class Example {
 public:
  Example(const Value& description, const Value& parameters) : about_(description) {
    training_ = table_from(about_, about_.at("rows").as_array());
    AnyLearner learner(about_.at("learner").as_string());
    for (const auto& [name, value] : parameters.as_object()) learner.set(name, value);
    FitOptions options;
    options.target = names_at(about_, "target");
    options.ignore = names_at(about_, "ignore");
    if (const Value* weights = about_.find("weights")) options.weights = weights->as_string();
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
    } else if (place == "evaluation") {
      const Value* rows = expectation.find("rows");
      const Dataset data = rows == nullptr ? weighted() : table_from(about_, rows->as_array());
      root = evaluate(*model_, data, {}, {.extra = Extra::ignore});
    } else {
      FAIL() << what << ": unknown place " << place;
    }
    expect_at(root, expectation, what);
  }

 private:
  Dataset weighted() const {
    const Value* name = about_.find("weights");
    if (name == nullptr) return training_;
    std::vector<double> numbers;
    const Column& column = training_.column(name->as_string());
    for (std::size_t row = 0; row < training_.rows(); ++row) numbers.push_back(column.number(row));
    return training_.with_weights(std::move(numbers));
  }

  void expect_prediction(const Value& expectation, const std::string& what) const {
    const Dataset row = row_from(about_, expectation.at("row"), training_);
    const Predictions predictions = model_->predict(row, {}, {.extra = Extra::ignore});
    const double allowed = tolerance_of(expectation);
    if (const Value* label = expectation.find("class")) {
      EXPECT_EQ(predictions.classes.at(predictions.label(0)), label->as_string()) << what;
      if (const Value* probability = expectation.find("probability")) {
        EXPECT_NEAR(predictions.row(0)[predictions.label(0)], probability->as_number(), allowed)
            << what;
      }
    } else {
      const Value& wanted = expectation.at("value");
      const auto got = predictions.row(0);
      if (wanted.is_number()) return expect_same(got[0], wanted, allowed, what);
      expect_same(std::vector<double>(got.begin(), got.end()), wanted, allowed, what);
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

// Codes and weights of the cells [actual][predicted] of a confusion matrix.
struct Cells {
  std::vector<std::int32_t> actual;
  std::vector<std::int32_t> predicted;
  std::vector<double> weights;
};

Cells cells_of(const Value& counts) {
  Cells cells;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::vector<double> row = numbers_of(counts.as_array()[i]);
    for (std::size_t j = 0; j < row.size(); ++j) {
      cells.actual.push_back(static_cast<std::int32_t>(i));
      cells.predicted.push_back(static_cast<std::int32_t>(j));
      cells.weights.push_back(row[j]);
    }
  }
  return cells;
}

// Examples that only measure: actual and predicted classes (codes into `labels`) or numbers.
Value measured_scores(const Value& scores) {
  if (scores.find("labels") == nullptr) {
    return to_value(
        evaluate_numbers(numbers_of(scores.at("actual")), numbers_of(scores.at("predicted"))));
  }
  const std::vector<std::string> labels = names_at(scores, "labels");
  if (const Value* counts = scores.find("counts")) {
    const Cells cells = cells_of(*counts);
    return to_value(evaluate_classes(cells.actual, cells.predicted, {}, labels, cells.weights));
  }
  const auto optional = [&](std::string_view key) {
    const Value* list = scores.find(key);
    return list == nullptr ? std::vector<double>{} : numbers_of(*list);
  };
  return to_value(evaluate_classes(codes_of(scores.at("actual")), codes_of(scores.at("predicted")),
                                   optional("probabilities"), labels, optional("weights")));
}

// Two hypotheses with errors `e1` of `n1` and `e2` of `n2`: the difference and its interval.
Value measured_hypotheses(const Value& about) {
  const auto number = [&](const char* name) { return about.at(name).as_number(); };
  const ErrorCount first{.errors = number("e1") * number("n1"), .n = number("n1")};
  const ErrorCount second{.errors = number("e2") * number("n2"), .n = number("n2")};
  const TestResult test = two_proportions(first, second, number("level"));
  const double difference = (test.interval->low + test.interval->high) / 2;
  return object({{"difference", difference},
                 {"half_width", test.interval->high - difference},
                 {"better", difference > 0 ? 2 : 1}});
}

// The mean of differences per fold, and the t of the paired test.
Value measured_differences(const Value& about) {
  const std::vector<double> a = numbers_of(about.at("first"));
  const std::vector<double> b = numbers_of(about.at("second"));
  std::vector<double> differences;
  double mean = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    differences.push_back(a[i] - b[i]);
    mean += differences.back() / static_cast<double>(a.size());
  }
  return object({{"differences", Value(differences)},
                 {"mean", mean},
                 {"t", paired_t(differences).statistic},
                 {"better", mean > 0 ? 2 : 1}});
}

// Pairs of training and examined rows, their sizes, and what two training sets share.
Value measured_folds(const Value& about) {
  const auto rows = static_cast<std::size_t>(about.at("rows").as_integer());
  FoldOptions options{.folds = static_cast<std::size_t>(about.at("folds").as_integer())};
  const std::vector<std::string> words = scheme_words();
  const auto word = std::find(words.begin(), words.end(), about.at("scheme").as_string());
  GRADUS_ASSERT(word != words.end());
  options.scheme = static_cast<FoldScheme>(word - words.begin());
  const Folds folds =
      make_folds(Dataset({Column::numeric("x", std::vector<double>(rows, 0.0))}), options);
  const std::vector<std::size_t> first = folds.train(0);
  const std::vector<std::size_t> second = folds.train(1);
  std::size_t shared = 0;
  for (const std::size_t row : first) {
    shared += static_cast<std::size_t>(std::count(second.begin(), second.end(), row));
  }
  return object({{"pairs", Value(folds.size())},
                 {"training_rows", Value(first.size())},
                 {"examined_rows", Value(folds.test(0).size())},
                 {"shared_by_two_training_sets", Value(shared)}});
}

// Expected error, variance, bias and noise of models that are as likely as `likely` says.
Value measured_models(const Value& about) {
  std::vector<std::vector<double>> answers;
  for (const Value& one : about.at("answers").as_array()) answers.push_back(numbers_of(one));
  const std::vector<double> targets = numbers_of(about.at("targets"));
  const std::vector<double> weights = numbers_of(about.at("weights"));
  const std::vector<double> likely = numbers_of(about.at("likely"));
  const std::vector<std::size_t> same_features(targets.size(), 0);
  double mean = 0;
  for (std::size_t m = 0; m < answers.size(); ++m) mean += likely[m] * answers[m][0];
  const Decomposition parts = decompose({.answers = answers,
                                         .targets = targets,
                                         .groups = same_features,
                                         .row_weights = weights,
                                         .model_weights = likely});
  return object({{"mean_answer", mean},
                 {"variance", parts.variance},
                 {"bias2", parts.bias2},
                 {"noise", parts.noise},
                 {"expected_error", parts.expected_error}});
}

// `errors` of `n` at a `level`, by every kind of interval.
Value measured_interval(const Value& about) {
  const ErrorCount count{.errors = about.at("errors").as_number(), .n = about.at("n").as_number()};
  const double level = about.at("level").as_number();
  const auto ends = [](const Interval& interval) {
    return Value(std::vector<double>{interval.low, interval.high});
  };
  return object({{"z", normal_z(level)},
                 {"error_rate", count.errors / count.n},
                 {"normal", ends(normal_interval(count, level))},
                 {"wilson", ends(wilson_interval(count, level))},
                 {"exact", ends(exact_interval(count, level))}});
}

// What can be measured without a learner, by the key of the case that says it.
struct Measured {
  std::string_view key;
  Value (*measure)(const Value& about);
  std::vector<std::string_view> members;
};
const Measured kMeasured[] = {
    {"scores",
     measured_scores,
     {"labels", "actual", "predicted", "counts", "probabilities", "weights"}},
    {"interval", measured_interval, {"errors", "n", "level"}},
    {"hypotheses", measured_hypotheses, {"e1", "n1", "e2", "n2", "level"}},
    {"differences", measured_differences, {"first", "second"}},
    {"folds", measured_folds, {"rows", "folds", "scheme"}},
    {"models", measured_models, {"answers", "targets", "weights", "likely"}}};

void expect_measured(const Value& example, const Value& expectation) {
  for (const Measured& kind : kMeasured) {
    const Value* about = example.find(kind.key);
    if (about == nullptr) continue;
    const Value* changes = expectation.find("with");
    const Value input = changes == nullptr ? *about : changed(*about, *changes);
    return expect_at(kind.measure(input), expectation, to_json(expectation));
  }
  ADD_FAILURE() << "the case names neither a learner nor something to measure";
}

// A misspelt key would be an expectation that nobody checks.
void require_known_keys(const Value& part, const std::vector<std::string_view>& known,
                        const std::string& what) {
  for (const auto& [key, value] : part.as_object()) {
    EXPECT_NE(std::find(known.begin(), known.end(), key), known.end())
        << "unknown key " << key << " in " << what;
  }
}

void require_known_keys(const Value& example) {
  require_known_keys(
      example,
      {"id", "about", "expect", "learner", "columns", "rows", "target", "parameters", "weights",
       "scores", "ignore", "nominal", "interval", "hypotheses", "differences", "folds", "models"},
      "the case");
  for (const Measured& kind : kMeasured) {
    const Value* about = example.find(kind.key);
    if (about != nullptr) require_known_keys(*about, kind.members, std::string(kind.key));
  }
  for (const Value& one : example.at("expect").as_array()) {
    const std::string& place = one.at("in").as_string();
    require_known_keys(one,
                       {"in", "value", "count", "at", "path", "with", "row", "tolerance", "class",
                        "title", "probability", "rows"},
                       to_json(one));
    const bool row = place == "prediction" || place == "row_step";
    const bool step = place == "step" || place == "row_step";
    EXPECT_EQ(one.find("row") != nullptr, row) << to_json(one);
    EXPECT_EQ(one.find("path") != nullptr, step) << to_json(one);
    EXPECT_TRUE(one.find("rows") == nullptr || place == "evaluation") << to_json(one);
    EXPECT_TRUE(one.find("title") == nullptr || step) << to_json(one);
    EXPECT_TRUE(one.find("class") == nullptr || place == "prediction") << to_json(one);
    EXPECT_TRUE(one.find("probability") == nullptr || one.find("class") != nullptr) << to_json(one);
    const auto has = [&one](std::string_view key) { return one.find(key) == nullptr ? 0 : 1; };
    EXPECT_EQ(has("value") + has("count") + has("class"), 1) << to_json(one);
  }
}

class Textbook : public testing::TestWithParam<std::string> {};

TEST_P(Textbook, gives_every_number_of_the_text) {
  const Value example = read_case(GetParam());
  const auto& expectations = example.at("expect").as_array();
  ASSERT_FALSE(expectations.empty()) << "a case that expects nothing";
  require_known_keys(example);
  if (example.find("learner") == nullptr) {
    for (const Value& one : expectations) expect_measured(example, one);
    return;
  }
  const Value* given = example.find("parameters");
  const Value parameters = given == nullptr ? object() : *given;
  const Example run(example, parameters);
  for (const Value& one : expectations) {
    if (const Value* changes = one.find("with")) {
      Example(example, changed(parameters, *changes)).expect(one, to_json(one));
    } else {
      run.expect(one, to_json(one));
    }
  }
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
