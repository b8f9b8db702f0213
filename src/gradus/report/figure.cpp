#include "gradus/report/figure.hpp"

#include <algorithm>

#include "gradus/core/text.hpp"
#include "gradus/report/draw.hpp"

namespace gradus::report {
namespace {

std::string cell(const std::optional<double>& number) { return number ? shortest(*number) : ""; }

FigureTable table_of(const Chart& chart) {
  FigureTable out{{"series", chart.x.label, chart.y.label}, {}};
  bool whiskers = false;
  for (const Series& series : chart.series) whiskers = whiskers || !series.low.empty();
  if (whiskers) out.header.insert(out.header.end(), {"low", "high"});
  for (const Series& series : chart.series) {
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      std::vector<std::string> row = {series.name, shortest(series.x[i]), shortest(series.y[i])};
      if (whiskers) {
        const bool own = !series.low.empty();
        row.push_back(own ? shortest(series.low[i]) : "");
        row.push_back(own ? shortest(series.high[i]) : "");
      }
      out.rows.push_back(std::move(row));
    }
  }
  return out;
}

FigureTable table_of(const DotPlot& plot) {
  FigureTable out{{"name", plot.label, "low", "high"}, {}};
  std::size_t dots = 0;
  for (const DotPlot::Row& row : plot.rows) dots = std::max(dots, row.dots.size());
  for (std::size_t i = 0; i < dots; ++i) out.header.push_back("fold " + std::to_string(i + 1));
  for (const DotPlot::Row& row : plot.rows) {
    std::vector<std::string> cells = {row.name, shortest(row.value), cell(row.low), cell(row.high)};
    for (const double dot : row.dots) cells.push_back(shortest(dot));
    cells.resize(out.header.size());
    out.rows.push_back(std::move(cells));
  }
  return out;
}

FigureTable table_of(const HeatMap& map) {
  FigureTable out{{map.row_label + " \\ " + map.column_label}, {}};
  out.header.insert(out.header.end(), map.columns.begin(), map.columns.end());
  for (std::size_t i = 0; i < map.rows.size(); ++i) {
    std::vector<std::string> cells = {map.rows[i]};
    for (const double value : map.values[i]) cells.push_back(shortest(value));
    out.rows.push_back(std::move(cells));
  }
  return out;
}

FigureTable table_of(const RankDiagram& diagram) {
  FigureTable out{{"learner", "mean rank"}, {}};
  for (std::size_t i = 0; i < diagram.names.size(); ++i) {
    out.rows.push_back({diagram.names[i], shortest(diagram.ranks[i])});
  }
  out.rows.push_back({"(critical difference)", shortest(diagram.critical_difference)});
  return out;
}

FigureTable table_of(const TreeDiagram& tree) {
  FigureTable out{{"node", "text", "rows"}, {}};
  out.header.insert(out.header.end(), tree.classes.begin(), tree.classes.end());
  out.header.emplace_back("branches");
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const TreeDiagram::Node& node = tree.nodes[i];
    std::vector<std::string> cells = {std::to_string(i + 1), node.text, shortest(node.rows)};
    for (std::size_t k = 0; k < tree.classes.size(); ++k) {
      cells.push_back(k < node.counts.size() ? shortest(node.counts[k]) : "");
    }
    std::string branches;
    for (const TreeDiagram::Branch& branch : node.branches) {
      branches +=
          (branches.empty() ? "" : "; ") + branch.when + ": " + std::to_string(branch.child + 1);
    }
    cells.push_back(branches);
    out.rows.push_back(std::move(cells));
  }
  return out;
}

std::string draw_any(const Chart& chart, const std::string& id) { return draw_chart(chart, id); }
std::string draw_any(const DotPlot& plot, const std::string& id) { return draw_dot_plot(plot, id); }
std::string draw_any(const HeatMap& map, const std::string& id) { return draw_heat_map(map, id); }
std::string draw_any(const RankDiagram& ranks, const std::string& id) {
  return draw_ranks(ranks, id);
}
std::string draw_any(const TreeDiagram& tree, const std::string& id) { return draw_tree(tree, id); }

}  // namespace

Figure::Figure(Chart chart) : picture(std::move(chart)) {}
Figure::Figure(DotPlot plot) : picture(std::move(plot)) {}
Figure::Figure(HeatMap map) : picture(std::move(map)) {}
Figure::Figure(RankDiagram diagram) : picture(std::move(diagram)) {}
Figure::Figure(TreeDiagram diagram) : picture(std::move(diagram)) {}
Figure::Figure(const Figure& other) = default;
Figure::Figure(Figure&& other) noexcept = default;
Figure& Figure::operator=(const Figure& other) = default;
Figure& Figure::operator=(Figure&& other) noexcept = default;
Figure::~Figure() = default;

const std::string& Figure::title() const {
  return std::visit([](const auto& one) -> const std::string& { return one.title; }, picture);
}

const std::string& Figure::description() const {
  return std::visit([](const auto& one) -> const std::string& { return one.description; }, picture);
}

std::string draw_svg(const Figure& figure, const std::string& id) {
  return std::visit([&id](const auto& one) { return draw_any(one, id); }, figure.picture);
}

FigureTable figure_table(const Figure& figure) {
  return std::visit([](const auto& one) { return table_of(one); }, figure.picture);
}

}  // namespace gradus::report
