// How the answer of a model depends on one column, all else being as it is.
//
// The column is set to each value of a grid in every row, and the model is asked again. The mean of
// the answers over the rows is the partial dependence (Friedman 2001); the answers of one row are
// its curve of individual conditional expectation (Goldstein et al. 2015), which shows what the
// mean hides. Where columns go together, some of these rows do not exist in the world: read with
// care.
//
//   Dependence shape = partial_dependence(model, data, "age", {.points = 30});
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "gradus/api/any_model.hpp"
#include "gradus/core/random.hpp"

namespace gradus {

struct DependenceOptions {
  std::size_t points = 40;       // most values of a numeric column
  std::size_t most_rows = 5000;  // rows that are asked, drawn by the seed; 0: all
  std::size_t curves = 0;        // rows whose own curves are kept
  Seed seed = 0;
};

struct Dependence {
  std::string column = {};
  std::vector<double> numbers = {};                           // the grid of a numeric column
  std::vector<std::string> levels = {};                       // that of a categorical one
  std::vector<std::string> outputs = {};                      // classes, or the target
  std::vector<std::vector<double>> mean = {};                 // [output][point]
  std::vector<std::size_t> curve_rows = {};                   // of the data, from 0
  std::vector<std::vector<std::vector<double>>> curves = {};  // [output][row][point]
  std::size_t rows = 0;                                       // that were asked

  std::size_t points() const { return numbers.empty() ? levels.size() : numbers.size(); }
  // The largest difference of the mean, over the outputs.
  double range() const;
};

// Error{usage} when the model does not learn from the column.
Dependence partial_dependence(const AnyModel& model, const Dataset& data, std::string_view column,
                              const DependenceOptions& options, const Context& context = {});

Value to_value(const Dependence& dependence);

}  // namespace gradus
