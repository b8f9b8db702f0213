// Coefficients as dots with their confidence intervals, a picture per class where there are
// several.
#include <fmt/format.h>

#include "gradus/core/text.hpp"
#include "gradus/report/evaluation_figures.hpp"

namespace gradus::report {
namespace {

constexpr std::size_t kMostCoefficients = 40;
constexpr std::size_t kMostClassPictures = 4;

void add_interval(DotPlot::Row& row, const Value* intervals) {
  const Value* ends = intervals == nullptr ? nullptr : intervals->find(row.name);
  if (ends == nullptr || !ends->is_array() || ends->size() != 2) return;
  const auto& both = ends->as_array();
  if (!both[0].is_number() || !both[1].is_number()) return;
  row.low = both[0].as_number();
  row.high = both[1].as_number();
}

std::vector<Block> one_figure(const Value& coefficients, const Value* intervals,
                              const std::string& title) {
  DotPlot plot{.title = title,
               .description =
                   "Coefficients have the unit of the target per unit of the feature: compare "
                   "lengths only between features of one scale.",
               .label = "coefficient",
               .reference = 0,
               .reference_name = "no effect"};
  bool told = false;
  for (const auto& [name, value] : coefficients.as_object()) {
    // The constant term has another meaning, and often another size.
    if (name == "intercept") continue;
    if (!value.is_number() || plot.rows.size() == kMostCoefficients) continue;
    DotPlot::Row row{.name = name, .value = value.as_number()};
    add_interval(row, intervals);
    told = told || row.low.has_value();
    plot.rows.push_back(std::move(row));
  }
  if (plot.rows.empty()) return {};
  if (told) plot.description = "Each coefficient with its confidence interval. " + plot.description;
  return {Block(Figure{std::move(plot)})};
}

}  // namespace

std::vector<Block> coefficient_figures(const Value& fitted) {
  const Value* coefficients = fitted.find("coefficients");
  if (coefficients == nullptr || !coefficients->is_object() || coefficients->size() == 0) return {};
  const Value* intervals = fitted.find("confidence_intervals");
  const bool by_class = coefficients->as_object().front().second.is_object();
  if (!by_class) return one_figure(*coefficients, intervals, "Coefficients");
  std::vector<Block> out;
  for (const auto& [label, own] : coefficients->as_object()) {
    if (!own.is_object() || out.size() == kMostClassPictures) break;
    const Value* ends = intervals == nullptr ? nullptr : intervals->find(label);
    for (Block& block : one_figure(own, ends, fmt::format("Coefficients of {}", label))) {
      out.push_back(std::move(block));
    }
  }
  return out;
}

}  // namespace gradus::report
