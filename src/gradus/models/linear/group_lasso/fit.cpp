#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "gradus/blocks/linear/descent_line.hpp"
#include "gradus/blocks/linear/standardise.hpp"
#include "gradus/blocks/penalty/lq.hpp"
#include "gradus/contract/entry_impl.hpp"
#include "gradus/core/text.hpp"
#include "gradus/linalg/lapack.hpp"
#include "gradus/models/linear/group_lasso/params.hpp"

namespace gradus {

template const Entry& entry<GroupLasso>();

namespace {

using linalg::Matrix;

// Feature `color=red` belongs to `color`; a number to itself.
std::vector<std::vector<std::size_t>> groups_of(const GroupLasso& learner, const TrainTask& task) {
  std::map<std::string, std::size_t> number;
  std::vector<std::vector<std::size_t>> out;
  for (std::size_t j = 0; j < task.features.cols(); ++j) {
    std::string key;
    if (learner.groups.empty()) {
      const std::string name = task.signature.features[j].name;
      key = name.substr(0, name.find('='));
    } else {
      key = shortest(learner.groups[j]);
    }
    const auto [found, fresh] = number.emplace(key, out.size());
    if (fresh) out.emplace_back();
    out[found->second].push_back(j);
  }
  return out;
}

// A group with the eigenvectors of its products, in units of the data relative to the common ones.
struct GroupAxes {
  Matrix vectors;  // as rows
  std::vector<double> values;
  double root = 1;  // of the size
};

}  // namespace

void GroupLasso::check(const TrainTask& task) const {
  if (groups.empty()) return;
  const bool whole =
      std::all_of(groups.begin(), groups.end(), [](double g) { return g == std::floor(g); });
  if (whole && groups.size() == task.features.cols()) return;
  throw Error(ErrorKind::usage, "--groups",
              fmt::format("groups must be {} whole numbers, one per feature, got {}",
                          task.features.cols(), groups.size()),
              "give the number of the group of each feature, encoded levels counting one by one");
}

DescentLineModel GroupLasso::fit(const TrainTask& task, const Context& context) const {
  const linalg::Design design = design_of(task, task.numbers, 1, task.weights);
  const auto centre = descent.fit_intercept ? linalg::Centre::mean : linalg::Centre::origin;
  const std::size_t d = task.features.cols();
  // One unit for all columns: the length of a group is that of the data.
  const SafeMoments sums =
      in_common_units(safe_moments(design, centre, task.signature, context), d);
  DescentProblem problem{.sums = sums, .max_iter = descent.max_iter, .tol = descent.tol};
  problem.has_intercept = descent.fit_intercept;
  std::vector<GroupAxes> axes;
  const auto all = groups_of(*this, task);
  for (const auto& columns : all) {
    Matrix products = Matrix::zeros(columns.size(), columns.size());
    for (std::size_t a = 0; a < columns.size(); ++a) {
      for (std::size_t b = 0; b < columns.size(); ++b) {
        products(a, b) = sums.products(columns[a], columns[b]);
      }
    }
    linalg::Svd parts = linalg::svd(products);
    const double least = 1e-14 * (parts.s.empty() ? 0 : parts.s[0]);
    for (double& v : parts.s) v = v > least ? v : 0;
    axes.push_back(
        {std::move(parts.vt), std::move(parts.s), std::sqrt(static_cast<double>(columns.size()))});
    problem.blocks.push_back({columns});
  }
  const double common = d > 0 ? sums.scales[0] : 1;
  problem.best = [&](std::size_t g, std::span<const double> c, std::span<double> w) {
    const GroupAxes& group = axes[g];
    std::vector<double> along(c.size(), 0.0);
    for (std::size_t r = 0; r < c.size(); ++r) {
      for (std::size_t j = 0; j < c.size(); ++j) along[r] += group.vectors(r, j) * c[j];
      // Along an axis without variance there is nothing to fit.
      if (group.values[r] == 0) along[r] = 0;
    }
    const double l = std::min(sums.weight * alpha * group.root * common * sums.scales[d], 1e100);
    const double t = group_length(group.values, along, l);
    for (std::size_t r = 0; r < c.size() && t > 0; ++r) {
      const double size = along[r] * t / (group.values[r] * t + l);
      for (std::size_t j = 0; j < c.size(); ++j) w[j] += group.vectors(r, j) * size;
    }
  };
  problem.penalty = [&](std::span<const double> w) {
    double sum = 0;
    for (const auto& columns : all) {
      double length = 0;
      for (const std::size_t j : columns) length = std::hypot(length, w[j]);
      sum += std::sqrt(static_cast<double>(columns.size())) * length;
    }
    return alpha * sum;
  };
  return descend_line(problem, task, context);
}

}  // namespace gradus
