// What `gradus train` tells at its end, as data and as a page.
#pragma once

#include <string>

#include "gradus/api/fit.hpp"
#include "gradus/report/document.hpp"

namespace gradus::cli {

struct Seconds {
  double read = 0;
  FitTiming fit;
  double total = 0;
};

// Everything that a training has to tell.
struct Outcome {
  const Dataset& data;  // the last part, where it came in parts
  const AnyModel& model;
  Value metrics;
  Seconds seconds;
  std::size_t rows = 0;
  std::size_t parts = 0;  // 0: the table was read as a whole
  int threads = 1;
  std::string data_file;
  std::string model_file;
  struct Validation {
    std::string file = {};  // empty: none
    std::size_t rows = 0;
  };
  Validation validation = {};
};

Value outcome_value(const Outcome& outcome);
report::Document outcome_page(const Outcome& outcome);

// What the user should know about the columns, though the training went through.
std::vector<std::string> outcome_warnings(const Outcome& outcome);

}  // namespace gradus::cli
