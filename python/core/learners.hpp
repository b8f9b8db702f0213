// A learner by name with parameters from Python, and how it is to be fitted.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <string>
#include <vector>

#include "gradus/api/fit.hpp"

namespace gradus::python {

namespace nb = nanobind;

AnyLearner make_learner(const std::string& name, const nb::dict& params);

// What a fit needs to know beyond the learner and the table.
struct Job {
  std::vector<std::string> target;
  std::vector<std::string> classes;
  std::optional<std::string> task;
  int threads = 0;
  nb::object loss = nb::none();  // a function of one's own (custom_loss.hpp), or None
  CheckpointOptions checkpoint = {};
  std::optional<Dataset> validation = {};   // rows that examine
  std::optional<AnyModel> warm_start = {};  // a model to begin with

  // They borrow from the job.
  FitOptions options() const;
};

// The functions of gradus.evaluate (evaluate.cpp).
void bind_evaluate(nb::module_& module);
void bind_judge(nb::module_& module);     // judge.cpp
void bind_file_fit(nb::module_& module);  // file_fit.cpp

}  // namespace gradus::python
