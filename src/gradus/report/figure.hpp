// Figures as data: what is drawn, without how. Each has a title, a sentence for those who cannot
// see it, and a table of the numbers behind it.
//
//   Chart roc{.title = "ROC curve", .x = {.label = "false positive rate", .low = 0, .high = 1}, …};
//   roc.series.push_back({.name = "yes", .mark = Mark::line, .x = fpr, .y = tpr});
//   page.add(Figure{roc});
//
// `draw_svg` turns one into SVG that stands alone: colours are CSS variables of the page with a
// value of their own beside them, so that the same picture follows the page's light or dark and is
// right when it is saved.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace gradus::report {

enum class Mark {
  line,
  points,
  bars,   // from 0 to y at x, as wide as the distance of neighbours
  dashed  // a reference: the diagonal, the baseline
};

struct Series {
  std::string name = {};
  Mark mark = Mark::line;
  std::vector<double> x = {};
  std::vector<double> y = {};
  std::vector<double> low = {};  // whiskers around y; or empty
  std::vector<double> high = {};
};

// Ends that are not given are taken from the data.
struct Axis {
  std::string label = {};
  std::optional<double> low = {};
  std::optional<double> high = {};
  bool logarithmic = false;  // for values above 0
};

// Lines, points and bars over two number axes.
struct Chart {
  std::string title = {};
  std::string description = {};
  Axis x = {};
  Axis y = {};
  std::vector<Series> series = {};
  bool square = false;  // both axes mean the same: ROC, calibration, predicted against actual
};

// Names with a number each and an interval: coefficients, learners, folds.
struct DotPlot {
  struct Row {
    std::string name = {};
    double value = 0;
    std::optional<double> low = {};
    std::optional<double> high = {};
    std::vector<double> dots = {};  // single values, drawn faintly: the folds
  };
  std::string title = {};
  std::string description = {};
  std::string label = {};                // of the axis
  std::optional<double> reference = {};  // a line: 0, or the baseline
  std::string reference_name = {};
  std::vector<Row> rows = {};
};

// A table of numbers as shades: the confusion matrix, each row by its own largest.
struct HeatMap {
  std::string title = {};
  std::string description = {};
  std::string row_label = {};
  std::string column_label = {};
  std::vector<std::string> rows = {};
  std::vector<std::string> columns = {};
  std::vector<std::vector<double>> values = {};
};

// Mean ranks on a line, those that do not differ joined by a bar (Demsar 2006).
struct RankDiagram {
  std::string title = {};
  std::string description = {};
  std::vector<std::string> names = {};
  std::vector<double> ranks = {};
  double critical_difference = 0;
};

// A tree of questions, the root first. A node without children answers.
struct TreeDiagram {
  struct Branch {
    std::string when = {};  // "yes", "sunny"
    std::size_t child = 0;
  };
  struct Node {
    std::string text = {};            // the question, or the answer
    double rows = 0;                  // that taught it
    std::vector<double> counts = {};  // per class; or empty
    std::vector<Branch> branches = {};
    std::size_t left_out = 0;  // nodes below that are not drawn
  };
  std::string title = {};
  std::string description = {};
  std::vector<std::string> classes = {};
  std::vector<Node> nodes = {};
};

// One of them; copies and moves are compiled once, in figure.cpp.
struct Figure {
  std::variant<Chart, DotPlot, HeatMap, RankDiagram, TreeDiagram> picture;

  Figure(Chart chart);
  Figure(DotPlot plot);
  Figure(HeatMap map);
  Figure(RankDiagram diagram);
  Figure(TreeDiagram diagram);
  Figure(const Figure& other);
  Figure(Figure&& other) noexcept;
  Figure& operator=(const Figure& other);
  Figure& operator=(Figure&& other) noexcept;
  ~Figure();

  const std::string& title() const;
  const std::string& description() const;
  // Whether it is as wide as it needs to be and scrolls, where others shrink to fit.
  bool is_wide() const { return std::holds_alternative<TreeDiagram>(picture); }
};

// The picture; `id` makes its title and description known to screen readers and is unique on the
// page.
std::string draw_svg(const Figure& figure, const std::string& id);

// The numbers behind it: header and rows, as text that can be read back.
struct FigureTable {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
};
FigureTable figure_table(const Figure& figure);

}  // namespace gradus::report
