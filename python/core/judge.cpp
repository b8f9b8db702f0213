// Answers against the truth for Python: those of any tool, and those of fitted models, with what
// models are worth beside each other, calibrated, and by column.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <functional>

#include "convert.hpp"
#include "gradus/core/error.hpp"
#include "gradus/evaluate/calibrate.hpp"
#include "gradus/evaluate/dependence.hpp"
#include "gradus/evaluate/doctor.hpp"
#include "gradus/evaluate/hypotheses.hpp"
#include "gradus/evaluate/importance.hpp"
#include "gradus/evaluate/ranking.hpp"
#include "gradus/report/calibration_page.hpp"
#include "gradus/report/data_summary.hpp"
#include "gradus/report/influence.hpp"
#include "jobs.hpp"
#include "learners.hpp"
#include "options.hpp"
#include "page.hpp"
#include "table.hpp"

namespace gradus::python {
namespace {

constexpr std::size_t kPagePoints = 400;  // of a curve on a page
constexpr std::size_t kPageCurves = 30;   // rows whose own curves a page draws

using Codes = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

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
  const EvaluateOptions options = evaluate_options(in);
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
  const EvaluateOptions options = evaluate_options(in);
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

// Work on a fitted model that can be stopped, and its answer as data.
nb::object asked(const Options& in, const std::function<Value(const Context&)>& work) {
  Value out;
  run_released(static_cast<int>(in.count("threads", 0)), nb::none(),
               [&](const Context& context) { out = work(context); });
  return to_python(out);
}

nb::object evaluate_model(const AnyModel& model, const Table& table, const std::string& json) {
  const Options in(json);
  const Page page(in);
  const Dataset data = table.data();
  EvaluateOptions options = evaluate_options(in);
  if (in.flag("paged") && options.classes.curve_points == 0) {
    options.classes.curve_points = kPagePoints;
  }
  return asked(in, [&](const Context& context) {
    const Predictions predictions = model.predict(data, context, options.predict);
    Value scores = evaluate_predictions(model, data, predictions, options, context);
    page.write([&] {
      return report::evaluation_page({.model = model,
                                      .data = data,
                                      .predictions = predictions,
                                      .scores = scores,
                                      .subject = in.text("subject"),
                                      .origin = page.origin(data, model)});
    });
    return scores;
  });
}

// Two models on the same rows, or each on rows of its own.
nb::object compare_models(const AnyModel& first, const Table& rows, const AnyModel& second,
                          const Table& other_rows, const std::string& json) {
  const Options in(json);
  const EvaluateOptions options = evaluate_options(in);
  const Dataset data = rows.data();
  const Dataset other = other_rows.data();
  return asked(in, [&](const Context& context) {
    const std::vector<bool> wrong = wrong_rows(first, data, options, context);
    const std::vector<bool> others = wrong_rows(second, other, options, context);
    const double level = options.intervals.level;
    return to_value(in.flag("independent")
                        ? compare_independent(errors_in(wrong), errors_in(others), level)
                        : compare_hypotheses(wrong, others, level));
  });
}

AnyModel calibrate_model(const AnyModel& model, const Table& table, const std::string& json) {
  const Options in(json);
  const Page page(in);
  const auto words = enum_names(CalibrationMethod{});
  const std::vector<std::string> methods(words.begin(), words.end());
  const std::size_t method = in.word("method", methods, 0);
  const Dataset data = table.data();
  std::optional<AnyModel> out;
  run_released(static_cast<int>(in.count("threads", 0)), nb::none(), [&](const Context& context) {
    out = calibrate(model, data, {.method = static_cast<CalibrationMethod>(method)}, context);
    page.write([&] {
      const PredictOptions lenient{.extra = Extra::ignore};
      const Value before = evaluate(model, data, context, lenient);
      const Value after = evaluate(*out, data, context, lenient);
      return report::calibration_page({.model = *out,
                                       .data = data,
                                       .before = before,
                                       .after = after,
                                       .method = methods[method],
                                       .from = in.text("subject"),
                                       .to = "the calibrated model",
                                       .origin = page.origin(data, *out)});
    });
  });
  return *std::move(out);
}

nb::object importance_of(const AnyModel& model, const Table& table, const std::string& json) {
  const Options in(json);
  const Page page(in);
  const Dataset data = table.data();
  const ImportanceOptions options{
      .metric = in.text("metric"), .repeats = in.count("repeats", 5), .seed = in.count("seed", 0)};
  const std::size_t method =
      in.word("method", {"permutation", "contributions", "gain", "split"}, 0);
  return asked(in, [&](const Context& context) {
    const Importance importance =
        method == 0   ? permutation_importance(model, data, options, context)
        : method == 1 ? contribution_importance(model, data, context)
                      : tree_importance(model, method == 2 ? TreeUse::gain : TreeUse::split);
    page.write([&] {
      report::Document out{.title = in.text("subject"), .subtitle = "importance of the columns"};
      out.add(report::importance_blocks(importance));
      out.add(report::importance_figures(importance));
      out.add(report::origin_blocks(page.origin(data, model)));
      return out;
    });
    return to_value(importance);
  });
}

nb::object dependence_of(const AnyModel& model, const Table& table, const std::string& json) {
  const Options in(json);
  const Page page(in);
  const Dataset data = table.data();
  DependenceOptions options{.points = in.count("points", 40),
                            .most_rows = in.count("rows", 5000),
                            .curves = in.count("curves", 0),
                            .seed = in.count("seed", 0)};
  if (in.flag("paged") && options.curves == 0) options.curves = kPageCurves;
  return asked(in, [&](const Context& context) {
    std::vector<Dependence> all;
    for (const std::string& column : in.texts("columns")) {
      all.push_back(partial_dependence(model, data, column, options, context));
    }
    page.write([&] {
      report::Document out{.title = in.text("subject"),
                           .subtitle = "how the answer depends on the columns"};
      for (const Dependence& one : all) {
        out.add(report::dependence_blocks(one));
        out.add(report::dependence_figures(one));
      }
      out.add(report::origin_blocks(page.origin(data, model)));
      return out;
    });
    Value columns = Value::Array();
    for (const Dependence& one : all) columns.push_back(to_value(one));
    return columns;
  });
}

// `other` is a second table, or none: one without rows.
nb::object check_table(const Table& table, const Table& other, const std::string& json) {
  const Options in(json);
  const Dataset data = table.data();
  const Dataset second = other.data();
  return asked(in, [&](const Context& context) {
    return to_value(
        examine(data, {.target = in.text("target"), .other = second.rows() > 0 ? &second : nullptr},
                context));
  });
}

}  // namespace

void bind_judge(nb::module_& module) {
  module.def("score_classes", &score_classes);
  module.def("score_numbers", &score_numbers);
  module.def("measure", &measure);
  module.def("evaluate_model", &evaluate_model);
  module.def("compare_models", &compare_models);
  module.def("calibrate", &calibrate_model);
  module.def("importance", &importance_of);
  module.def("dependence", &dependence_of);
  module.def("check_table", &check_table);
}

}  // namespace gradus::python
