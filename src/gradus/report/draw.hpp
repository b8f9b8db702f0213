// Inside report/: one function per kind of picture.
#pragma once

#include <string>

#include "gradus/report/figure.hpp"

namespace gradus::report {

std::string draw_chart(const Chart& chart, const std::string& id);
std::string draw_dot_plot(const DotPlot& plot, const std::string& id);
std::string draw_heat_map(const HeatMap& map, const std::string& id);
std::string draw_ranks(const RankDiagram& diagram, const std::string& id);
std::string draw_tree(const TreeDiagram& tree, const std::string& id);

}  // namespace gradus::report
