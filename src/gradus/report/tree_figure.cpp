#include "gradus/report/tree_figure.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "gradus/core/text.hpp"

namespace gradus::report {
namespace {

constexpr std::size_t kMostLevels = 5;  // of a drawn tree
constexpr std::size_t kMostNodes = 63;

std::string text_of(const Value& value) {
  if (value.is_string()) return value.as_string();
  return value.is_number() ? readable(value.as_number(), 5) : to_json(value);
}

// Every branch of a node with its name: `yes` and `no` of a question, the levels of an attribute.
std::vector<std::pair<std::string, const Value*>> branches_of(const Value& node) {
  std::vector<std::pair<std::string, const Value*>> out;
  if (const Value* branches = node.find("branches"); branches != nullptr && branches->is_object()) {
    for (const auto& [name, child] : branches->as_object()) out.emplace_back(name, &child);
  }
  for (const char* name : {"yes", "no"}) {
    const Value* child = node.find(name);
    if (child != nullptr && child->is_object()) out.emplace_back(name, child);
  }
  return out;
}

std::size_t size_of(const Value& node) {
  std::size_t out = 1;
  for (const auto& [name, child] : branches_of(node)) out += size_of(*child);
  return out;
}

std::string words_of(const Value& node) {
  for (const char* name : {"question", "attribute", "leaf", "majority", "mean"}) {
    if (const Value* found = node.find(name)) return text_of(*found);
  }
  return "?";
}

// Adds the node and what is below it, down to the last level that is drawn.
std::size_t add_node(TreeDiagram& tree, const Value& value, std::size_t level) {
  const std::size_t index = tree.nodes.size();
  TreeDiagram::Node node{.text = words_of(value)};
  if (const Value* rows = value.find("n"); rows != nullptr && rows->is_number()) {
    node.rows = rows->as_number();
  }
  if (const Value* counts = value.find("counts"); counts != nullptr && counts->is_object()) {
    const bool first = tree.classes.empty();
    for (const auto& [name, count] : counts->as_object()) {
      if (first) tree.classes.push_back(name);
      node.counts.push_back(count.is_number() ? count.as_number() : 0);
    }
    node.counts.resize(tree.classes.size(), 0.0);
  }
  tree.nodes.push_back(std::move(node));
  const auto branches = branches_of(value);
  if (level == kMostLevels || tree.nodes.size() + branches.size() > kMostNodes) {
    tree.nodes[index].left_out = size_of(value) - 1;
    return index;
  }
  for (const auto& [name, child] : branches) {
    const std::size_t at = add_node(tree, *child, level + 1);
    tree.nodes[index].branches.push_back({name, at});
  }
  return index;
}

// ` (n 150: setosa 50, virginica 100)`; classes without a row are left out.
std::string node_rows(const Value& node) {
  const Value* rows = node.find("n");
  if (rows == nullptr || !rows->is_number()) return "";
  std::vector<std::string> parts;
  if (const Value* counts = node.find("counts"); counts != nullptr && counts->is_object()) {
    for (const auto& [name, count] : counts->as_object()) {
      if (count.is_number() && count.as_number() == 0) continue;
      parts.push_back(fmt::format("{} {}", name, text_of(count)));
    }
  }
  return fmt::format(" (n {}{}{})", text_of(*rows), parts.empty() ? "" : ": ", join(parts, ", "));
}

void add_lines(const Value& node, const std::string& when, std::size_t level, std::string& out) {
  const std::string indent(2 * level, ' ');
  out += fmt::format("{}{}{}{}{}\n", indent, when, when.empty() ? "" : ": ",
                     escape_controls(words_of(node)), node_rows(node));
  for (const auto& [name, child] : branches_of(node)) {
    add_lines(*child, escape_controls(name), level + 1, out);
  }
  if (node.find("cut") != nullptr) out += indent + "  …\n";
}

}  // namespace

bool asks_something(const Value& tree) { return !branches_of(tree).empty(); }

Figure tree_figure(const Value& tree, std::string title) {
  TreeDiagram diagram{.title = std::move(title)};
  add_node(diagram, tree, 0);
  std::size_t hidden = 0;
  for (const auto& node : diagram.nodes) hidden += node.left_out;
  diagram.description =
      "Questions from the top down; the bar of a node has the classes of its rows in their shares.";
  if (hidden > 0) {
    diagram.description += fmt::format(" {} are not drawn.", counted(hidden, "deeper node"));
  }
  return diagram;
}

std::string tree_text(const Value& tree) {
  std::string out;
  add_lines(tree, "", 0, out);
  return out;
}

}  // namespace gradus::report
