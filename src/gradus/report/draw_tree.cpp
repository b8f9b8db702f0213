// Trees as SVG: leaves side by side, every question above the middle of its branches, the classes
// of a node as a bar of their colours.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "gradus/core/text.hpp"
#include "gradus/report/draw.hpp"
#include "gradus/report/svg_writer.hpp"

namespace gradus::report {
namespace {

using Anchor = SvgWriter::Anchor;

constexpr double kBoxWidth = 150;
constexpr double kBoxHeight = 46;
constexpr double kColumn = 162;  // from leaf to leaf
constexpr double kLevel = 92;    // from level to level
constexpr double kMargin = 14;
constexpr double kBarHeight = 7;
constexpr std::size_t kLetters = 20;  // of a text in a box

class TreeDrawing {
 public:
  TreeDrawing(const TreeDiagram& tree, const std::string& id) : tree_(tree) {
    x_.assign(tree.nodes.size(), 0);
    level_.assign(tree.nodes.size(), 0);
    if (!tree.nodes.empty()) place(0, 0);
    const double width = std::max(columns_, 2.0) * kColumn + 2 * kMargin;
    const auto deepest = level_.empty() ? 0 : *std::max_element(level_.begin(), level_.end());
    bottom_ = kMargin + static_cast<double>(deepest) * kLevel + kBoxHeight + kMargin;
    const double legend = kLegendLine * static_cast<double>(tree.classes.size());
    svg_ = std::make_unique<SvgWriter>(width, bottom_ + legend, id, tree.title, tree.description);
  }

  std::string draw() {
    for (std::size_t i = 0; i < tree_.nodes.size(); ++i) draw_branches(i);
    for (std::size_t i = 0; i < tree_.nodes.size(); ++i) draw_node(i);
    for (std::size_t k = 0; k < tree_.classes.size(); ++k) {
      const double y = bottom_ + kLegendLine * (static_cast<double>(k) + 0.6);
      svg_->rectangle({kMargin, y - 9, 10, 10}, colour(k));
      svg_->text(kMargin + 16, y, shortened(tree_.classes[k], 54), Anchor::start, "");
    }
    return svg_->take();
  }

 private:
  static std::string colour(std::size_t k) {
    return fmt::format("class=\"f{}\"", k % static_cast<std::size_t>(kColours));
  }

  // Gives the subtree its columns; the depth of a drawn tree is small, so recursion is too.
  void place(std::size_t node, std::size_t level) {
    level_[node] = level;
    const auto& branches = tree_.nodes[node].branches;
    if (branches.empty()) {
      x_[node] = kMargin + (columns_ + 0.5) * kColumn;
      ++columns_;
      return;
    }
    for (const TreeDiagram::Branch& branch : branches) place(branch.child, level + 1);
    x_[node] = (x_[branches.front().child] + x_[branches.back().child]) / 2;
  }

  double top(std::size_t node) const {
    return kMargin + static_cast<double>(level_[node]) * kLevel;
  }

  void draw_branches(std::size_t node) {
    for (const TreeDiagram::Branch& branch : tree_.nodes[node].branches) {
      const double from = top(node) + kBoxHeight;
      const double to = top(branch.child);
      svg_->line(x_[node], from, x_[branch.child], to, "axis");
      const double share = 0.62;
      svg_->text(x_[node] + share * (x_[branch.child] - x_[node]), from + share * (to - from) + 4,
                 shortened(branch.when, 16), Anchor::middle, "halo");
    }
  }

  std::string tip(const TreeDiagram::Node& node) const {
    std::string out = fmt::format("{}; {} rows", node.text, readable(node.rows, 6));
    for (std::size_t k = 0; k < node.counts.size(); ++k) {
      out += fmt::format("; {}: {}", tree_.classes[k], readable(node.counts[k], 6));
    }
    return out;
  }

  void draw_node(std::size_t i) {
    const TreeDiagram::Node& node = tree_.nodes[i];
    const double left = x_[i] - kBoxWidth / 2;
    const double y = top(i);
    const bool leaf = node.branches.empty();
    svg_->rectangle({left, y, kBoxWidth, kBoxHeight},
                    leaf ? "rx=\"6\" class=\"leaf\"" : "rx=\"6\" class=\"node\"", tip(node));
    svg_->text(x_[i], y + 16, shortened(node.text, kLetters), Anchor::middle, leaf ? "strong" : "");
    std::string below = fmt::format("{} rows", readable(node.rows, 6));
    if (!node.counts.empty() && node.counts.size() <= 3) {
      std::vector<std::string> parts;
      for (const double count : node.counts) parts.push_back(readable(count, 4));
      below = join(parts, " / ");
    }
    if (node.left_out > 0) below += fmt::format(", {} more nodes", node.left_out);
    svg_->text(x_[i], y + 31, shortened(below, kLetters + 2), Anchor::middle, "soft");
    draw_bar(node, left + 8, y + kBoxHeight - kBarHeight - 4);
  }

  void draw_bar(const TreeDiagram::Node& node, double x, double y) {
    const double total = std::accumulate(node.counts.begin(), node.counts.end(), 0.0);
    if (total <= 0) return;
    for (std::size_t k = 0; k < node.counts.size(); ++k) {
      const double width = (kBoxWidth - 16) * node.counts[k] / total;
      if (width <= 0) continue;
      svg_->rectangle({x, y, width, kBarHeight}, colour(k));
      x += width;
    }
  }

  const TreeDiagram& tree_;
  std::vector<double> x_;
  std::vector<std::size_t> level_;
  double columns_ = 0;
  double bottom_ = 0;
  std::unique_ptr<SvgWriter> svg_;
};

}  // namespace

std::string draw_tree(const TreeDiagram& tree, const std::string& id) {
  return TreeDrawing(tree, id).draw();
}

}  // namespace gradus::report
