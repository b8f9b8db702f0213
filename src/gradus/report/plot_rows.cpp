// Pictures with a line per name, as text: dot plots and mean ranks.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gradus/core/text.hpp"
#include "gradus/report/draw.hpp"
#include "gradus/report/plot_text.hpp"
#include "gradus/report/svg_writer.hpp"
#include "gradus/report/text_layout.hpp"
#include "gradus/report/ticks.hpp"

namespace gradus::report {
namespace {

constexpr std::size_t kWidestRow = 60;
constexpr std::size_t kLongestName = 28;

// Names on the left, cells on a shared scale, a number on the right.
class RowPlot {
 public:
  RowPlot(Scale scale, const std::vector<std::string>& names, std::size_t width)
      : scale_(std::move(scale)) {
    for (const std::string& name : names) {
      margin_ = std::max(margin_, display_width(short_name(name)));
    }
    const std::size_t taken = margin_ + 14;
    columns_ = std::clamp<std::size_t>(width > taken ? width - taken : 0, 10, kWidestRow);
  }

  void begin_row() { cells_.assign(columns_, " "); }
  void put(double value, std::string_view mark) { cells_[column(value)] = mark; }
  void bar(double low, double high, std::string_view mark) {
    for (std::size_t c = column(low); c <= column(high); ++c) cells_[c] = mark;
  }
  void end_row(const std::string& name, const std::string& number) {
    std::string line = pad_right(short_name(name), margin_) + "  ";
    for (const std::string& cell : cells_) line += cell;
    line += "  " + number;
    line.erase(line.find_last_not_of(' ') + 1);
    lines_.push_back(std::move(line));
  }
  void axis(const std::string& label) {
    std::string marks;
    for (std::size_t i = 0; i < scale_.ticks.size(); ++i) {
      const std::size_t middle = column(scale_.ticks[i]);
      const std::size_t half = scale_.labels[i].size() / 2;
      const std::size_t begin = middle > half ? middle - half : 0;
      if (begin < marks.size() + (marks.empty() ? 0 : 2)) continue;
      marks += std::string(begin - marks.size(), ' ') + scale_.labels[i];
    }
    lines_.push_back(std::string(margin_ + 2, ' ') + marks);
    if (!label.empty()) lines_.push_back(std::string(margin_ + 2, ' ') + harmless(label));
  }
  std::vector<std::string> take() { return std::move(lines_); }

 private:
  static std::string short_name(const std::string& name) {
    return shortened(harmless(name), kLongestName);
  }
  std::size_t column(double value) const {
    const double place = std::clamp(scale_.place(value), 0.0, 1.0);
    return static_cast<std::size_t>(std::lround(place * static_cast<double>(columns_ - 1)));
  }

  Scale scale_;
  std::size_t margin_ = 0;
  std::size_t columns_ = 0;
  std::vector<std::string> cells_;
  std::vector<std::string> lines_;
};

std::vector<std::string> names_of(const DotPlot& plot) {
  std::vector<std::string> out;
  for (const DotPlot::Row& row : plot.rows) out.push_back(row.name);
  return out;
}

}  // namespace

std::vector<std::string> plot_lines(const DotPlot& plot, std::size_t width) {
  std::vector<double> values;
  for (const DotPlot::Row& row : plot.rows) {
    values.insert(values.end(),
                  {row.value, row.low.value_or(row.value), row.high.value_or(row.value)});
    values.insert(values.end(), row.dots.begin(), row.dots.end());
  }
  if (plot.reference) values.push_back(*plot.reference);
  if (values.empty()) return {};
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  RowPlot rows(make_scale(*low, *high, 4, Ends::rounded), names_of(plot), width);
  for (const DotPlot::Row& row : plot.rows) {
    rows.begin_row();
    if (plot.reference) rows.put(*plot.reference, "┊");
    if (row.low && row.high) rows.bar(*row.low, *row.high, "─");
    for (const double dot : row.dots) rows.put(dot, "○");
    rows.put(row.value, "●");
    rows.end_row(row.name, readable(row.value, 4));
  }
  rows.axis(plot.label);
  return rows.take();
}

std::vector<std::string> plot_lines(const RankDiagram& diagram, std::size_t width) {
  std::vector<std::size_t> order(diagram.ranks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return diagram.ranks[a] < diagram.ranks[b];
  });
  if (order.empty()) return {};
  std::vector<double> sorted;
  for (const std::size_t i : order) sorted.push_back(diagram.ranks[i]);
  const std::string apart = "not apart";
  std::vector<std::string> names = diagram.names;
  names.push_back(apart);
  const auto count = static_cast<double>(order.size());
  RowPlot rows(make_scale(1, std::max(count, 2.0), 5, Ends::exact), names, width);
  for (const std::size_t i : order) {
    rows.begin_row();
    rows.put(diagram.ranks[i], "●");
    rows.end_row(diagram.names[i], readable(diagram.ranks[i], 3));
  }
  for (const auto& [first, last] : rank_groups(sorted, diagram.critical_difference)) {
    rows.begin_row();
    rows.bar(sorted[first], sorted[last], "━");
    rows.end_row(apart, "");
  }
  rows.axis(
      fmt::format("mean rank; critical difference {}", readable(diagram.critical_difference, 3)));
  return rows.take();
}

}  // namespace gradus::report
