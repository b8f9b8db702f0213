// Learning from a file in parts: the file never passes through Python.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "custom_loss.hpp"
#include "gradus/api/fit_in_parts.hpp"
#include "jobs.hpp"
#include "learners.hpp"

namespace gradus::python {
namespace {

// A file and how it is read.
struct FileParts {
  std::string path;
  std::size_t rows = 1;
  std::size_t passes = 1;
  std::vector<std::string> nominal;
  std::vector<std::string> ignore;
  bool standardize = false;
};

// The model, and what the reader warned of.
nb::tuple fit_file(const std::string& name, const nb::dict& params, const FileParts& file,
                   const Job& job, const nb::object& tell) {
  const LentLoss loss(job.loss);
  const AnyLearner learner = loss.given_to(make_learner(name, params));
  FitOptions options = job.options();
  options.ignore = file.ignore;
  options.prepare.standardize = file.standardize;
  std::optional<AnyModel> model;
  std::vector<std::string> warnings;
  run_released(job.threads, tell, [&](const Context& context) {
    TableParts parts(file.path, {.nominal = file.nominal}, file.rows, context);
    model = fit_in_parts(learner, parts, options, {file.passes}, context).model;
    warnings = parts.report().warnings;
  });
  return nb::make_tuple(*std::move(model), warnings);
}

}  // namespace

void bind_file_fit(nb::module_& module) {
  nb::class_<FileParts>(module, "FileParts", "A CSV file that is read some rows at a time.")
      .def(nb::init<std::string, std::size_t, std::size_t, std::vector<std::string>,
                    std::vector<std::string>, bool>(),
           nb::arg("path"), nb::arg("rows"), nb::arg("passes"), nb::arg("nominal"),
           nb::arg("ignore"), nb::arg("standardize"));
  module.def("fit_file", &fit_file, nb::arg("learner"), nb::arg("params"), nb::arg("file"),
             nb::arg("job"), nb::arg("tell") = nb::none());
}

}  // namespace gradus::python
