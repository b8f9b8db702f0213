// Inside report/: one function per kind of picture.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gradus/report/figure.hpp"

namespace gradus::report {

inline constexpr int kColours = 6;  // of the palette, before they repeat
inline constexpr double kLegendLine = 20;

std::string draw_chart(const Chart& chart, const std::string& id);
std::string draw_dot_plot(const DotPlot& plot, const std::string& id);
std::string draw_heat_map(const HeatMap& map, const std::string& id);
std::string draw_ranks(const RankDiagram& diagram, const std::string& id);
// First and last of the neighbours in `ranks` (ascending) that are less than the critical
// difference apart and not inside a larger such group.
std::vector<std::pair<std::size_t, std::size_t>> rank_groups(const std::vector<double>& ranks,
                                                             double difference);

std::string draw_tree(const TreeDiagram& tree, const std::string& id);

}  // namespace gradus::report
