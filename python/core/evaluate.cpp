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
#include "gradus/api/target.hpp"
#include "gradus/core/atomic_file.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/read_file.hpp"
#include "gradus/evaluate/bias_variance.hpp"
#include "gradus/evaluate/compare.hpp"
#include "gradus/evaluate/compare_datasets.hpp"
#include "gradus/evaluate/curves.hpp"
#include "gradus/evaluate/select_features.hpp"
#include "gradus/evaluate/tune.hpp"
#include "gradus/evaluate/with_baseline.hpp"
#include "gradus/report/curve_page.hpp"
#include "gradus/report/folds_text.hpp"
#include "gradus/report/selection_page.hpp"
#include "gradus/report/tuning_page.hpp"
#include "jobs.hpp"
#include "learners.hpp"
#include "options.hpp"
#include "page.hpp"
#include "table.hpp"

namespace gradus::python {
namespace {

using Indices = nb::ndarray<nb::numpy, const std::int64_t, nb::ndim<1>, nb::c_contig>;

constexpr std::uint64_t kLargestFolds = std::uint64_t{1} << 32U;

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
  out.evaluate = evaluate_options(in);
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
  Page page;
  int threads;

  Work(const Table& table, const Job& job, const Folds& its_folds, const std::string& json)
      : data(table.data()),
        folds(its_folds),
        options(json),
        validate(validate_options(options, job)),
        page(options),
        threads(job.threads) {
    if (folds.rows != data.rows()) {
      throw Error(ErrorKind::usage, "folds",
                  "the folds are of " + std::to_string(folds.rows) + " rows, the data has " +
                      std::to_string(data.rows()));
    }
  }
  std::vector<std::string> target() const { return validate.fit.target; }
};

// Learners as (name, parameters).
std::vector<AnyLearner> learners_of(const nb::list& pairs) {
  std::vector<AnyLearner> out;
  for (nb::handle pair : pairs) {
    out.push_back(make_learner(nb::cast<std::string>(pair[0]), nb::cast<nb::dict>(pair[1])));
  }
  return out;
}

// Runs `step`, writes the page of its result where one is wanted, and gives the result as data.
template <class Result>
nb::object ran(const Work& work, const nb::object& tell,
               const std::function<Result(const Context&)>& step,
               const std::function<report::Document(const Result&)>& page) {
  Value out;
  run_released(work.threads, tell, [&](const Context& context) {
    const Result result = step(context);
    work.page.write([&] { return page(result); });
    out = to_value(result);
  });
  return to_python(out);
}

SearchSpace space_of(const AnyLearner& learner, const Options& in) {
  SearchSpace out;
  for (const std::string& one : in.texts("search")) out.push_back(parse_dimension(learner, one));
  return out.empty() ? described_space(learner) : out;
}

TuneOptions tune_options(const AnyLearner& learner, const Work& work) {
  const Options& in = work.options;
  TuneOptions out{.validate = work.validate, .space = space_of(learner, in)};
  out.search.method = static_cast<SearchMethod>(
      in.word("method", method_words(), static_cast<std::size_t>(out.search.method)));
  out.search.trials = in.count("trials", out.search.trials);
  out.search.points = in.count("points", out.search.points);
  out.search.rounds = in.count("rounds", out.search.rounds);
  out.search.seed = in.count("seed", 0);
  out.patience = in.count("patience", 0);
  return out;
}

Value values_of(const AnyLearner& learner) {
  Value out = object();
  for (const auto& [name, value] : learner.values()) out[name] = value;
  return out;
}

// A learner beside its baseline, with what a search inside every fold chose.
struct Validation {
  const AnyLearner& learner;
  const Folds& folds;
  std::vector<CrossValidation> results;
  std::optional<NestedTuning> nested;

  const CrossValidation* baseline() const { return results.size() > 1 ? &results[1] : nullptr; }
};

Value to_value(const Validation& validation) {
  Value out = gradus::to_value(validation.results.front());
  out["parameters"] = values_of(validation.learner);
  out["scheme"] = scheme_word(validation.folds.how.scheme);
  if (const CrossValidation* beside = validation.baseline()) {
    out["baseline"] = beside->estimate.mean ? Value(*beside->estimate.mean) : Value();
  }
  if (validation.nested) out["nested"] = gradus::to_value(*validation.nested);
  return out;
}

Validation validate(const AnyLearner& learner, const Work& work, const Context& context) {
  const FitOptions& fit = work.validate.fit;
  const Task task =
      read_target(learner.info(), work.data, {fit.target, fit.classes, fit.task}).task;
  const std::vector<AnyLearner> all = with_baseline(learner, task);
  Validation out{learner, work.folds, {}, std::nullopt};
  if (!work.options.flag("searched")) {
    out.results = cross_validate(all, work.data, work.folds, work.validate, context);
    return out;
  }
  TuneOptions search = tune_options(learner, work);
  search.inner = inner_folds(work.folds.how, work.options.count("inner", 5));
  out.nested = tune_nested(learner, work.data, work.folds, search, context);
  out.results.push_back(
      judge_folds({learner, work.data, work.folds, work.validate}, out.nested->folds, context));
  if (all.size() > 1) {
    out.results.push_back(cross_validate(all[1], work.data, work.folds, work.validate, context));
  }
  return out;
}

nb::object cross_validate_one(const nb::list& learners, const Work& work, const nb::object& tell) {
  const AnyLearner learner = learners_of(learners).front();
  return ran<Validation>(
      work, tell, [&](const Context& context) { return validate(learner, work, context); },
      [&](const Validation& done) {
        return report::validation_page({.learner = learner,
                                        .data = work.data,
                                        .folds = work.folds,
                                        .result = done.results.front(),
                                        .baseline = done.baseline(),
                                        .nested = done.nested ? &*done.nested : nullptr,
                                        .folds_text = report::folds_text(work.folds),
                                        .target = work.target(),
                                        .origin = work.page.origin(work.data)});
      });
}

nb::object compare_all(const nb::list& learners, const Work& work, const nb::object& tell) {
  const std::vector<AnyLearner> all = learners_of(learners);
  const std::vector<std::string> names = work.options.texts("names");
  return ran<Comparison>(
      work, tell,
      [&](const Context& context) {
        std::vector<CrossValidation> results =
            cross_validate(all, work.data, work.folds, work.validate, context);
        for (std::size_t i = 0; i < std::min(names.size(), results.size()); ++i) {
          results[i].name = names[i];
        }
        return compare(std::move(results), work.folds, work.validate.evaluate.intervals.level);
      },
      [&](const Comparison& comparison) {
        return report::comparison_page({.learners = all,
                                        .data = work.data,
                                        .folds = work.folds,
                                        .result = comparison,
                                        .folds_text = report::folds_text(work.folds),
                                        .target = work.target(),
                                        .origin = work.page.origin(work.data)});
      });
}

// A row of `scores` per data set, a column per learner.
nb::object compare_scores(const std::vector<std::string>& learners,
                          const std::vector<std::string>& names,
                          const std::vector<std::vector<double>>& scores,
                          const std::string& options) {
  const Options in(options);
  const Page page(in);
  std::vector<DatasetScores> data;
  for (std::size_t i = 0; i < names.size(); ++i) data.push_back({names[i], scores[i]});
  const MetricInfo metric{.name = "score",
                          .better = in.flag("lower") ? Better::lower : Better::higher,
                          .words = "score"};
  const DatasetComparison done =
      compare_over_datasets(learners, std::move(data), metric, in.number("level", 0.95));
  page.write([&] { return report::dataset_comparison_page(done, page.origin()); });
  return to_python(to_value(done));
}

// A search that may have a figure of nested folds beside it.
struct Search {
  Tuning tuning;
  std::optional<NestedTuning> nested;
};

Value to_value(const Search& search) {
  Value out = gradus::to_value(search.tuning);
  out["winner"] = values_of(search.tuning.winner);
  if (search.nested) out["nested"] = gradus::to_value(*search.nested);
  return out;
}

nb::object tune_learner(const nb::list& learners, const Work& work, const nb::object& tell) {
  const AnyLearner learner = learners_of(learners).front();
  TuneOptions options = tune_options(learner, work);
  options.inner = work.folds.how;
  const std::size_t nested = work.options.count("nested", 0);
  std::optional<TuneJournal> journal;
  if (const std::string path = work.options.text("journal"); !path.empty()) {
    Folds marked = work.folds;
    marked.data_fingerprint = work.data.fingerprint();
    journal.emplace(path, journal_identity(learner, marked, work.validate));
    options.journal = &*journal;
  }
  return ran<Search>(
      work, tell,
      [&](const Context& context) {
        Search out{tune(learner, work.data, work.folds, options, context), std::nullopt};
        if (nested > 0) {
          FoldOptions outer = work.folds.how;
          outer.folds = nested;
          outer.repeats = 1;
          out.nested =
              tune_nested(learner, work.data, make_folds(work.data, outer), options, context);
        }
        return out;
      },
      [&](const Search& done) {
        return report::tuning_page({.tuning = done.tuning,
                                    .nested = done.nested ? &*done.nested : nullptr,
                                    .data = work.data,
                                    .folds_text = report::folds_text(work.folds),
                                    .target = work.target(),
                                    .origin = work.page.origin(work.data)});
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
  return ran<Curve>(
      work, tell,
      [&](const Context& context) {
        return validation ? validation_curve(learner, work.data, work.folds, options, context)
                          : learning_curve(learner, work.data, work.folds, options, context);
      },
      [&](const Curve& curve) {
        return report::curve_page({.curve = curve,
                                   .learner = learner,
                                   .data = work.data,
                                   .folds_text = report::folds_text(work.folds),
                                   .target = work.target(),
                                   .origin = work.page.origin(work.data)});
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
  return ran<Columns>(
      work, tell,
      [&](const Context& context) {
        Columns out{select_features(learner, work.data, work.folds, options, context),
                    std::nullopt};
        if (nested > 0) {
          const Folds outer = make_folds(work.data, inner_folds(work.folds.how, nested));
          out.nested = select_nested(learner, work.data, outer, options, context);
        }
        return out;
      },
      [&](const Columns& done) {
        return report::selection_page({.selection = done.selection,
                                       .nested = done.nested ? &*done.nested : nullptr,
                                       .learner = learner,
                                       .data = work.data,
                                       .folds_text = report::folds_text(work.folds),
                                       .target = work.target(),
                                       .origin = work.page.origin(work.data)});
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
  return ran<BiasVariance>(
      work, tell,
      [&](const Context& context) { return bias_variance(learner, work.data, options, context); },
      [&](const BiasVariance& done) {
        return report::bias_variance_page(
            {done, learner, work.data, work.target(), work.page.origin(work.data)});
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
      .def("save",
           [](const Folds& folds, const std::string& path) {
             const nb::gil_scoped_release release;
             OutputFile file(path, Overwrite::replace);
             file.write(to_json(to_value(folds)) + "\n");
             file.commit();
           })
      // The column that strata go by has the name of the target in the table that is judged.
      .def("renamed", [](Folds folds, const std::string& column) {
        folds.how.column = column;
        return folds;
      });
  nb::class_<Work>(module, "Work", "Data, folds and options of one judgement.")
      .def(nb::init<const Table&, const Job&, const Folds&, const std::string&>());
  module.def("make_folds", [](const Table& table, const std::string& json) {
    Folds folds = make_folds(table.data(), fold_options(Options(json)));
    folds.data_fingerprint.clear();  // the table held the target alone, not the data
    return folds;
  });
  module.def("load_folds", [](const std::string& path) {
    const nb::gil_scoped_release release;
    return folds_from_value(parse_json(read_whole_file(path, kLargestFolds), path), path);
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
}

}  // namespace gradus::python
