#include "gradus/blocks/linear/entering_columns.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gradus {
namespace {

// Columns enter that break their rule by at least this part of the worst,
constexpr double kNearWorst = 1.0 / 3;
// and at least this share of what has a coefficient, so that rounds stay few.
constexpr std::size_t kLeastEntering = 16;
constexpr std::size_t kEnteringShare = 4;
// How far the chosen columns are solved, in parts of the gap of all columns.
constexpr double kInnerShare = 1e-5;
// Solved again and more exactly, when nothing enters and the gap is still too large.
constexpr int kMostRefinements = 3;

}  // namespace

EnteringColumns::EnteringColumns(const EnteringProblem& problem)
    : problem_(problem), closed_(problem.design.features, 0) {
  for (const std::size_t j : problem.constant) closed_[j] = 1;
}

linalg::LeftOver EnteringColumns::rest_of(std::size_t output, const std::vector<double>& w) const {
  const bool nothing = std::all_of(w.begin(), w.end(), [](double c) { return c == 0; });
  if (!nothing) {
    return linalg::left_over(problem_.design, problem_.units, {w, output}, problem_.context);
  }
  const double square = problem_.sums.squares[problem_.design.features + output];
  const auto cross = problem_.sums.cross.row(output);
  return {square, square, {cross.begin(), cross.end()}};
}

// As in coordinate descent: the dual point is the residual, shrunk until it is feasible.
double EnteringColumns::gap_of(const linalg::LeftOver& rest, const Penalty& penalty,
                               const std::vector<double>& w) const {
  double bent = 0;
  double size = 0;
  double shrink = 1;
  double loose = 0;
  for (std::size_t j = 0; j < w.size(); ++j) {
    bent += penalty.l2[j] * w[j] * w[j];
    size += penalty.l1[j] * std::abs(w[j]);
    if (closed_[j] != 0 && problem_.sums.squares[j] == 0) continue;
    const double left = std::abs(rest.products[j] - penalty.l2[j] * w[j]);
    const double curvature = problem_.sums.squares[j] + penalty.l2[j];
    if (penalty.l1[j] == 0 && curvature > 0) loose += left * left / curvature;
    if (penalty.l1[j] > 0 && left > penalty.l1[j]) shrink = std::min(shrink, penalty.l1[j] / left);
  }
  const double dual = shrink * rest.with_target - 0.5 * shrink * shrink * (rest.square + bent);
  return std::max(0.0, 0.5 * rest.square + size + 0.5 * bent - dual) + loose;
}

// The columns that enter next, by their number.
std::vector<std::uint32_t> EnteringColumns::breaking(const linalg::LeftOver& rest,
                                                     const Penalty& penalty,
                                                     const std::vector<double>& w) const {
  struct Candidate {
    double excess = 0;
    std::uint32_t column = 0;
  };
  std::vector<Candidate> found;
  std::vector<std::uint32_t> out;
  for (std::size_t j = 0; j < closed_.size(); ++j) {
    if (closed_[j] != 0) continue;
    const double left = std::abs(rest.products[j]);
    const auto column = static_cast<std::uint32_t>(j);
    // What is free, or has a coefficient to begin with, is in from the start.
    if (penalty.l1[j] == 0 || w[j] != 0)
      out.push_back(column);
    else if (left > penalty.l1[j])
      found.push_back({left / penalty.l1[j], column});
  }
  std::sort(found.begin(), found.end(), [](const Candidate& a, const Candidate& b) {
    return a.excess != b.excess ? a.excess > b.excess : a.column < b.column;
  });
  const auto entered =
      static_cast<std::size_t>(std::count_if(w.begin(), w.end(), [](double c) { return c != 0; }));
  const std::size_t least = std::max(kLeastEntering, entered / kEnteringShare);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (i >= least && found[i].excess < kNearWorst * found.front().excess) break;
    out.push_back(found[i].column);
  }
  std::sort(out.begin(), out.end());
  return out;
}

void EnteringColumns::enter(std::vector<std::uint32_t> fresh) {
  if (fresh.empty()) return;
  const std::size_t before = chosen_.size();
  for (const std::uint32_t j : fresh) closed_[j] = 1;
  chosen_.insert(chosen_.end(), fresh.begin(), fresh.end());
  const std::size_t all = chosen_.size();
  const linalg::Matrix added =
      linalg::chosen_products(problem_.design, problem_.units, {chosen_, before}, problem_.context);
  linalg::Matrix products = linalg::Matrix::zeros(all, all);
  for (std::size_t i = 0; i < before; ++i) {
    std::copy_n(products_.row(i).data(), before, products.row(i).data());
  }
  for (std::size_t i = before; i < all; ++i) {
    const auto row = added.row(i - before);
    std::copy(row.begin(), row.end(), products.row(i).begin());
    for (std::size_t j = 0; j < before; ++j) products(j, i) = row[j];
  }
  products_ = std::move(products);
}

// Coordinate descent over the chosen columns, from `out.w` on.
void EnteringColumns::descend(const EnteringTask& task, const CoordinateOptions& options,
                              CoordinateResult& out) {
  const std::size_t m = chosen_.size();
  Penalty penalty = Penalty::uniform(m, {});
  std::vector<double> right(m);
  std::vector<double> start(m);
  for (std::size_t a = 0; a < m; ++a) {
    penalty.l1[a] = task.penalty.l1[chosen_[a]];
    penalty.l2[a] = task.penalty.l2[chosen_[a]];
    right[a] = problem_.sums.cross(task.output, chosen_[a]);
    start[a] = out.w[chosen_[a]];
  }
  CoordinateOptions inner = options;
  if (options.observe) {
    inner.observe = [&](CoordinateStep step) {
      step.coordinate = chosen_[step.coordinate];
      step.sweep += out.sweeps;
      options.observe(step);
    };
  }
  const double square = problem_.sums.squares[problem_.design.features + task.output];
  const CoordinateResult found =
      descend_gram({products_, right, square}, penalty, std::move(start), inner);
  for (std::size_t a = 0; a < m; ++a) out.w[chosen_[a]] = found.w[a];
  out.sweeps += found.sweeps;
}

EnteredLine EnteringColumns::solve(const EnteringTask& task, std::vector<double> start,
                                   const CoordinateOptions& options) {
  EnteredLine out;
  CoordinateResult& line = out.result;
  line.w = std::move(start);
  const double square = problem_.sums.squares[problem_.design.features + task.output];
  const double wanted = options.tol * square;
  linalg::LeftOver rest = rest_of(task.output, line.w);
  line.gap = gap_of(rest, task.penalty, line.w);
  double floor = 0.5 * wanted;
  int refinements = 0;
  while (line.sweeps < options.max_iter) {
    std::vector<std::uint32_t> fresh = breaking(rest, task.penalty, line.w);
    out.too_many = 2 * (chosen_.size() + fresh.size()) > closed_.size();
    if (out.too_many) return out;
    if (fresh.empty() && line.sweeps > 0) {
      if (++refinements > kMostRefinements) break;
      floor *= 0.1;
    }
    enter(std::move(fresh));
    CoordinateOptions inner = options;
    inner.max_iter = options.max_iter - line.sweeps;
    inner.tol = square > 0 ? std::max(floor, kInnerShare * line.gap) / square : options.tol;
    descend(task, inner, line);
    rest = rest_of(task.output, line.w);
    line.gap = gap_of(rest, task.penalty, line.w);
    line.converged = line.gap <= wanted;
    if (line.converged) break;
  }
  out.square = rest.square;
  return out;
}

}  // namespace gradus
