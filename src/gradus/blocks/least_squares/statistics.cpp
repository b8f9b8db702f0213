#include "gradus/blocks/least_squares/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gradus/core/distributions.hpp"

namespace gradus {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Many numbers are first counted into this many equal bins between their extremes: only the bins
// that hold a wanted rank are sorted.
constexpr std::size_t kBins = 4096;
constexpr std::size_t kManyNumbers = 16384;

double finite_or_nan(double x) { return std::isfinite(x) ? x : kNaN; }

// The numbers of given ranks (ascending) in order of size.
class OrderStatistics {
 public:
  explicit OrderStatistics(std::vector<double>& values) : values_(values) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    low_ = *low;
    const double width = *high / 2 - low_ / 2;
    factor_ = width > 0 ? static_cast<double>(kBins - 1) / width / 2 : 0;
    if (values.size() < kManyNumbers || !std::isfinite(factor_) || factor_ == 0) {
      std::sort(values.begin(), values.end());
      return;
    }
    starts_.assign(kBins + 1, 0);
    for (const double x : values) ++starts_[bin(x) + 1];
    for (std::size_t i = 0; i < kBins; ++i) starts_[i + 1] += starts_[i];
  }

  double operator()(std::size_t rank) const {
    if (starts_.empty()) return values_[rank];
    const auto above = std::upper_bound(starts_.begin(), starts_.end(), rank);
    const auto wanted = static_cast<std::size_t>(above - starts_.begin() - 1);
    std::vector<double> members;
    for (const double x : values_) {
      if (bin(x) == wanted) members.push_back(x);
    }
    const auto nth = members.begin() + static_cast<std::ptrdiff_t>(rank - starts_[wanted]);
    std::nth_element(members.begin(), nth, members.end());
    return *nth;
  }

 private:
  // Monotone in x, so that bins are in order.
  std::size_t bin(double x) const { return static_cast<std::size_t>((x - low_) * factor_); }

  std::vector<double>& values_;
  std::vector<std::size_t> starts_;  // rank of the first number of each bin; empty: sorted
  double low_ = 0;
  double factor_ = 0;
};

void add_inference(LinearStatistics& out, const FitSummary& summary, double scaled_error,
                   std::span<const double> coefficients, std::span<const double> deviations) {
  const auto df = static_cast<double>(summary.degrees_of_freedom);
  const bool defined = summary.inference && summary.degrees_of_freedom > 0;
  const double quantile = defined ? student_quantile(summary.confidence, df) : kNaN;
  for (std::size_t j = 0; j < coefficients.size(); ++j) {
    const double error = defined ? scaled_error * deviations[j] : kNaN;
    const double t = finite_or_nan(coefficients[j] / error);
    out.standard_errors.push_back(finite_or_nan(error));
    out.t_values.push_back(t);
    out.p_values.push_back(std::isfinite(t) ? student_two_sided(t, df) : kNaN);
    out.interval_low.push_back(finite_or_nan(coefficients[j] - quantile * error));
    out.interval_high.push_back(finite_or_nan(coefficients[j] + quantile * error));
  }
}

// F = (explained / rank) / (RSS / df), against the model of the intercept alone.
void add_f_test(LinearStatistics& out, const FitSummary& summary) {
  out.f_statistic = out.f_p_value = kNaN;
  const bool defined =
      summary.inference && summary.rank > 0 && summary.degrees_of_freedom > 0 && summary.rss > 0;
  if (!defined) return;
  const auto top = static_cast<double>(summary.rank);
  const auto bottom = static_cast<double>(summary.degrees_of_freedom);
  const double explained = std::max(0.0, summary.tss - summary.rss);
  out.f_statistic = finite_or_nan((explained / top) / (summary.rss / bottom));
  if (std::isnan(out.f_statistic)) return;
  out.f_p_value = fisher_tail(out.f_statistic, top, bottom);
}

}  // namespace

LinearStatistics linear_statistics(const FitSummary& summary, std::span<const double> coefficients,
                                   std::span<const double> deviations) {
  LinearStatistics out;
  const auto df = static_cast<double>(summary.degrees_of_freedom);
  const double intercept = summary.has_intercept ? 1 : 0;
  out.residual_sum_of_squares = finite_or_nan(summary.rss * summary.unit * summary.unit);
  out.total_sum_of_squares = finite_or_nan(summary.tss * summary.unit * summary.unit);
  out.r2 = summary.tss > 0 ? 1 - summary.rss / summary.tss : kNaN;
  const bool spread = summary.inference && summary.degrees_of_freedom > 0;
  const double rows = df + static_cast<double>(summary.rank) + intercept;
  out.adjusted_r2 = spread ? 1 - (1 - out.r2) * ((rows - intercept) / df) : kNaN;
  const double scaled_error = spread ? std::sqrt(summary.rss / df) : kNaN;
  out.residual_standard_error = finite_or_nan(scaled_error * summary.unit);
  add_f_test(out, summary);
  add_inference(out, summary, scaled_error, coefficients, deviations);
  return out;
}

std::vector<double> five_numbers(std::vector<double>& values) {
  std::vector<double> out;
  if (values.empty()) return std::vector<double>(5, kNaN);
  const OrderStatistics ordered(values);
  for (const double q : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    const double position = q * static_cast<double>(values.size() - 1);
    const auto low = static_cast<std::size_t>(position);
    const double part = position - static_cast<double>(low);
    const double at = ordered(low);
    out.push_back(part == 0 ? at : at * (1 - part) + ordered(low + 1) * part);
  }
  return out;
}

}  // namespace gradus
