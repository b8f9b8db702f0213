#include "gradus/blocks/basis/basis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <utility>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

constexpr std::size_t kBlockRows = 256;
constexpr std::size_t kMostFunctions = 100'000'000;
// Functions of numbers far outside of the training data stay inside the range of numbers.
constexpr double kLargest = 1e250;
constexpr std::size_t kSplineDegree = 3;

// Monomials by degree, then by the order of the columns: x, z, x^2, x z, z^2, ... `visit` gets the
// columns of each product, one entry per factor, ascending.
class Monomials {
 public:
  using Visit = std::function<void(const std::vector<std::size_t>&)>;

  Monomials(const Basis& basis, Visit visit) : basis_(basis), visit_(std::move(visit)) {
    const auto most = static_cast<std::size_t>(basis.degree);
    for (std::size_t degree = 1; degree <= most; ++degree) extend(0, degree);
  }

 private:
  // A column of zeros and ones is its own square.
  bool allowed(std::size_t column) const {
    if (factors_.empty()) return true;
    if (column == factors_.back()) return basis_.width[column] != 0;
    return basis_.interactions;
  }

  void extend(std::size_t from, std::size_t missing) {
    if (missing == 0) {
      visit_(factors_);
      return;
    }
    for (std::size_t j = from; j < basis_.columns(); ++j) {
      if (!allowed(j)) continue;
      factors_.push_back(j);
      extend(j, missing - 1);
      factors_.pop_back();
    }
  }

  const Basis& basis_;
  Visit visit_;
  std::vector<std::size_t> factors_;
};

// Functions of one column that does not stand for itself.
std::size_t per_column(const Basis& basis) {
  const auto n = static_cast<std::size_t>(basis.n_basis);
  switch (basis.kind) {
    case BasisKind::spline: return n + kSplineDegree - 1;
    case BasisKind::fourier: return 2 * n;
    default: return n;
  }
}

double centre(const Basis& basis, std::size_t column, std::size_t i) {
  const double low = basis.low[column];
  const double high = basis.high[column];
  if (basis.n_basis == 1) return low / 2 + high / 2;
  const double part = static_cast<double>(i) / static_cast<double>(basis.n_basis - 1);
  return low * (1 - part) + high * part;
}

// The B-splines of x: on interval i only functions i .. i + 3 are not 0 (de Boor's recursion on
// knots at the whole numbers).
void add_splines(const Basis& basis, std::size_t column, double x, double* out) {
  const std::size_t count = per_column(basis);
  std::fill_n(out, count, 0.0);
  const double width = basis.high[column] - basis.low[column];
  const double inside = std::clamp(x, basis.low[column], basis.high[column]);
  const double t = (inside - basis.low[column]) / width * static_cast<double>(basis.n_basis);
  const auto last = static_cast<std::size_t>(basis.n_basis - 1);
  const std::size_t interval = std::min(static_cast<std::size_t>(std::max(0.0, t)), last);
  const double u = t - static_cast<double>(interval);
  double values[kSplineDegree + 1] = {1, 0, 0, 0};
  for (std::size_t degree = 1; degree <= kSplineDegree; ++degree) {
    double before = 0;
    for (std::size_t r = 0; r < degree; ++r) {
      // Distances to the knots on the right and on the left.
      const double right = static_cast<double>(r + 1) - u;
      const double left = u + static_cast<double>(degree - 1 - r);
      const double share = values[r] / static_cast<double>(degree);
      values[r] = before + right * share;
      before = left * share;
    }
    values[degree] = before;
  }
  for (std::size_t r = 0; r <= kSplineDegree; ++r) {
    if (interval + r > 0) out[interval + r - 1] = values[r];
  }
}

// The functions of one number.
void add_functions(const Basis& basis, std::size_t column, double x, double* out) {
  const std::size_t count = per_column(basis);
  const double width = basis.width[column];
  switch (basis.kind) {
    case BasisKind::radial:
      for (std::size_t i = 0; i < count; ++i) {
        const double z = (x - centre(basis, column, i)) / width;
        out[i] = std::exp(-z * z / 2);
      }
      break;
    case BasisKind::sigmoid:
      for (std::size_t i = 0; i < count; ++i) {
        out[i] = 1 / (1 + std::exp(-(x - centre(basis, column, i)) / width));
      }
      break;
    case BasisKind::fourier:
      for (std::size_t i = 0; i < count / 2; ++i) {
        const double turns = std::fmod((x - basis.low[column]) / width, 1.0);
        const double angle = 2 * std::numbers::pi * static_cast<double>(i + 1) * turns;
        out[2 * i] = std::isfinite(angle) ? std::sin(angle) : 0;
        out[2 * i + 1] = std::isfinite(angle) ? std::cos(angle) : 0;
      }
      break;
    default: add_splines(basis, column, x, out);
  }
}

std::string function_name(const Basis& basis, const std::string& column, std::size_t j,
                          std::size_t i) {
  switch (basis.kind) {
    case BasisKind::radial:
    case BasisKind::sigmoid:
      return fmt::format("{}({},{})", enum_names(basis.kind)[static_cast<std::size_t>(basis.kind)],
                         column, shortest(centre(basis, j, i)));
    case BasisKind::fourier:
      return fmt::format("{}({},{})", i % 2 == 0 ? "sin" : "cos", column, i / 2 + 1);
    default: return fmt::format("spline({},{})", column, i + 2);
  }
}

std::string monomial_name(const std::vector<std::size_t>& factors, const Signature& signature) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at < factors.size();) {
    std::size_t end = at;
    while (end < factors.size() && factors[end] == factors[at]) ++end;
    const std::string name = signature.features[factors[at]].name;
    parts.push_back(end - at == 1 ? name : fmt::format("{}^{}", name, end - at));
    at = end;
  }
  return join(parts, "*");
}

struct Range {
  std::vector<double> low;
  std::vector<double> high;
  std::vector<bool> binary;
};

Range range_of(const TrainTask& task, const Context& context) {
  const std::size_t d = task.features.cols();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Range out{std::vector<double>(d, kInfinity), std::vector<double>(d, -kInfinity),
            std::vector<bool>(d, true)};
  std::vector<double> scratch;
  for (std::size_t begin = 0; begin < task.rows(); begin += kBlockRows) {
    context.stop_if_cancelled();
    const RowBlock rows =
        task.features.block(begin, std::min(begin + kBlockRows, task.rows()), scratch);
    for (std::size_t i = 0; i < rows.rows; ++i) {
      if (task.weight(begin + i) == 0) continue;
      for (std::size_t j = 0; j < d; ++j) {
        const double x = rows.row(i)[j];
        out.low[j] = std::min(out.low[j], x);
        out.high[j] = std::max(out.high[j], x);
        if (x != 0 && x != 1) out.binary[j] = false;
      }
    }
  }
  return out;
}

// s of the functions of a column, or the period.
double width_of(const BasisFunctions& how, double low, double high) {
  if (how.width > 0) return how.width;
  const double range = high - low;
  if (how.basis == BasisKind::fourier || how.basis == BasisKind::spline || how.n_basis == 1) {
    return range;
  }
  return range / (how.n_basis - 1);
}

}  // namespace

std::size_t Basis::size() const {
  double total = 0;
  if (kind == BasisKind::polynomial && interactions) {
    // At most (columns + degree)! / columns! / degree!, without counting them one by one.
    double count = 1;
    for (std::int64_t k = 1; k <= degree; ++k) {
      count *= (static_cast<double>(columns()) + static_cast<double>(k)) / static_cast<double>(k);
    }
    total = count;
  } else {
    total = static_cast<double>(columns()) *
            static_cast<double>(kind == BasisKind::polynomial ? static_cast<std::size_t>(degree)
                                                              : per_column(*this));
  }
  if (total > static_cast<double>(kMostFunctions)) {
    throw Error(ErrorKind::limit, "--degree",
                fmt::format("there would be about {} basis functions", readable(total, 3)),
                "use a smaller degree, or interactions false");
  }
  std::size_t count = 0;
  if (kind == BasisKind::polynomial) {
    Monomials(*this, [&](const auto&) { ++count; });
  } else {
    for (const double w : width) count += w == 0 ? 1 : per_column(*this);
  }
  return count;
}

void Basis::expand(const RowBlock& rows, double* out) const {
  const std::size_t functions = size();
  if (kind == BasisKind::polynomial) {
    std::size_t f = 0;
    [[maybe_unused]] const Monomials all(*this, [&](const std::vector<std::size_t>& factors) {
      for (std::size_t i = 0; i < rows.rows; ++i) {
        double product = 1;
        for (const std::size_t j : factors) product *= rows.row(i)[j];
        out[i * functions + f] = std::isnan(product) ? 0 : std::clamp(product, -kLargest, kLargest);
      }
      ++f;
    });
    return;
  }
  for (std::size_t i = 0; i < rows.rows; ++i) {
    for (std::size_t j = 0; j < columns(); ++j) {
      if (width[j] == 0) {
        *out++ = std::clamp(rows.row(i)[j], -kLargest, kLargest);
      } else {
        add_functions(*this, j, rows.row(i)[j], out);
        out += per_column(*this);
      }
    }
  }
}

std::vector<std::int32_t> Basis::sources() const {
  std::vector<std::int32_t> out;
  if (kind == BasisKind::polynomial) {
    [[maybe_unused]] const Monomials all(*this, [&](const std::vector<std::size_t>& factors) {
      const bool single = factors.front() == factors.back();
      out.push_back(single ? static_cast<std::int32_t>(factors.front()) : -1);
    });
    return out;
  }
  for (std::size_t j = 0; j < columns(); ++j) {
    out.insert(out.end(), width[j] == 0 ? 1 : per_column(*this), static_cast<std::int32_t>(j));
  }
  return out;
}

std::vector<std::string> Basis::names(const Signature& signature) const {
  std::vector<std::string> out;
  if (kind == BasisKind::polynomial) {
    [[maybe_unused]] const Monomials all(
        *this, [&](const auto& factors) { out.push_back(monomial_name(factors, signature)); });
    return out;
  }
  for (std::size_t j = 0; j < columns(); ++j) {
    const std::string column = signature.features[j].name;
    if (width[j] == 0) out.push_back(column);
    for (std::size_t i = 0; width[j] != 0 && i < per_column(*this); ++i) {
      out.push_back(function_name(*this, column, j, i));
    }
  }
  return out;
}

Signature Basis::expanded(const Signature& signature) const {
  Signature out = signature;
  std::vector<FeatureNames::Stored> stored;
  for (std::string& name : names(signature)) stored.push_back({std::move(name)});
  out.features = FeatureNames(std::move(stored));
  return out;
}

bool Basis::fits(std::size_t columns) const {
  bool good = low.size() == columns && high.size() == columns && width.size() == columns &&
              degree >= 1 && degree <= 50 && n_basis >= 1 && n_basis <= 1000;
  for (std::size_t j = 0; good && j < columns; ++j) {
    good =
        std::isfinite(low[j]) && std::isfinite(high[j]) && std::isfinite(width[j]) && width[j] >= 0;
  }
  return good;
}

Basis learn_basis(const BasisFunctions& how, const TrainTask& task, const Context& context) {
  const Range range = range_of(task, context);
  Basis out;
  out.kind = how.basis;
  out.degree = how.terms.degree;
  out.interactions = how.terms.interactions;
  out.n_basis = how.n_basis;
  out.low = range.low;
  out.high = range.high;
  for (std::size_t j = 0; j < range.low.size(); ++j) {
    const double width = width_of(how, range.low[j], range.high[j]);
    if (!std::isfinite(width) || !std::isfinite(range.low[j])) {
      throw Error(ErrorKind::numerical, "column " + in_quotes(task.signature.features[j].name),
                  "the range of its numbers is too large to compute with", "rescale this column");
    }
    const bool itself = range.binary[j] || range.low[j] == range.high[j];
    out.width.push_back(itself ? 0 : width);
  }
  return out;
}

ExpandedTask::ExpandedTask(const Basis& basis, const TrainTask& task, const Context& context)
    : base_(task), signature_(basis.expanded(task.signature)) {
  const std::size_t functions = basis.size();
  const std::size_t n = task.rows();
  context.require_memory(2 * n * functions * sizeof(double), "the basis functions");
  std::vector<std::vector<double>> columns(functions, std::vector<double>(n));
  parallel::for_each_block(context, n, kBlockRows, [&](parallel::Block block) {
    std::vector<double> scratch;
    std::vector<double> wide(block.size() * functions);
    basis.expand(task.features.block(block.begin, block.end, scratch), wide.data());
    for (std::size_t i = 0; i < block.size(); ++i) {
      for (std::size_t f = 0; f < functions; ++f) {
        columns[f][block.begin + i] = wide[i * functions + f];
      }
    }
  });
  std::vector<FeatureColumn> features;
  for (std::size_t f = 0; f < functions; ++f) {
    const std::string name = signature_.features[f].name;
    const auto [low, high] = std::minmax_element(columns[f].begin(), columns[f].end());
    if (*low <= -kLargest || *high >= kLargest) {
      throw Error(ErrorKind::numerical, "column " + in_quotes(name),
                  "this function leaves the range of numbers", "rescale the columns");
    }
    features.push_back({Column::numeric(name, std::move(columns[f])), {}});
  }
  features_ = Features(n, std::move(features));
}

}  // namespace gradus
