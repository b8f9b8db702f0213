// Folds, cross-validation, comparison, tuning and curves for Python: thin doors to evaluate/.
// Options come as JSON text, results go as the values that the command prints with --json.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <functional>
#include <memory>

#include "convert.hpp"
#include "gradus/core/error.hpp"
#include "gradus/evaluate/bias_variance.hpp"
#include "gradus/evaluate/compare.hpp"
#include "gradus/evaluate/compare_datasets.hpp"
#include "gradus/evaluate/curves.hpp"
#include "gradus/evaluate/ranking.hpp"
#include "gradus/evaluate/select_features.hpp"
#include "gradus/evaluate/tune.hpp"
#include "jobs.hpp"
#include "learners.hpp"
#include "table.hpp"

namespace gradus::python {
namespace {

using Indices = nb::ndarray<nb::numpy, const std::int64_t, nb::ndim<1>, nb::c_contig>;
using Codes = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// The members of a JSON object by name, with a default for what is not there.
class Options {
 public:
  explicit Options(const std::string& json) : value_(parse_json(json, "options")) {}

  std::string text(std::string_view name) const {
    const Value* found = given(name);
    return found == nullptr ? std::string() : found->as_string();
  }
  double number(std::string_view name, double usual) const {
    const Value* found = given(name);
    return found == nullptr ? usual : found->as_number();
  }
  std::size_t count(std::string_view name, std::size_t usual) const {
    const Value* found = given(name);
    if (found == nullptr) return usual;
    if (found->as_integer() < 0) {
      throw Error(ErrorKind::usage, std::string(name), "expected a number of at least 0");
    }
    return static_cast<std::size_t>(found->as_integer());
  }
  bool flag(std::string_view name) const {
    const Value* found = given(name);
    return found != nullptr && found->as_bool();
  }
  std::optional<double> maybe(std::string_view name) const {
    const Value* found = given(name);
    return found == nullptr ? std::nullopt : std::optional(found->as_number());
  }
  std::vector<std::string> texts(std::string_view name) const {
    std::vector<std::string> out;
    const Value* found = given(name);
    if (found == nullptr) return out;
    for (const Value& one : found->as_array()) out.push_back(one.as_string());
    return out;
  }
  std::vector<double> numbers(std::string_view name) const {
    std::vector<double> out;
    const Value* found = given(name);
    if (found == nullptr) return out;
    for (const Value& one : found->as_array()) out.push_back(one.as_number());
    return out;
  }
  // The position of a word among those allowed; the first when it is not given.
  std::size_t word(std::string_view name, const std::vector<std::string>& words,
                   std::size_t usual) const {
    const Value* found = given(name);
    if (found == nullptr) return usual;
    const auto at = std::find(words.begin(), words.end(), found->as_string());
    if (at == words.end()) {
      std::string known;
      for (const std::string& one : words) known += (known.empty() ? "" : ", ") + one;
      throw Error(ErrorKind::usage, std::string(name),
                  "expected one of " + known + " (got " + to_json(*found) + ")");
    }
    return static_cast<std::size_t>(at - words.begin());
  }

 private:
  const Value* given(std::string_view name) const {
    const Value* found = value_.find(name);
    return found == nullptr || found->is_null() ? nullptr : found;
  }
  Value value_;
};

FoldOptions fold_options(const Options& in) {
  FoldOptions out;
  out.scheme = static_cast<FoldScheme>(in.word("scheme", scheme_words(), 0));
  out.folds = in.count("folds", out.folds);
  out.repeats = in.count("repeats", out.repeats);
  out.test = in.number("test", out.test);
  out.column = in.text("column");
  out.seed = in.count("seed", 0);
  return out;
}

ValidateOptions validate_options(const Options& in, const Job& job) {
  ValidateOptions out;
  out.fit = job.options();
  out.metric = in.text("metric");
  out.evaluate.intervals.level = in.number("level", out.evaluate.intervals.level);
  out.evaluate.classes.positive = in.text("positive");
  out.evaluate.threshold_class = in.text("threshold_class");
  out.evaluate.threshold = in.number("threshold", out.evaluate.threshold);
  return out;
}

Indices as_indices(const std::vector<std::size_t>& rows) {
  auto held = std::make_unique<std::vector<std::int64_t>>(rows.begin(), rows.end());
  std::vector<std::int64_t>* kept = held.release();
  nb::capsule owner(kept, [](void* pointer) noexcept {
    const std::unique_ptr<std::vector<std::int64_t>> freed(
        static_cast<std::vector<std::int64_t>*>(pointer));
  });
  return Indices(kept->data(), {kept->size()}, owner);
}

std::vector<std::size_t> rows_of(nb::handle array, std::size_t rows) {
  const auto view = nb::cast<nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig>>(array);
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < view.shape(0); ++i) {
    const std::int64_t row = view.data()[i];
    if (row < 0 || static_cast<std::size_t>(row) >= rows) {
      throw Error(ErrorKind::usage, "folds",
                  "a row of a fold is not among the rows of the data: " + std::to_string(row));
    }
    out.push_back(static_cast<std::size_t>(row));
  }
  return out;
}

// Folds that Python made, as (training rows, examined rows).
Folds folds_from_pairs(std::size_t rows, const std::vector<nb::object>& pairs) {
  Folds out;
  out.rows = rows;
  for (const nb::object& pair : pairs) {
    Fold fold{.test = rows_of(pair[1], rows), .train = rows_of(pair[0], rows)};
    if (fold.test.empty() || fold.train.empty()) {
      throw Error(ErrorKind::usage, "folds", "a fold needs rows that teach and rows that examine");
    }
    out.folds.push_back(std::move(fold));
  }
  if (out.folds.empty()) throw Error(ErrorKind::usage, "folds", "there are no folds");
  out.how.folds = out.folds.size();
  return out;
}

// What every function is given: the data, its folds and the options.
struct Work {
  Dataset data;
  Folds folds;
  Options options;
  ValidateOptions validate;
  int threads;

  Work(const Table& table, const Job& job, const Folds& its_folds, const std::string& json)
      : data(table.data()),
        folds(its_folds),
        options(json),
        validate(validate_options(options, job)),
        threads(job.threads) {
    if (folds.rows != data.rows()) {
      throw Error(ErrorKind::usage, "folds",
                  "the folds are of " + std::to_string(folds.rows) + " rows, the data has " +
                      std::to_string(data.rows()));
    }
  }
};

// Learners as (name, parameters).
std::vector<AnyLearner> learners_of(const nb::list& pairs) {
  std::vector<AnyLearner> out;
  for (nb::handle pair : pairs) {
    out.push_back(make_learner(nb::cast<std::string>(pair[0]), nb::cast<nb::dict>(pair[1])));
  }
  return out;
}

template <class Result>
nb::object ran(int threads, const nb::object& tell,
               const std::function<Result(const Context&)>& step) {
  std::optional<Result> result;
  run_released(threads, tell, [&](const Context& context) { result = step(context); });
  return to_python(to_value(*result));
}

nb::object cross_validate_one(const nb::list& learners, const Work& work, const nb::object& tell) {
  const AnyLearner learner = learners_of(learners).front();
  return ran<CrossValidation>(work.threads, tell, [&](const Context& context) {
    return cross_validate(learner, work.data, work.folds, work.validate, context);
  });
}

nb::object compare_all(const nb::list& learners, const Work& work, const nb::object& tell) {
  const std::vector<AnyLearner> all = learners_of(learners);
  const std::vector<std::string> names = work.options.texts("names");
  return ran<Comparison>(work.threads, tell, [&](const Context& context) {
    std::vector<CrossValidation> results =
        cross_validate(all, work.data, work.folds, work.validate, context);
    for (std::size_t i = 0; i < std::min(names.size(), results.size()); ++i) {
      results[i].name = names[i];
    }
    return compare(std::move(results), work.folds, work.validate.evaluate.intervals.level);
  });
}

// A row of `scores` per data set, a column per learner.
nb::object compare_scores(const std::vector<std::string>& learners,
                          const std::vector<std::string>& names,
                          const std::vector<std::vector<double>>& scores,
                          const std::string& options) {
  const Options in(options);
  std::vector<DatasetScores> data;
  for (std::size_t i = 0; i < names.size(); ++i) data.push_back({names[i], scores[i]});
  const MetricInfo metric{.name = "score",
                          .better = in.flag("lower") ? Better::lower : Better::higher,
                          .words = "score"};
  return to_python(
      to_value(compare_over_datasets(learners, std::move(data), metric, in.number("level", 0.95))));
}

SearchSpace space_of(const AnyLearner& learner, const Options& in) {
  SearchSpace out;
  for (const std::string& one : in.texts("search")) out.push_back(parse_dimension(learner, one));
  return out.empty() ? described_space(learner) : out;
}

// A search that may have a figure of nested folds beside it.
struct Search {
  Tuning tuning;
  std::optional<NestedTuning> nested;
};

Value to_value(const Search& search) {
  Value out = gradus::to_value(search.tuning);
  if (search.nested) out["nested"] = gradus::to_value(*search.nested);
  return out;
}

nb::object tune_learner(const nb::list& learners, const Work& work, const nb::object& tell) {
  const AnyLearner learner = learners_of(learners).front();
  TuneOptions options{.validate = work.validate, .space = space_of(learner, work.options)};
  SearchOptions& search = options.search;
  search.method = static_cast<SearchMethod>(
      work.options.word("method", method_words(), static_cast<std::size_t>(search.method)));
  search.trials = work.options.count("trials", search.trials);
  search.points = work.options.count("points", search.points);
  search.rounds = work.options.count("rounds", search.rounds);
  search.seed = work.options.count("seed", 0);
  options.patience = work.options.count("patience", 0);
  options.inner = work.folds.how;
  const std::size_t nested = work.options.count("nested", 0);
  std::optional<TuneJournal> journal;
  if (const std::string path = work.options.text("journal"); !path.empty()) {
    Folds marked = work.folds;
    marked.data_fingerprint = work.data.fingerprint();
    journal.emplace(path, journal_identity(learner, marked, work.validate));
    options.journal = &*journal;
  }
  return ran<Search>(work.threads, tell, [&](const Context& context) {
    Search out{tune(learner, work.data, work.folds, options, context), std::nullopt};
    if (nested > 0) {
      FoldOptions outer = work.folds.how;
      outer.folds = nested;
      outer.repeats = 1;
      out.nested = tune_nested(learner, work.data, make_folds(work.data, outer), options, context);
    }
    return out;
  });
}

nb::object curve_of(const nb::list& learners, const Work& work, const nb::object& tell) {
  const AnyLearner learner = learners_of(learners).front();
  CurveOptions options{.validate = work.validate};
  options.shares = work.options.numbers("shares");
  options.points = work.options.count("points", options.points);
  options.goal = work.options.maybe("goal");
  options.seed = work.options.count("seed", 0);
  const std::vector<std::string> search = work.options.texts("search");
  const bool validation = work.options.flag("validation");
  if (validation) {
    options.dimension =
        search.empty() ? complexity_dimension(learner) : parse_dimension(learner, search.front());
  }
  return ran<Curve>(work.threads, tell, [&](const Context& context) {
    return validation ? validation_curve(learner, work.data, work.folds, options, context)
                      : learning_curve(learner, work.data, work.folds, options, context);
  });
}

// A selection that may have a figure of nested folds beside it.
struct Columns {
  Selection selection;
  std::optional<NestedSelection> nested;
};

Value to_value(const Columns& columns) {
  Value out = gradus::to_value(columns.selection);
  if (columns.nested) out["nested"] = gradus::to_value(*columns.nested);
  return out;
}

nb::object select_columns(const nb::list& learners, const Work& work, const nb::object& tell) {
  const AnyLearner learner = learners_of(learners).front();
  SelectOptions options{.validate = work.validate};
  options.method = static_cast<SelectMethod>(work.options.word("method", select_method_words(), 0));
  options.keep = work.options.count("keep", 0);
  options.tolerance = work.options.number("tolerance", 0);
  options.seed = work.options.count("seed", 0);
  const std::size_t nested = work.options.count("nested", 0);
  options.inner = inner_folds(work.folds.how, work.folds.how.folds);
  return ran<Columns>(work.threads, tell, [&](const Context& context) {
    Columns out{select_features(learner, work.data, work.folds, options, context), std::nullopt};
    if (nested > 0) {
      const Folds outer = make_folds(work.data, inner_folds(work.folds.how, nested));
      out.nested = select_nested(learner, work.data, outer, options, context);
    }
    return out;
  });
}

nb::object decompose_error(const nb::list& learners, const Work& work, const nb::object& tell) {
  const Options& in = work.options;
  const AnyLearner learner = learners_of(learners).front();
  BiasVarianceOptions options{.validate = work.validate};
  options.samples = in.count("samples", options.samples);
  options.sample_rows = in.count("sample_rows", 0);
  options.test = in.number("test", options.test);
  options.exact = in.flag("exact");
  options.seed = in.count("seed", 0);
  return ran<BiasVariance>(work.threads, tell, [&](const Context& context) {
    return bias_variance(learner, work.data, options, context);
  });
}

EvaluateOptions score_options(const Options& in) {
  EvaluateOptions out;
  out.intervals.level = in.number("level", out.intervals.level);
  out.intervals.resamples = static_cast<int>(in.count("resamples", 1000));
  if (in.flag("bootstrap")) out.intervals.method = IntervalMethod::bootstrap;
  out.classes.positive = in.text("positive");
  out.classes.beta = in.number("beta", out.classes.beta);
  out.classes.curve_points = in.count("curve_points", 0);
  out.numbers.quantile = in.number("quantile", out.numbers.quantile);
  return out;
}

// Short work beside which other Python threads run.
nb::object without_lock(const Options& in, const std::function<Value(const Context&)>& work) {
  Context context;
  context.threads = static_cast<int>(in.count("threads", 0));
  Value out;
  {
    const nb::gil_scoped_release released;
    out = work(context);
  }
  return to_python(out);
}

nb::object score_classes(const Codes& actual, const Codes& predicted, const Numbers& probabilities,
                         const Numbers& weights, const std::string& json) {
  const Options in(json);
  const std::vector<std::string> labels = in.texts("labels");
  const EvaluateOptions options = score_options(in);
  const ClassAnswers answers{.actual = {actual.data(), actual.size()},
                             .predicted = {predicted.data(), predicted.size()},
                             .labels = labels,
                             .numbers = {probabilities.data(), probabilities.size()},
                             .weights = {weights.data(), weights.size()}};
  return without_lock(in, [&](const Context& context) {
    return evaluate_class_answers(answers, options, context);
  });
}

nb::object score_numbers(const Numbers& actual, const Numbers& predicted, const Numbers& weights,
                         const std::string& json) {
  const Options in(json);
  const EvaluateOptions options = score_options(in);
  const NumberAnswers answers{.actual = {actual.data(), actual.size()},
                              .predicted = {predicted.data(), predicted.size()},
                              .weights = {weights.data(), weights.size()}};
  return without_lock(in, [&](const Context& context) {
    return evaluate_number_answers(answers, options, context);
  });
}

// One measure of many rows, without the rest: `which` is auc, log_loss or confusion.
nb::object measure(const std::string& which, const Codes& actual, const Codes& predicted,
                   const Numbers& numbers, const std::string& json) {
  const Options in(json);
  const std::vector<std::string> labels(in.count("classes", 2));
  const ClassAnswers answers{.actual = {actual.data(), actual.size()},
                             .predicted = {predicted.data(), predicted.size()},
                             .labels = labels,
                             .numbers = {numbers.data(), numbers.size()}};
  return without_lock(in, [&](const Context& context) -> Value {
    if (which == "confusion") return Value(class_counts(answers, context));
    if (which == "log_loss") return Value(class_log_loss(answers, context));
    std::vector<std::uint8_t> positive(answers.actual.begin(), answers.actual.end());
    const auto area = area_under_roc(Ranking(answers.numbers, positive, {}, context));
    return area ? Value(*area) : Value();
  });
}

}  // namespace

void bind_evaluate(nb::module_& module) {
  nb::class_<Folds>(module, "Folds", "Which rows teach and which examine.")
      .def("__len__", &Folds::size)
      .def_ro("rows", &Folds::rows)
      .def_prop_ro("scheme",
                   [](const Folds& folds) { return std::string(scheme_word(folds.how.scheme)); })
      .def("train", [](const Folds& folds, std::size_t i) { return as_indices(folds.train(i)); })
      .def("test", [](const Folds& folds, std::size_t i) { return as_indices(folds.test(i)); })
      // The column that strata go by has the name of the target in the table that is judged.
      .def("renamed", [](Folds folds, const std::string& column) {
        folds.how.column = column;
        return folds;
      });
  nb::class_<Work>(module, "Work", "Data, folds and options of one judgement.")
      .def(nb::init<const Table&, const Job&, const Folds&, const std::string&>());
  module.def("make_folds", [](const Table& table, const std::string& json) {
    return make_folds(table.data(), fold_options(Options(json)));
  });
  module.def("folds_from_pairs", &folds_from_pairs);
  module.def("cross_validate", &cross_validate_one, nb::arg("learners"), nb::arg("work"),
             nb::arg("tell").none());
  module.def("compare", &compare_all, nb::arg("learners"), nb::arg("work"), nb::arg("tell").none());
  module.def("compare_scores", &compare_scores);
  module.def("tune", &tune_learner, nb::arg("learners"), nb::arg("work"), nb::arg("tell").none());
  module.def("curve", &curve_of, nb::arg("learners"), nb::arg("work"), nb::arg("tell").none());
  module.def("select_features", &select_columns, nb::arg("learners"), nb::arg("work"),
             nb::arg("tell").none());
  module.def("bias_variance", &decompose_error, nb::arg("learners"), nb::arg("work"),
             nb::arg("tell").none());
  module.def("score_classes", &score_classes);
  module.def("score_numbers", &score_numbers);
  module.def("measure", &measure);
}

}  // namespace gradus::python
