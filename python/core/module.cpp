// gradus._core: one generic binding for every learner of the catalogue.
//
// Nothing here knows a learner. Python asks for the catalogue, fits by name and gets a Model that
// can predict, explain, name what it learned and turn into bytes. The classes that people use are
// generated from the same catalogue (tools/generate_python.py).
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "convert.hpp"
#include "custom_loss.hpp"
#include "finite.hpp"
#include "gradus/api/fit.hpp"
#include "gradus/api/save.hpp"
#include "gradus/contract/info_value.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/idle_params.hpp"
#include "gradus/models/catalogue.hpp"
#include "gradus/report/tree_figure.hpp"
#include "gradus/trace/trace.hpp"
#include "gradus/version.hpp"
#include "jobs.hpp"
#include "learners.hpp"
#include "table.hpp"

namespace gradus::python {
namespace {

using Matrix = nb::ndarray<nb::numpy, double, nb::ndim<2>>;

Value describe_learner(const Entry& entry) {
  Value out = to_value(entry.info);
  out["type_name"] = entry.type_name;
  Value::Array params;
  for (const ParamInfo& param : entry.params) params.push_back(to_value(param));
  out["parameters"] = Value(params);
  out["splits_answers"] = entry.splits_answers;
  out["quantities"] = object();
  for (const Quantity& quantity : entry.quantities) out["quantities"][quantity.name] = quantity.doc;
  out["goes_on"] = entry.fit_from != nullptr;
  return out;
}

nb::list catalogue_as_python() {
  nb::list out;
  for (const Entry* entry : catalogue()) out.append(to_python(describe_learner(*entry)));
  return out;
}

// What a learner accepts and gives with these parameters.
nb::object abilities(const std::string& name, const nb::dict& params) {
  return to_python(to_value(make_learner(name, params).info()));
}

// A fit or an update that Python can watch (`tell`, or None) and stop; begin and end are told for
// every learner.
AnyModel run_job(int threads, const nb::object& tell,
                 const std::function<AnyModel(const Context&)>& step) {
  std::optional<AnyModel> model;
  const auto work = [&](const Context& context) {
    context.report("fit", 0, 1);
    model = step(context);
    context.report("fit", 1, 1);
  };
  run_released(threads, tell, work);
  return *std::move(model);
}

AnyModel fit_by_name(const std::string& name, const nb::dict& params, const Table& table,
                     const Job& job, const nb::object& tell) {
  const LentLoss loss(job.loss);
  const AnyLearner learner = loss.given_to(make_learner(name, params));
  const Dataset data = table.data();
  return run_job(job.threads, tell, [&](const Context& context) {
    return fit(learner, data, job.options(), context);
  });
}

nb::list explain_fit(const std::string& name, const nb::dict& params, const Table& table,
                     const Job& job) {
  const LentLoss loss(job.loss);
  const AnyLearner learner = loss.given_to(make_learner(name, params));
  const Dataset data = table.data();
  Recorder recorder;
  run_job(job.threads, nb::none(), [&](Context context) {
    context.trace = &recorder;
    return fit(learner, data, job.options(), context);
  });
  return to_python(recorder.steps());
}

AnyModel update_model(const AnyModel& model, const Table& table, const Job& job,
                      const nb::object& tell) {
  const Dataset data = table.data();
  return run_job(job.threads, tell, [&](const Context& context) {
    return update(model, data, job.options(), context);
  });
}

// Memory that NumPy will own. It is not cleared: the threads that write the answers touch it first.
template <class T>
class Answers {
 public:
  explicit Answers(std::size_t size) : held_(new T[size]), size_(size) {}
  std::span<T> numbers() const { return {held_.get(), size_}; }
  nb::capsule release() {
    return nb::capsule(held_.release(), [](void* pointer) noexcept {
      const std::unique_ptr<T[]> freed(static_cast<T*>(pointer));
    });
  }

 private:
  std::unique_ptr<T[]> held_;
  std::size_t size_;
};

// Hands the numbers to NumPy without a copy.
Matrix as_matrix(std::vector<double> values, std::size_t rows, std::size_t width) {
  auto* held = std::make_unique<std::vector<double>>(std::move(values)).release();
  nb::capsule owner(held, [](void* pointer) noexcept {
    const std::unique_ptr<std::vector<double>> freed(static_cast<std::vector<double>*>(pointer));
  });
  return Matrix(held->data(), {rows, width}, owner);
}

// Work on the rows of `data`, that can be stopped when it takes long.
void run_rows(const Dataset& data, int threads, const std::function<void(const Context&)>& work) {
  // Predictions this small end before anybody could press a key: they skip the watching thread.
  constexpr std::size_t kSmall = 200000;
  if (data.rows() >= kSmall) return run_released(threads, nb::none(), work);
  Context context;
  context.threads = threads;
  const nb::gil_scoped_release released;
  work(context);
}

nb::list unseen_categories(const UnseenReport& report) {
  nb::list unseen;
  for (const UnseenReport::Column& column : report.columns) {
    unseen.append(nb::make_tuple(column.name, column.rows, column.example, column.other));
  }
  return unseen;
}

PredictOptions options_of(const std::string& cells) {
  PredictOptions options;
  if (cells == "finite") options.cells = Cells::finite;
  if (cells == "no_infinity") options.cells = Cells::no_infinity;
  return options;
}

// The numbers of every row, and the categories that training never saw.
nb::tuple predict(const AnyModel& model, const Table& table, int threads,
                  const std::string& cells) {
  const Dataset data = table.data();
  const std::size_t width = model.signature().width();
  Answers<double> answers(data.rows() * width);
  UnseenReport unseen;
  run_rows(data, threads, [&](const Context& context) {
    unseen = model.predict_into(data, answers.numbers(), context, options_of(cells));
  });
  double* first = answers.numbers().data();
  return nb::make_tuple(Matrix(first, {data.rows(), width}, answers.release()),
                        unseen_categories(unseen));
}

// The class or cluster of every row as an index, and the categories that training never saw.
nb::tuple labels(const AnyModel& model, const Table& table, int threads, const std::string& cells) {
  const Dataset data = table.data();
  Answers<std::int32_t> answers(data.rows());
  UnseenReport unseen;
  run_rows(data, threads, [&](const Context& context) {
    unseen = model.labels_into(data, answers.numbers(), context, options_of(cells));
  });
  std::int32_t* first = answers.numbers().data();
  return nb::make_tuple(
      nb::ndarray<nb::numpy, std::int32_t, nb::ndim<1>>(first, {data.rows()}, answers.release()),
      unseen_categories(unseen));
}

// The new coordinates of every row, and the categories that training never saw.
nb::tuple transform(const AnyModel& model, const Table& table, int threads,
                    const std::string& cells) {
  const Dataset data = table.data();
  Transformed out;
  run_rows(data, threads, [&](const Context& context) {
    out = model.transform(data, context, options_of(cells));
  });
  return nb::make_tuple(as_matrix(std::move(out.values), out.rows, out.names.size()),
                        unseen_categories(out.unseen));
}

std::vector<std::string> coordinates(const AnyModel& model) {
  model.require_transforms();
  return model.core().coordinates(model.signature());
}

nb::list explain_row(const AnyModel& model, const Table& table, std::size_t row) {
  Recorder recorder;
  model.explain_row(table.data(), row, recorder);
  return to_python(recorder.steps());
}

// The columns that the model reads, under the names of training.
Value column_names(const AnyModel& model) {
  Value::Array names;
  for (const SourceColumn& source : model.preparation().sources) names.push_back(source.name);
  if (model.preparation().sparse) {
    for (const FeatureName& feature : model.signature().features) names.push_back(feature.name);
  }
  return Value(names);
}

// What each feature, or each pair of them, adds to the scores of every row: a line of numbers for
// each row, how many scores it is about, and the categories that training never saw.
nb::tuple parts_of(const AnyModel& model, const Table& table, int threads, const std::string& cells,
                   bool pairs) {
  const Dataset data = table.data();
  Contributions out;
  run_released(threads, nb::none(), [&](const Context& context) {
    out = pairs ? model.interactions(data, context, options_of(cells))
                : model.contributions(data, context, options_of(cells));
  });
  const std::size_t width = out.rows == 0 ? 0 : out.values.size() / out.rows;
  return nb::make_tuple(nb::make_tuple(as_matrix(std::move(out.values), out.rows, width),
                                       out.scores, out.features.size()),
                        unseen_categories(out.unseen));
}

nb::tuple contributions(const AnyModel& model, const Table& table, int threads,
                        const std::string& cells) {
  return parts_of(model, table, threads, cells, false);
}

nb::tuple interactions(const AnyModel& model, const Table& table, int threads,
                       const std::string& cells) {
  return parts_of(model, table, threads, cells, true);
}

nb::object describe_model(const AnyModel& model) {
  const Signature& signature = model.signature();
  Value out = object({{"learner", model.info().name}, {"task", task_word(signature.task)}});
  out["parameters"] = object();
  for (const auto& [name, value] : model.learner().values()) out["parameters"][name] = value;
  Value::Array features;
  for (const FeatureName& feature : signature.features) {
    Value one = object({{"name", feature.name}, {"nominal", feature.nominal}});
    if (feature.nominal) {
      one["levels"] = Value(std::vector<std::string>(feature.levels.begin(), feature.levels.end()));
    }
    features.push_back(std::move(one));
  }
  out["features"] = Value(features);
  out["columns"] = column_names(model);
  out["classes"] = Value(signature.classes);
  out["outputs"] = Value(signature.outputs);
  out["sparse"] = model.preparation().sparse;
  out["fingerprint"] = model.fingerprint();
  out["provenance"] = object({{"version", model.provenance().version},
                              {"rows", model.provenance().rows},
                              {"data_fingerprint", model.provenance().data_fingerprint}});
  return to_python(out);
}

nb::bytes model_to_bytes(const AnyModel& model) {
  const std::vector<std::byte> bytes = to_bytes(model);
  return nb::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

AnyModel model_from_bytes(const nb::bytes& bytes) {
  return from_bytes(std::span(reinterpret_cast<const std::byte*>(bytes.c_str()), bytes.size()),
                    "pickle");
}

// gradus._errors.make builds the Python exception that fits the kind.
void translate_error(const std::exception_ptr& pointer, void*) {
  try {
    std::rethrow_exception(pointer);
  } catch (const Error& error) {
    const nb::object make = nb::module_::import_("gradus._errors").attr("make");
    const nb::object exception =
        make(std::string(kind_name(error.kind())), error.where(), error.message(), error.hint());
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())), exception.ptr());
  }
}

void bind_model(nb::module_& module) {
  nb::class_<AnyModel>(module, "Model", "A fitted model of any learner; immutable.")
      .def("predict", &predict, nb::arg("table"), nb::arg("threads") = 0, nb::arg("cells") = "any")
      .def("labels", &labels, nb::arg("table"), nb::arg("threads") = 0, nb::arg("cells") = "any")
      .def("transform", &transform, nb::arg("table"), nb::arg("threads") = 0,
           nb::arg("cells") = "any")
      .def("contributions", &contributions, nb::arg("table"), nb::arg("threads") = 0,
           nb::arg("cells") = "any")
      .def("interactions", &interactions, nb::arg("table"), nb::arg("threads") = 0,
           nb::arg("cells") = "any")
      .def_prop_ro("splits_answers",
                   [](const AnyModel& model) { return model.core().contribution_scores() > 0; })
      .def_prop_ro("query", &AnyModel::query)
      .def("coordinates", &coordinates)
      .def("update", &update_model, nb::arg("table"), nb::arg("job"), nb::arg("tell") = nb::none())
      .def("explain_row", &explain_row, nb::arg("table"), nb::arg("row"))
      .def("fitted", [](const AnyModel& model) { return to_python(model.fitted()); })
      .def("idle_parameters",
           [](const AnyModel& model) {
             return idle_params(model.learner().params(), model.learner().values());
           })
      .def("trees", &AnyModel::trees)
      .def("tree",
           [](const AnyModel& model, std::size_t index) { return to_python(model.tree(index)); })
      .def("tree_text", [](const AnyModel& model,
                           std::size_t index) { return report::tree_text(model.tree(index)); })
      .def("tree_svg",
           [](const AnyModel& model, std::size_t index) {
             const std::string title =
                 model.trees() == 1 ? "The tree" : "Tree " + std::to_string(index + 1);
             return report::draw_svg(report::tree_figure(model.tree(index), title), "tree");
           })
      .def("describe", &describe_model)
      .def("to_bytes", &model_to_bytes)
      .def_static("from_bytes", &model_from_bytes, nb::arg("bytes"))
      .def(
          "save", [](const AnyModel& model, const std::string& path) { save(model, path); },
          nb::arg("path"))
      .def_static(
          "load", [](const std::string& path) { return load(path); }, nb::arg("path"))
      .def_prop_ro("outputs", [](const AnyModel& model) { return model.signature().outputs; })
      .def_prop_ro("fingerprint", [](const AnyModel& model) { return model.fingerprint(); })
      .def("__reduce__", [](nb::handle self) {
        return nb::make_tuple(nb::module_::import_("gradus._base").attr("model_from_bytes"),
                              nb::make_tuple(self.attr("to_bytes")()));
      });
}

// Where a fit keeps its state, and what happens to a state that is there.
void keep_checkpoints(Job& job, const std::string& file, std::size_t every,
                      const std::string& if_kept) {
  constexpr std::array<std::pair<std::string_view, IfKept>, 3> kChoices{
      {{"refuse", IfKept::refuse}, {"replace", IfKept::replace}, {"resume", IfKept::resume}}};
  for (const auto& [word, choice] : kChoices) {
    if (if_kept == word) job.checkpoint = {.file = file, .every = every, .if_kept = choice};
  }
}

void bind_job(nb::module_& module) {
  nb::class_<Job>(module, "Job", "How to fit: target columns, classes, task, threads and a loss.")
      .def(nb::init<std::vector<std::string>, std::vector<std::string>, std::optional<std::string>,
                    int, nb::object>(),
           nb::arg("target"), nb::arg("classes"), nb::arg("task").none(), nb::arg("threads"),
           nb::arg("loss") = nb::none())
      .def("keep_checkpoints", &keep_checkpoints, nb::arg("file"), nb::arg("every"),
           nb::arg("if_kept"))
      .def(
          "examine_by", [](Job& job, const Table& table) { job.validation = table.data(); },
          nb::arg("table"))
      .def(
          "begin_with", [](Job& job, const AnyModel& model) { job.warm_start = model; },
          nb::arg("model"));
}

}  // namespace

NB_MODULE(_core, module) {
  module.doc() = "The generic binding behind gradus; use the classes of the package instead.";
  nb::register_exception_translator(&translate_error);
  bind_table(module);
  bind_finite(module);
  bind_job(module);
  bind_model(module);
  bind_evaluate(module);
  bind_judge(module);
  bind_file_fit(module);
  module.def("catalogue", &catalogue_as_python, "Every learner, described as data.");
  module.def("abilities", &abilities, nb::arg("learner"), nb::arg("params"));
  module.def("fit", &fit_by_name, nb::arg("learner"), nb::arg("params"), nb::arg("table"),
             nb::arg("job"), nb::arg("tell") = nb::none());
  module.def("explain_fit", &explain_fit, nb::arg("learner"), nb::arg("params"), nb::arg("table"),
             nb::arg("job"));
  module.def("default_threads", &default_threads, "The threads of n_jobs=None.");
  module.attr("__version__") = kVersion;
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(&stop_all_jobs));
}

}  // namespace gradus::python
