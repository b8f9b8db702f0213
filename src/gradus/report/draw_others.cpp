// Dot plots, heat maps and critical-difference diagrams, as SVG.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gradus/core/text.hpp"
#include "gradus/report/draw.hpp"
#include "gradus/report/svg_writer.hpp"
#include "gradus/report/ticks.hpp"

namespace gradus::report {
namespace {

using Anchor = SvgWriter::Anchor;

constexpr double kRowHeight = 30;
constexpr double kLetter = 7;  // about the width of a letter

// Room for the longest of the names, within reason.
double name_room(const std::vector<std::string>& names, std::size_t most) {
  std::size_t widest = 4;
  for (const std::string& name : names) widest = std::max(widest, shortened(name, most).size());
  return kLetter * static_cast<double>(std::min(widest, most)) + 16;
}

std::string percent(double share) { return fmt::format("{:.0f}%", share * 100); }

}  // namespace

std::vector<std::pair<std::size_t, std::size_t>> rank_groups(const std::vector<double>& ranks,
                                                             double difference) {
  std::vector<std::pair<std::size_t, std::size_t>> out;
  std::size_t reached = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    std::size_t last = i;
    while (last + 1 < ranks.size() && ranks[last + 1] - ranks[i] < difference) ++last;
    if (last > i && (out.empty() || last > reached)) {
      out.emplace_back(i, last);
      reached = last;
    }
  }
  return out;
}

std::string draw_dot_plot(const DotPlot& plot, const std::string& id) {
  std::vector<std::string> names;
  std::vector<double> values;
  for (const DotPlot::Row& row : plot.rows) {
    names.push_back(row.name);
    values.push_back(row.value);
    if (row.low) values.push_back(*row.low);
    if (row.high) values.push_back(*row.high);
    values.insert(values.end(), row.dots.begin(), row.dots.end());
  }
  if (plot.reference) values.push_back(*plot.reference);
  if (values.empty()) values = {0, 1};
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const Scale scale = make_scale(*low, *high, 5, Ends::rounded);
  const double left = name_room(names, 24);
  const double width = left + 360;
  const double bottom = 14 + kRowHeight * static_cast<double>(plot.rows.size());
  SvgWriter svg(width, bottom + 46, id, plot.title, plot.description);
  const auto at = [&](double value) { return left + scale.place(value) * (width - left - 24); };
  for (std::size_t i = 0; i < scale.ticks.size(); ++i) {
    svg.line(at(scale.ticks[i]), 8, at(scale.ticks[i]), bottom, "grid");
    svg.text(at(scale.ticks[i]), bottom + 18, scale.labels[i], Anchor::middle);
  }
  if (plot.reference) {
    svg.polyline(svg_point(at(*plot.reference), 8) + svg_point(at(*plot.reference), bottom), "ref",
                 fmt::format("{} {}", plot.reference_name, readable(*plot.reference, 4)));
  }
  for (std::size_t i = 0; i < plot.rows.size(); ++i) {
    const DotPlot::Row& row = plot.rows[i];
    const double y = 14 + kRowHeight * (static_cast<double>(i) + 0.5);
    svg.text(left - 12, y + 4, shortened(row.name, 24), Anchor::end, "");
    for (const double dot : row.dots) {
      svg.circle(at(dot), y, 3, "hit f0 faint", fmt::format("{}: {}", row.name, readable(dot, 4)));
    }
    std::string tip = fmt::format("{}: {}", row.name, readable(row.value, 4));
    if (row.low && row.high) {
      svg.line(at(*row.low), y, at(*row.high), y, "whisker s0");
      tip += fmt::format(" ({} to {})", readable(*row.low, 4), readable(*row.high, 4));
    }
    svg.circle(at(row.value), y, 5.5, "hit f0", tip);
  }
  svg.text((left + width - 24) / 2, bottom + 38, plot.label, Anchor::middle);
  return svg.take();
}

std::string draw_heat_map(const HeatMap& map, const std::string& id) {
  const double left = name_room(map.rows, 16) + 22;
  const std::size_t most = std::max(map.rows.size(), map.columns.size());
  const double cell = most <= 2 ? 130 : most <= 4 ? 96 : most <= 8 ? 58 : 44;
  const double height = most <= 2 ? 104 : most <= 4 ? 72 : std::min(cell, 52.0);
  const double top = 50;
  const auto rows = static_cast<double>(map.rows.size());
  const auto columns = static_cast<double>(map.columns.size());
  SvgWriter svg(left + cell * columns + 12, top + height * rows + 12, id, map.title,
                map.description);
  svg.text(left + cell * columns / 2, 14, map.column_label, Anchor::middle);
  svg.upright(12, top + height * rows / 2, map.row_label);
  const auto letters = static_cast<std::size_t>(cell / kLetter);
  for (std::size_t j = 0; j < map.columns.size(); ++j) {
    svg.text(left + cell * (static_cast<double>(j) + 0.5), 38, shortened(map.columns[j], letters),
             Anchor::middle, "");
  }
  for (std::size_t i = 0; i < map.rows.size(); ++i) {
    const double y = top + height * static_cast<double>(i);
    svg.text(left - 10, y + height / 2 + 4, shortened(map.rows[i], 16), Anchor::end, "");
    const double total = std::accumulate(map.values[i].begin(), map.values[i].end(), 0.0);
    for (std::size_t j = 0; j < map.columns.size(); ++j) {
      const double share = total > 0 ? map.values[i][j] / total : 0;
      const double x = left + cell * static_cast<double>(j);
      const std::string_view colour = i == j ? "f0" : "f1";
      const std::string number = readable(map.values[i][j], 5);
      const std::string tip = fmt::format("{} {}, {} {}: {} ({})", map.row_label, map.rows[i],
                                          map.column_label, map.columns[j], number, percent(share));
      svg.rectangle({x + 1.5, y + 1.5, cell - 3, height - 3},
                    fmt::format("rx=\"5\" class=\"hit {}\" fill-opacity=\"{:.2f}\"", colour,
                                0.07 + 0.83 * share),
                    tip);
      const bool dark = share > 0.55;
      svg.text(x + cell / 2, y + height / 2 + (cell > 50 ? -1 : 4), number, Anchor::middle,
               dark ? "strong light" : "strong");
      if (cell > 50) {
        svg.text(x + cell / 2, y + height / 2 + 15, percent(share), Anchor::middle,
                 dark ? "light" : "soft");
      }
    }
  }
  return svg.take();
}

std::string draw_ranks(const RankDiagram& diagram, const std::string& id) {
  std::vector<std::size_t> order(diagram.ranks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return diagram.ranks[a] < diagram.ranks[b];
  });
  std::vector<double> sorted;
  for (const std::size_t i : order) sorted.push_back(diagram.ranks[i]);
  const auto groups = rank_groups(sorted, diagram.critical_difference);
  const auto count = static_cast<double>(order.size());
  const double side = name_room(diagram.names, 20) + 52;  // and its rank
  const double width = std::max(520.0, 2 * side + 200);
  const double axis = 64;
  const double under = axis + 14 + 12 * static_cast<double>(groups.size());
  const double half = std::ceil(count / 2);
  SvgWriter svg(width, under + 26 * half + 16, id, diagram.title, diagram.description);
  const auto at = [&](double rank) {
    return side + (rank - 1) / std::max(count - 1, 1.0) * (width - 2 * side);
  };
  svg.line(at(1), axis, at(count), axis, "axis");
  for (int rank = 1; rank <= static_cast<int>(count); ++rank) {
    svg.line(at(rank), axis - 6, at(rank), axis, "axis");
    svg.text(at(rank), axis - 12, std::to_string(rank), Anchor::middle);
  }
  const double length = std::min(diagram.critical_difference, count - 1);
  svg.line(at(1), 24, at(1 + length), 24, "whisker s1");
  svg.text(at(1), 16,
           fmt::format("critical difference {}", readable(diagram.critical_difference, 3)),
           Anchor::start);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const double y = axis + 10 + 12 * static_cast<double>(g);
    svg.line(at(sorted[groups[g].first]) - 3, y, at(sorted[groups[g].second]) + 3, y, "bold");
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool on_left = static_cast<double>(i) < half;
    const std::size_t step = on_left ? i : order.size() - 1 - i;
    const double y = under + 26 * (static_cast<double>(step) + 0.5);
    const double x = at(sorted[i]);
    const double edge = on_left ? side - 6 : width - side + 6;
    svg.polyline(svg_point(x, axis) + svg_point(x, y) + svg_point(edge, y), "line s0");
    const std::string words =
        fmt::format("{} {}", shortened(diagram.names[order[i]], 20), readable(sorted[i], 3));
    svg.text(on_left ? edge - 6 : edge + 6, y + 4, words, on_left ? Anchor::end : Anchor::start,
             "");
  }
  return svg.take();
}

}  // namespace gradus::report
