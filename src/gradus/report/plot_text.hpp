// Pictures as a few lines of text, for a terminal: the same scales as on a page, one letter-sized
// mark per point, lines drawn through the columns between their points; names with a line each.
#pragma once

#include <string>
#include <vector>

#include "gradus/report/figure.hpp"

namespace gradus::report {

// At most `width` columns wide, axis and labels included.
std::vector<std::string> plot_lines(const Chart& chart, std::size_t width);
std::vector<std::string> plot_lines(const DotPlot& plot, std::size_t width);
std::vector<std::string> plot_lines(const RankDiagram& diagram, std::size_t width);

}  // namespace gradus::report
