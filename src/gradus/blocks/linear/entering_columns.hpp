// Penalised least squares where few columns have a coefficient: only those that can enter are
// multiplied with each other.
//
// A coefficient is 0 at the optimum where |x_j'(y - X w)| <= l1_j. So the problem is solved on the
// columns that break this rule most, by coordinate descent on their Gram matrix; then one pass over
// the rows gives x_j'(y - X w) of all columns, and those that break it now join. The duality gap of
// all columns ends it, so the answer is that of the whole problem. With m of d columns chosen the
// products cost n m^2 instead of n d^2.
//
//   EnteringColumns some({design, units, sums, constant, context});
//   const EnteredLine line = some.solve({penalty, 0}, std::move(start), options);
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gradus/blocks/solver/coordinate_descent.hpp"
#include "gradus/linalg/column_sums.hpp"

namespace gradus {

struct EnteringProblem {
  const linalg::Design& design;
  linalg::ColumnUnits units;
  const linalg::ColumnSums& sums;            // in these units
  const std::vector<std::size_t>& constant;  // columns that never enter
  const Context& context;
};

struct EnteringTask {
  const Penalty& penalty;
  std::size_t output = 0;
};

struct EnteredLine {
  CoordinateResult result;
  double square = 0;      // |y - X w|^2
  bool too_many = false;  // so many columns entered that all products cost about the same
};

class EnteringColumns {
 public:
  explicit EnteringColumns(const EnteringProblem& problem);

  // The columns chosen for one output stay for the next.
  EnteredLine solve(const EnteringTask& task, std::vector<double> start,
                    const CoordinateOptions& options);

 private:
  linalg::LeftOver rest_of(std::size_t output, const std::vector<double>& w) const;
  double gap_of(const linalg::LeftOver& rest, const Penalty& penalty,
                const std::vector<double>& w) const;
  std::vector<std::uint32_t> breaking(const linalg::LeftOver& rest, const Penalty& penalty,
                                      const std::vector<double>& w) const;
  void enter(std::vector<std::uint32_t> fresh);
  void descend(const EnteringTask& task, const CoordinateOptions& options, CoordinateResult& out);

  EnteringProblem problem_;
  std::vector<char> closed_;  // constant, or entered already
  std::vector<std::uint32_t> chosen_;
  linalg::Matrix products_;  // of the chosen
};

}  // namespace gradus
