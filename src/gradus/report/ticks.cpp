#include "gradus/report/ticks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gradus::report {
namespace {

double nice_step(double rough) {
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  const double lead = rough / power;
  if (lead <= 1.0000001) return power;
  if (lead <= 2.0000001) return 2 * power;
  return lead <= 5.0000001 ? 5 * power : 10 * power;
}

std::string tick_label(double value, double step, double largest) {
  if (value == 0) return "0";
  if (largest >= 1e6 || step < 1e-4) return fmt::format("{:.2g}", value);
  const int digits = std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
  return fmt::format("{:.{}f}", value, digits);
}

}  // namespace

double Scale::place(double value) const {
  if (logarithmic) return std::log(value / low) / std::log(high / low);
  return (value - low) / (high - low);
}

Scale make_log_scale(double low, double high) {
  if (!(high > low)) {
    low /= 2;
    high *= 2;
  }
  Scale out;
  out.low = low;
  out.high = high;
  out.logarithmic = true;
  const double decades = std::log10(high / low);
  const int every = std::max(1, static_cast<int>(std::ceil(decades / 7)));
  const auto first = static_cast<int>(std::floor(std::log10(low)));
  const auto last = static_cast<int>(std::ceil(std::log10(high)));
  for (int power = first; power <= last; ++power) {
    for (const double lead : {1.0, 2.0, 5.0}) {
      const double tick = lead * std::pow(10.0, power);
      const bool shown = lead == 1 ? power % every == 0 : decades < 2.5;
      if (!shown || tick < low * 0.999999 || tick > high * 1.000001) continue;
      out.ticks.push_back(tick);
      out.labels.push_back(fmt::format("{:.4g}", tick));
    }
  }
  return out;
}

Scale make_scale(double low, double high, int wanted, Ends ends) {
  if (!(high > low)) {
    const double pad = low == 0 ? 1 : std::abs(low) * 0.1;
    low -= pad;
    high += pad;
  }
  const double step = nice_step((high - low) / wanted);
  Scale out;
  out.low = ends == Ends::exact ? low : std::floor(low / step + 1e-9) * step;
  out.high = ends == Ends::exact ? high : std::ceil(high / step - 1e-9) * step;
  const double largest = std::max(std::abs(out.low), std::abs(out.high));
  const auto first = static_cast<long>(std::ceil(out.low / step - 1e-9));
  const auto last = static_cast<long>(std::floor(out.high / step + 1e-9));
  for (long i = first; i <= last; ++i) {
    const double tick = static_cast<double>(i) * step;
    out.ticks.push_back(tick);
    out.labels.push_back(tick_label(tick, step, largest));
  }
  return out;
}

}  // namespace gradus::report
