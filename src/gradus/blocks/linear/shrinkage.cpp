#include "gradus/blocks/linear/shrinkage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "gradus/blocks/linear/entering_columns.hpp"
#include "gradus/blocks/linear/explain_shrinkage.hpp"
#include "gradus/blocks/linear/fold_moments.hpp"
#include "gradus/blocks/linear/standardise.hpp"
#include "gradus/blocks/linear/words.hpp"
#include "gradus/blocks/solver/coordinate_descent.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/linalg/solve.hpp"
#include "gradus/simd/kernels.hpp"

namespace gradus {
namespace {

using linalg::Centre;
using linalg::Matrix;
using linalg::Moments;

constexpr double kUnitRoundoff = std::numeric_limits<double>::epsilon();
// Sums of squares inside these bounds lost nothing to overflow or underflow.
constexpr double kLeastSafeSum = 1e-150;
constexpr double kLargestSafeSum = 1e250;
// Sums of products lose the square of the condition number: up to here 9 digits remain.
constexpr double kCholeskyCondition = 1e3;
// More columns than this have no Gram matrix that is worth its memory.
constexpr std::size_t kGramColumns = 8192;
// From here on the products of the columns that enter cost less than several passes over the rows.
constexpr std::size_t kManyColumns = 256;
// A penalty that leaves nothing, in units of a column of length 1.
constexpr double kCrushing = 1e100;

struct Strength {
  double l1 = 0;
  double l2 = 0;
};

class Work {
 public:
  Work(const Shrinkage& how, const TrainTask& task, const Context& context)
      : how_(how),
        task_(task),
        context_(context),
        d_(task.features.cols()),
        centre_(how.options.fit_intercept ? Centre::mean : Centre::origin),
        design_(design_of(task, task.numbers, task.signature.outputs.size(), task.weights)) {
    gram_ = d_ <= kGramColumns &&
            (how.l1_ratio == 0 || how.options.choice.folds > 0 || d_ <= design_.rows);
    some_ = gram_ && how.options.choice.folds == 0 && how.l1_ratio > 0 && d_ >= kManyColumns;
  }

  ShrunkModel run() {
    check_factors();
    how_.warm.check(design_.outputs, d_);
    model_.has_intercept = how_.options.fit_intercept;
    model_.alpha = how_.alpha;
    model_.l1_ratio = how_.l1_ratio;
    const std::size_t outputs = design_.outputs;
    model_.coefficients = Matrix::zeros(outputs, d_);
    model_.intercept.assign(outputs, 0.0);
    take_sums();
    if (how_.options.choice.folds > 0) choose_alpha();
    for (std::size_t k = 0; k < outputs; ++k) {
      const std::vector<double> c = solve_output(k);
      take(c, k);
    }
    if (context_.trace != nullptr) {
      explain_shrinkage(model_, task_, {how_.scale == AlphaScale::sum, steps_}, *context_.trace);
    }
    return std::move(model_);
  }

 private:
  std::string where(std::size_t column) const {
    return "column " + in_quotes(column < d_ ? task_.signature.features[column].name
                                             : task_.signature.outputs[column - d_]);
  }

  void require_finite(double number, std::size_t column) const {
    if (std::isfinite(number)) return;
    throw Error(ErrorKind::numerical, where(column),
                "the magnitude of its numbers is too large to compute with",
                "divide the column by a power of ten, or look for wrong values in it");
  }

  void take_sums() {
    if (some_) some_ = sum_columns();
    if (!some_) gram_ ? sum_products() : pack_columns();
  }

  // Each column by itself, and with the targets. False when there is no threshold to enter by.
  bool sum_columns() {
    const std::size_t width = design_.width();
    context_.require_memory(width * width * sizeof(double), "the sums of products");
    scales_.assign(width, 1.0);
    sums_ = linalg::column_sums(design_, centre_, scales_, context_);
    if (lost(sums_.squares, sums_.means)) {
      take_safe_scales();
      sums_ = linalg::column_sums(design_, centre_, scales_, context_);
    }
    for (std::size_t j = 0; j < width; ++j) {
      require_finite(sums_.squares[j], j);
      require_finite(sums_.means[j], j);
    }
    weight_ = sums_.weight;
    if (strength(how_.alpha, weight_).l1 == 0) return false;
    moments_.means = sums_.means;
    std::vector<double> even(width);
    for (std::size_t j = 0; j < width; ++j) even[j] = even_scale(j, std::sqrt(sums_.squares[j]));
    for (std::size_t j = 0; j < width; ++j) sums_.squares[j] *= even[j] * even[j];
    for (const std::size_t j : constant_) sums_.squares[j] = even[j] = 0;
    for (std::size_t k = 0; k < design_.outputs; ++k) {
      for (std::size_t j = 0; j < d_; ++j) sums_.cross(k, j) *= even[j] * even[d_ + k];
    }
    for (std::size_t j = 0; j < width; ++j) scales_[j] *= even[j] == 0 ? 1 : even[j];
    entering_.emplace(
        EnteringProblem{design_, {moments_.means, scales_}, sums_, constant_, context_});
    return true;
  }

  static bool lost(std::span<const double> squares, std::span<const double> means) {
    for (std::size_t j = 0; j < squares.size(); ++j) {
      if (!(squares[j] >= kLeastSafeSum && squares[j] <= kLargestSafeSum)) return true;
      if (!std::isfinite(means[j])) return true;
    }
    return false;
  }

  // The power of two that brings column j, `norm` long, to about length 1; notes a constant one.
  double even_scale(std::size_t j, double norm) {
    const double rounding = 4 * kUnitRoundoff * std::abs(moments_.means[j] * scales_[j]);
    const bool moves = norm > rounding * std::sqrt(weight_);
    if (!moves && j < d_) constant_.push_back(j);
    const double even = linalg::power_of_two_scale(norm);
    return std::isfinite(even * scales_[j]) ? even : 1;
  }

  // The sums of the folds (one fold: of everything), and of the whole from them.
  void sum_folds() {
    const std::size_t folds = static_cast<std::size_t>(std::max(1, how_.options.choice.folds));
    folds_ = fold_moments(design_, folds, centre_, scales_, context_);
    if (how_.options.choice.folds > 0) {
      moments_ = joined(folds_, folds, scales_);
      return;
    }
    moments_ = std::move(folds_.front());
    folds_.clear();
  }

  void sum_products() {
    const std::size_t width = design_.width();
    context_.require_memory(width * width * sizeof(double), "the sums of products");
    if (static_cast<std::size_t>(how_.options.choice.folds) > design_.rows) {
      throw Error(ErrorKind::usage, "--folds",
                  fmt::format("{} folds need at least as many rows, there are {}",
                              how_.options.choice.folds, design_.rows),
                  "use fewer folds");
    }
    scales_.assign(width, 1.0);
    sum_folds();
    std::vector<double> squares(width);
    for (std::size_t j = 0; j < width; ++j) squares[j] = moments_.products(j, j);
    if (lost(squares, moments_.means)) {
      take_safe_scales();
      sum_folds();
    }
    for (std::size_t j = 0; j < width; ++j) {
      require_finite(moments_.products(j, j), j);
      require_finite(moments_.means[j], j);
    }
    weight_ = moments_.weight;
    even_out();
  }

  void take_safe_scales() {
    scales_ = linalg::safe_scales(design_, centre_, context_);
    for (std::size_t j = 0; j < scales_.size(); ++j) require_finite(1 / scales_[j], j);
  }

  // Powers of two that bring every column to about length 1, exactly; a constant column to 0.
  void even_out() {
    std::vector<double> even(design_.width());
    for (std::size_t j = 0; j < even.size(); ++j) {
      even[j] = even_scale(j, std::sqrt(moments_.products(j, j)));
    }
    for (Moments* m : all_moments()) {
      for (std::size_t i = 0; i < even.size(); ++i) {
        for (std::size_t j = 0; j < even.size(); ++j) m->products(i, j) *= even[i] * even[j];
      }
      for (const std::size_t j : constant_) {
        for (std::size_t i = 0; i < even.size(); ++i) m->products(i, j) = m->products(j, i) = 0;
      }
    }
    for (std::size_t j = 0; j < even.size(); ++j) scales_[j] *= even[j];
  }

  std::vector<Moments*> all_moments() {
    std::vector<Moments*> out = {&moments_};
    for (Moments& fold : folds_) out.push_back(&fold);
    return out;
  }

  // Without a Gram matrix: the columns themselves, centred and scaled.
  void pack_columns() {
    const std::size_t width = design_.width();
    if (how_.options.choice.folds > 0 || how_.l1_ratio == 0) {
      throw Error(ErrorKind::limit, how_.options.choice.folds > 0 ? "--folds" : "",
                  fmt::format("{} columns are more than the {} that sums of products can hold", d_,
                              kGramColumns),
                  "use fewer columns, or lasso with a given alpha");
    }
    const std::size_t n = design_.rows;
    context_.require_memory(n * width * sizeof(double), "the columns of a wide table");
    take_safe_scales();
    moments_.means = centre_ == Centre::mean ? linalg::column_means(design_, scales_, context_)
                                             : std::vector<double>(width, 0.0);
    for (std::size_t j = 0; j < width; ++j) require_finite(moments_.means[j], j);
    columns_.resize(n * width);
    std::vector<double> scratch;
    weight_ = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double* x = design_.block(i, i + 1, scratch);
      const double weight = task_.weight(i);
      weight_ += weight;
      for (std::size_t j = 0; j < width; ++j) {
        const double value = j < d_ ? x[j] : design_.targets[i * design_.outputs + j - d_];
        columns_[j * n + i] = (value - moments_.means[j]) * scales_[j] * std::sqrt(weight);
      }
    }
    even_out_columns();
  }

  void even_out_columns() {
    const std::size_t n = design_.rows;
    for (std::size_t j = 0; j < design_.width(); ++j) {
      double* column = columns_.data() + j * n;
      const double even = even_scale(j, std::sqrt(simd::dot(column, column, n)));
      if (!constant_.empty() && constant_.back() == j) std::fill_n(column, n, 0.0);
      for (std::size_t i = 0; i < n; ++i) column[i] *= even;
      scales_[j] *= even;
    }
  }

  Strength strength(double alpha, double weight) const {
    if (how_.scale == AlphaScale::sum) return {0, alpha};
    return {weight * alpha * how_.l1_ratio, weight * alpha * (1 - how_.l1_ratio)};
  }

  double factor(std::size_t j) const {
    return how_.options.penalty_factor.empty() ? 1 : how_.options.penalty_factor[j];
  }

  void check_factors() const {
    const std::vector<double>& factors = how_.options.penalty_factor;
    if (factors.empty()) return;
    const bool good = std::all_of(factors.begin(), factors.end(),
                                  [](double f) { return f >= 0 && std::isfinite(f); });
    if (good && factors.size() == d_) return;
    throw Error(ErrorKind::usage, "--penalty_factor",
                fmt::format("penalty_factor must be {} numbers from 0 on, one per feature, got {}",
                            d_, factors.size()),
                "give one factor per feature, encoded levels counting one by one");
  }

  // In scaled units c_j = w_j t / s_j: l1 is L1 t s_j, l2 is L2 s_j^2 (t the scale of the target).
  Penalty penalty(Strength s, std::size_t output) const {
    Penalty out = Penalty::uniform(d_, {});
    for (std::size_t j = 0; j < d_; ++j) {
      out.l1[j] = std::min(s.l1 * factor(j) * scales_[d_ + output] * scales_[j], kCrushing);
      out.l2[j] = std::min(s.l2 * factor(j) * scales_[j] * scales_[j], kCrushing);
    }
    return out;
  }

  CoordinateOptions coordinate_options() const {
    CoordinateOptions out;
    out.max_iter = how_.descent.max_iter;
    out.tol = how_.descent.tol;
    out.context = &context_;
    return out;
  }

  std::vector<double> solve_output(std::size_t k) {
    const Strength s = strength(model_.alpha, weight_);
    if (s.l1 == 0) return gram_ ? solve_smooth(moments_, s, k, Careful::yes) : solve_zero(k);
    CoordinateOptions options = coordinate_options();
    if (context_.trace != nullptr) {
      options.observe = [&](const CoordinateStep& step) { remember(step, s, k); };
    }
    if (some_) return solve_entering(s, k, options);
    return solve_sparse(moments_, s, k, start(k), options);
  }

  // On the columns that enter; when these are too many, on all of them from there on.
  std::vector<double> solve_entering(Strength s, std::size_t k, CoordinateOptions options) {
    const Penalty p = penalty(s, k);
    EnteredLine found = entering_->solve({p, k}, start(k), options);
    if (!found.too_many) {
      left_ = found.square;
      return noted(std::move(found.result), sums_.squares[d_ + k]);
    }
    const std::vector<double> scales = scales_;
    some_ = false;
    constant_.clear();
    sum_products();
    std::vector<double> c = std::move(found.result.w);
    for (std::size_t j = 0; j < d_; ++j) {
      c[j] *= (scales[j] / scales_[j]) * (scales_[d_ + k] / scales[d_ + k]);
    }
    options.max_iter = std::max(1, options.max_iter - found.result.sweeps);
    return solve_sparse(moments_, s, k, std::move(c), options);
  }

  // What is known of a descent when it ended; its coefficients.
  std::vector<double> noted(CoordinateResult found, double square) {
    model_.n_iter = std::max<std::int64_t>(model_.n_iter, found.sweeps);
    model_.converged = model_.converged && found.converged;
    if (square > 0) model_.duality_gap = std::max(model_.duality_gap, found.gap / square);
    return std::move(found.w);
  }

  // In scaled units; a constant column stays at 0.
  std::vector<double> start(std::size_t k) const {
    std::vector<double> c(d_, 0.0);
    if (!how_.warm.given()) return c;
    const auto w = how_.warm.coefficients(k, d_);
    for (std::size_t j = 0; j < d_; ++j) c[j] = w[j] * (scales_[d_ + k] / scales_[j]);
    for (const std::size_t j : constant_) c[j] = 0;
    // Beyond the range of numbers there is nothing to begin with.
    if (!all_finite(c)) std::fill(c.begin(), c.end(), 0.0);
    return c;
  }

  // alpha = 0 with more columns than a Gram matrix holds.
  [[noreturn]] std::vector<double> solve_zero(std::size_t) const {
    throw Error(ErrorKind::usage, "--alpha", "alpha 0 with this many columns has no unique answer",
                "use an alpha above 0");
  }

  std::vector<double> solve_sparse(const Moments& m, Strength s, std::size_t k,
                                   std::vector<double> start, const CoordinateOptions& options) {
    const Penalty p = penalty(s, k);
    CoordinateResult found;
    double square = 0;
    if (gram_) {
      const auto [products, right] = system(m, k);
      square = m.products(d_ + k, d_ + k);
      found = descend_gram({products, right, square}, p, std::move(start), options);
    } else {
      const std::size_t n = design_.rows;
      const std::span<const double> target = std::span(columns_).subspan((d_ + k) * n, n);
      square = simd::dot(target.data(), target.data(), n);
      found = descend_columns({columns_, target, n}, p, std::move(start), options);
    }
    return noted(std::move(found), square);
  }

  std::pair<Matrix, std::vector<double>> system(const Moments& m, std::size_t k) const {
    Matrix products = Matrix::zeros(d_, d_);
    std::vector<double> right(d_);
    for (std::size_t i = 0; i < d_; ++i) {
      std::copy_n(m.products.row(i).data(), d_, products.row(i).data());
      right[i] = m.products(i, d_ + k);
    }
    return {std::move(products), std::move(right)};
  }

  enum class Careful { no, yes };

  // L1 = 0. `careful`: from the rows themselves when the sums of products are not accurate enough.
  std::vector<double> solve_smooth(const Moments& m, Strength s, std::size_t k, Careful careful) {
    const Penalty p = penalty(s, k);
    auto [gram, rights] = system(m, k);
    Matrix right = Matrix::zeros(d_, 1);
    for (std::size_t j = 0; j < d_; ++j) {
      right(j, 0) = rights[j];
      gram(j, j) += p.l2[j];
    }
    for (const std::size_t j : constant_) gram(j, j) = 1;
    model_.n_iter = 1;
    auto solution = linalg::solve_cholesky(gram, right);
    if (solution && (careful == Careful::no || solution->condition <= kCholeskyCondition)) {
      return std::move(solution->coefficients.values);
    }
    return solve_rows(m, p, k);
  }

  // QR of [rows; sqrt(l2) I], and the SVD when columns still depend on each other.
  std::vector<double> solve_rows(const Moments& m, const Penalty& p, std::size_t k) const {
    const Matrix rows = linalg::reduced_rows(design_, m.means, scales_, context_);
    const std::size_t height = rows.height();
    Matrix a = Matrix::zeros(height + d_, d_);
    Matrix b = Matrix::zeros(height + d_, 1);
    for (std::size_t i = 0; i < height; ++i) {
      for (std::size_t j = 0; j < d_; ++j) a(i, j) = rows(i, j);
      b(i, 0) = rows(i, d_ + k);
    }
    for (std::size_t j = 0; j < d_; ++j) a(height + j, j) = std::sqrt(p.l2[j]);
    for (const std::size_t j : constant_) {
      for (std::size_t i = 0; i < height; ++i) a(i, j) = 0;
      a(height + j, j) = 1;
    }
    const double tolerance = 4 * kUnitRoundoff * static_cast<double>(a.rows);
    linalg::Solution solution = linalg::solve_qr(a, b, tolerance);
    if (solution.rank == d_) return std::move(solution.coefficients.values);
    const std::vector<double> units(scales_.begin(),
                                    scales_.begin() + static_cast<std::ptrdiff_t>(d_));
    return std::move(linalg::solve_svd(a, b, tolerance, units).coefficients.values);
  }

  // From the least alpha that leaves nothing down to eps times it; ridge never leaves nothing, so
  // its largest value is 100 times the mean square length of the columns.
  std::vector<double> path() const {
    std::vector<double> out = how_.options.choice.alphas;
    if (!out.empty()) {
      std::sort(out.rbegin(), out.rend());
      return out;
    }
    double largest = 0;
    for (std::size_t j = 0; j < d_; ++j) {
      const double unit = how_.l1_ratio > 0 ? scales_[d_] * scales_[j] : scales_[j] * scales_[j];
      const double size = how_.l1_ratio > 0 ? std::abs(moments_.products(j, d_)) / how_.l1_ratio
                                            : 100 * moments_.products(j, j);
      if (factor(j) > 0) largest = std::max(largest, size / unit / factor(j));
    }
    if (how_.scale == AlphaScale::mean) largest /= weight_;
    if (!(largest > 0) || !std::isfinite(largest)) largest = 1;
    const int count = how_.options.choice.n_alphas;
    for (int i = 0; i < count; ++i) {
      const double part = count == 1 ? 0 : static_cast<double>(i) / (count - 1);
      out.push_back(largest * std::pow(how_.options.choice.eps, part));
    }
    return out;
  }

  void choose_alpha() {
    if (design_.outputs > 1) {
      throw Error(ErrorKind::usage, "--folds", "alpha is chosen for one output at a time",
                  "give one target, or folds 0 with an alpha");
    }
    const std::vector<double> alphas = path();
    std::vector<std::vector<double>> errors(alphas.size());
    for (std::size_t f = 0; f < folds_.size(); ++f) {
      const Moments training = joined(folds_, f, scales_);
      if (folds_[f].weight == 0 || training.weight == 0) continue;
      follow(alphas, training, [&](std::size_t a, const std::vector<double>& c) {
        const double sum = squared_error(folds_[f], training, c, scales_);
        errors[a].push_back(sum / folds_[f].weight / scales_[d_] / scales_[d_]);
      });
    }
    record_path(alphas, errors);
    model_.path_coefficients = Matrix::zeros(alphas.size(), d_);
    follow(alphas, moments_, [&](std::size_t a, const std::vector<double>& c) {
      for (std::size_t j = 0; j < d_; ++j) {
        model_.path_coefficients(a, j) = c[j] * (scales_[j] / scales_[d_]);
      }
    });
    model_.n_iter = 0;
    model_.converged = true;
    model_.duality_gap = 0;
  }

  // Solves along the path, each from the solution before.
  template <class Visit>
  void follow(const std::vector<double>& alphas, const Moments& m, Visit&& visit) {
    std::vector<double> c(d_, 0.0);
    for (std::size_t a = 0; a < alphas.size(); ++a) {
      context_.stop_if_cancelled();
      const Strength s = strength(alphas[a], m.weight);
      c = s.l1 == 0 ? solve_smooth(m, s, 0, Careful::no)
                    : solve_sparse(m, s, 0, std::move(c), coordinate_options());
      visit(a, c);
    }
  }

  void record_path(const std::vector<double>& alphas,
                   const std::vector<std::vector<double>>& errors) {
    model_.path_alpha = alphas;
    std::size_t best = 0;
    for (std::size_t a = 0; a < alphas.size(); ++a) {
      const auto n = static_cast<double>(errors[a].size());
      double mean = 0;
      double square = 0;
      for (const double e : errors[a]) mean += e / n;
      for (const double e : errors[a]) square += (e - mean) * (e - mean);
      model_.path_error.push_back(mean);
      model_.path_spread.push_back(n > 1 ? std::sqrt(square / (n - 1) / n) : 0);
      if (mean < model_.path_error[best]) best = a;
    }
    model_.alpha = alphas[best];
  }

  // The line in the units of the data, and what is known about it.
  void take(const std::vector<double>& c, std::size_t k) {
    double explained = 0;
    const double target = scales_[d_ + k];
    for (std::size_t j = 0; j < d_; ++j) {
      const double b = c[j] * (scales_[j] / target);
      if (!std::isfinite(b)) {
        throw Error(ErrorKind::numerical, where(j),
                    "its coefficient would be outside the range of numbers",
                    "rescale this column or the target");
      }
      model_.coefficients(k, j) = b;
      explained += b * moments_.means[j];
    }
    if (model_.has_intercept) model_.intercept[k] = moments_.means[d_ + k] - explained;
    require_finite(model_.intercept[k], d_ + k);
    take_scores(c, k);
  }

  void take_scores(const std::vector<double>& c, std::size_t k) {
    double total = 0;
    double rest = 0;
    if (some_) {
      total = sums_.squares[d_ + k];
      rest = left_;
    } else if (gram_) {
      const auto [products, right] = system(moments_, k);
      total = rest = moments_.products(d_ + k, d_ + k);
      for (std::size_t j = 0; j < d_; ++j) {
        rest += c[j] * (simd::dot(products.row(j).data(), c.data(), d_) - 2 * right[j]);
      }
    } else {
      const std::size_t n = design_.rows;
      std::vector<double> gap(
          columns_.end() - static_cast<std::ptrdiff_t>((design_.outputs - k) * n),
          columns_.end() - static_cast<std::ptrdiff_t>((design_.outputs - k - 1) * n));
      total = simd::dot(gap.data(), gap.data(), n);
      for (std::size_t j = 0; j < d_; ++j) {
        if (c[j] != 0) simd::axpy(-c[j], columns_.data() + j * n, gap.data(), n);
      }
      rest = simd::dot(gap.data(), gap.data(), n);
    }
    rest = std::max(0.0, rest);
    const double unit = 1 / scales_[d_ + k];
    model_.r2.push_back(total > 0 ? 1 - rest / total : std::numeric_limits<double>::quiet_NaN());
    const Strength s = strength(model_.alpha, weight_);
    const double whole = (0.5 * rest + penalty(s, k).value(c)) * unit * unit;
    model_.objective.push_back(how_.scale == AlphaScale::sum ? 2 * whole : whole / weight_);
  }

  // One coordinate in the units of the data.
  void remember(const CoordinateStep& step, Strength s, std::size_t k) {
    if (steps_.size() >= kMostShrinkageSteps) return;
    const double unit = scales_[step.coordinate] / scales_[d_ + k];
    double square = 1;
    if (gram_) {
      square = some_ ? sums_.squares[step.coordinate]
                     : moments_.products(step.coordinate, step.coordinate);
    }
    steps_.push_back({.output = k,
                      .sweep = step.sweep,
                      .feature = step.coordinate,
                      .correlation = step.correlation / scales_[step.coordinate] / scales_[d_ + k],
                      .threshold = s.l1 * factor(step.coordinate),
                      .square = square / scales_[step.coordinate] / scales_[step.coordinate] +
                                s.l2 * factor(step.coordinate),
                      .before = step.before * unit,
                      .after = step.after * unit});
  }

  const Shrinkage& how_;
  const TrainTask& task_;
  const Context& context_;
  std::size_t d_;
  Centre centre_;
  linalg::Design design_;
  bool gram_ = true;
  bool some_ = false;  // products of the columns that enter alone
  double weight_ = 0;
  std::vector<double> scales_;
  std::vector<Moments> folds_;
  Moments moments_;
  linalg::ColumnSums sums_;
  std::optional<EnteringColumns> entering_;
  double left_ = 0;  // the square of what the last line leaves over
  std::vector<double> columns_;
  std::vector<std::size_t> constant_;
  std::vector<ShrinkageStep> steps_;
  ShrunkModel model_;
};

}  // namespace

ShrunkModel fit_shrunk(const Shrinkage& how, const TrainTask& task, const Context& context) {
  return Work(how, task, context).run();
}

}  // namespace gradus
