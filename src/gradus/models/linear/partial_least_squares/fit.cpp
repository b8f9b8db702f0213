// The components come from the sums of products alone, without another pass over the rows (the
// kernel form of Dayal and MacGregor 1997): X'X stays as it is and X'Y is freed of each component.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "gradus/blocks/linear/line.hpp"
#include "gradus/blocks/linear/safe_moments.hpp"
#include "gradus/blocks/linear/standardise.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/linalg/lapack.hpp"
#include "gradus/models/linear/partial_least_squares/model.hpp"
#include "gradus/simd/kernels.hpp"

namespace gradus {
namespace {

using linalg::Matrix;

// Covariances below this share of their size before the first component are rounding.
constexpr double kNothingLeft = 1e-12;

struct Component {
  std::vector<double> weights;
  std::vector<double> rotation;
  std::vector<double> loading;
  std::vector<double> target;  // q, per output
  double square = 0;           // t't
};

class Fit {
 public:
  Fit(const PartialLeastSquares& learner, const TrainTask& task, const Context& context)
      : learner_(learner),
        task_(task),
        context_(context),
        d_(task.features.cols()),
        outputs_(task.signature.outputs.size()) {
    const linalg::Design design = design_of(task, task.numbers, outputs_, task.weights);
    sums_ = safe_moments(design, linalg::Centre::mean, task.signature, context);
    if (!learner.scale) sums_ = in_common_units(std::move(sums_), d_);
    take_units();
  }

  PartialLeastSquaresModel run() {
    const auto most = static_cast<std::size_t>(learner_.n_components);
    const double start = size_of(xy_);
    while (components_.size() < std::min(most, d_) && size_of(xy_) > kNothingLeft * start) {
      context_.stop_if_cancelled();
      if (!take_component()) break;
    }
    take_model();
    if (context_.trace != nullptr) tell(*context_.trace);
    return std::move(model_);
  }

 private:
  static double size_of(const Matrix& m) {
    return std::sqrt(simd::dot(m.values.data(), m.values.data(), m.values.size()));
  }

  // Sums of products of columns in their deviations: correlations, but for scale = false.
  void take_units() {
    const std::size_t width = d_ + outputs_;
    units_.assign(width, 0.0);
    for (std::size_t j = 0; j < width; ++j) {
      const bool own = learner_.scale || j >= d_;
      if (!sums_.constant[j]) units_[j] = own ? 1 / std::sqrt(sums_.products(j, j)) : 1;
    }
    xx_ = Matrix::zeros(d_, d_);
    xy_ = Matrix::zeros(d_, outputs_);
    for (std::size_t i = 0; i < d_; ++i) {
      for (std::size_t j = 0; j < d_; ++j) xx_(i, j) = sums_.products(i, j) * units_[i] * units_[j];
      for (std::size_t k = 0; k < outputs_; ++k) {
        xy_(i, k) = sums_.products(i, d_ + k) * units_[i] * units_[d_ + k];
      }
    }
  }

  // The direction of largest covariance with the targets: X'y, or the first singular vector.
  std::vector<double> weights() const {
    std::vector<double> w(d_);
    if (outputs_ == 1) {
      const double size = size_of(xy_);
      for (std::size_t j = 0; j < d_; ++j) w[j] = xy_(j, 0) / size;
    } else {
      const linalg::Svd parts = linalg::svd(xy_);
      for (std::size_t j = 0; j < d_; ++j) w[j] = parts.u(j, 0);
    }
    // A direction of several targets has no sign of its own: its largest part is positive.
    const auto largest = std::max_element(
        w.begin(), w.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
    if (outputs_ > 1 && *largest < 0) {
      for (double& x : w) x = -x;
    }
    return w;
  }

  bool take_component() {
    Component c;
    c.weights = weights();
    c.rotation = c.weights;
    for (const Component& before : components_) {
      const double part = simd::dot(before.loading.data(), c.weights.data(), d_);
      simd::axpy(-part, before.rotation.data(), c.rotation.data(), d_);
    }
    c.loading.resize(d_);
    for (std::size_t j = 0; j < d_; ++j) {
      c.loading[j] = simd::dot(xx_.row(j).data(), c.rotation.data(), d_);
    }
    c.square = simd::dot(c.rotation.data(), c.loading.data(), d_);
    if (!(c.square > std::numeric_limits<double>::epsilon() * trace_of(xx_))) return false;
    for (double& x : c.loading) x /= c.square;
    for (std::size_t k = 0; k < outputs_; ++k) {
      double product = 0;
      for (std::size_t j = 0; j < d_; ++j) product += c.rotation[j] * xy_(j, k);
      c.target.push_back(product / c.square);
    }
    for (std::size_t j = 0; j < d_; ++j) {
      for (std::size_t k = 0; k < outputs_; ++k) {
        xy_(j, k) -= c.loading[j] * c.target[k] * c.square;
      }
    }
    components_.push_back(std::move(c));
    return true;
  }

  static double trace_of(const Matrix& m) {
    double sum = 0;
    for (std::size_t j = 0; j < m.height(); ++j) sum += m(j, j);
    return sum;
  }

  // From deviations to the units of the data.
  double unit(std::size_t column) const { return units_[column] * sums_.scales[column]; }

  void take_model() {
    const std::size_t count = components_.size();
    model_.means.assign(sums_.means.begin(), sums_.means.begin() + static_cast<std::ptrdiff_t>(d_));
    model_.rotations = Matrix::zeros(d_, count);
    model_.loadings = Matrix::zeros(d_, count);
    model_.target_loadings = Matrix::zeros(outputs_, count);
    model_.coefficients = Matrix::zeros(outputs_, d_);
    double targets = 0;
    for (std::size_t k = 0; k < outputs_; ++k) targets += units_[d_ + k] > 0 ? 1 : 0;
    // Scores are in units of deviation: the root of the weight undoes the sum over the rows.
    const double root = learner_.scale ? std::sqrt(sums_.weight) : 1;
    for (std::size_t a = 0; a < count; ++a) {
      const Component& c = components_[a];
      for (std::size_t j = 0; j < d_; ++j) {
        const double factor = learner_.scale ? unit(j) * root : 1;
        model_.rotations(j, a) = c.rotation[j] * factor;
        model_.loadings(j, a) = c.loading[j];
        require_finite(model_.rotations(j, a), j);
      }
      double square = 0;
      for (std::size_t k = 0; k < outputs_; ++k) {
        model_.target_loadings(k, a) = c.target[k];
        square += c.target[k] * c.target[k];
      }
      const double loading = simd::dot(c.loading.data(), c.loading.data(), d_);
      model_.x_explained.push_back(c.square * loading / trace_of(xx_));
      model_.y_explained.push_back(c.square * square / targets);
    }
    for (std::size_t k = 0; k < outputs_; ++k) take_line(k);
  }

  void take_line(std::size_t k) {
    double explained = 0;
    for (std::size_t j = 0; j < d_; ++j) {
      double b = 0;
      for (const Component& c : components_) b += c.rotation[j] * c.target[k];
      if (b != 0) b *= unit(j) / unit(d_ + k);
      require_finite(b, j);
      model_.coefficients(k, j) = b;
      explained += b * sums_.means[j];
    }
    model_.intercept.push_back(sums_.means[d_ + k] - explained);
    require_finite(model_.intercept.back(), d_ + k);
  }

  void require_finite(double number, std::size_t column) const {
    if (std::isfinite(number)) return;
    throw Error(ErrorKind::numerical, column_place(task_.signature, column),
                "its coefficient would be outside the range of numbers",
                "rescale this column or the target");
  }

  void tell(Trace& trace) const {
    const auto names = coefficient_names(Intercept::absent, task_.signature);
    for (std::size_t a = 0; a < components_.size(); ++a) {
      const Component& c = components_[a];
      Step step{.title = fmt::format("Component {}", a + 1),
                .path = fmt::format("component/{}", a + 1)};
      step.formula = fmt::format("w = X'y/|X'y|{},  p = X't/t't,  q = y't/t't = {}",
                                 d_ <= 8 ? " = " + bracketed(c.weights) : "", bracketed(c.target));
      step.values = object({{"weights", by_name(names, c.weights)},
                            {"rotation", by_name(names, c.rotation)},
                            {"loadings", by_name(names, c.loading)},
                            {"target_loadings", by_name(task_.signature.outputs, c.target)},
                            {"x_explained", model_.x_explained[a]},
                            {"y_explained", model_.y_explained[a]}});
      step.text = fmt::format(
          "It holds {} % of the variance of the columns and explains {} % of "
          "that of the target.",
          readable(100 * model_.x_explained[a], 4), readable(100 * model_.y_explained[a], 4));
      trace.add(std::move(step));
    }
    for (std::size_t k = 0; k < outputs_; ++k) {
      const Line line{model_.intercept[k], model_.coefficients.row(k), Intercept::present};
      const std::string& target = task_.signature.outputs[k];
      Step step{.title = "The line of " + target, .path = "coefficients/" + target};
      step.formula = "b = R q:  " + line_formula(line, task_.signature, target);
      step.values = line_by_name(line, task_.signature);
      trace.add(std::move(step));
    }
  }

  const PartialLeastSquares& learner_;
  const TrainTask& task_;
  const Context& context_;
  std::size_t d_;
  std::size_t outputs_;
  SafeMoments sums_;
  std::vector<double> units_;  // times the scales: one over the length of a column; 0: constant
  Matrix xx_;
  Matrix xy_;
  std::vector<Component> components_;
  PartialLeastSquaresModel model_;
};

}  // namespace

void PartialLeastSquares::check(const TrainTask& task) const {
  // The default is for every table: of one column there is one component.
  const std::size_t most =
      std::max(task.features.cols(), static_cast<std::size_t>(PartialLeastSquares{}.n_components));
  if (static_cast<std::size_t>(n_components) <= most) return;
  throw Error(ErrorKind::usage, "--n_components",
              fmt::format("n_components={} must not be above the number of columns, {}",
                          n_components, task.features.cols()),
              "encoded categories count as a column each; ask for fewer components");
}

PartialLeastSquaresModel PartialLeastSquares::fit(const TrainTask& task,
                                                  const Context& context) const {
  return Fit(*this, task, context).run();
}

}  // namespace gradus
