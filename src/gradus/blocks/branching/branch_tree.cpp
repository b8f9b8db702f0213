#include "gradus/blocks/branching/branch_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "gradus/blocks/impurity/impurity.hpp"
#include "gradus/core/error.hpp"

namespace gradus {
namespace {

[[noreturn]] void refuse(const char* why) {
  throw Error(ErrorKind::bad_data, "model", std::string("the tree is damaged: ") + why);
}

void check_sizes(const BranchTree& tree, std::size_t class_count) {
  const std::size_t nodes = tree.nodes();
  if (static_cast<std::size_t>(std::max(tree.classes, 0)) != class_count || class_count == 0) {
    refuse("its classes are not those of the target");
  }
  constexpr auto kMostNodes = static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max());
  if (nodes == 0 || nodes > kMostNodes || tree.first_child.size() != nodes ||
      tree.branches.size() != nodes || tree.threshold.size() != nodes ||
      tree.missing.size() != nodes || tree.table.size() != nodes ||
      tree.counts.size() % class_count != 0 || tree.counts.size() / class_count != nodes) {
    refuse("its arrays differ in length");
  }
  for (const double count : tree.counts) {
    if (!std::isfinite(count) || count < 0) refuse("a class count is not a weight of rows");
  }
}

void check_table(const BranchTree& tree, std::size_t node) {
  const std::int32_t begin = tree.table[node];
  if (begin == BranchTree::kNoTable) {
    if (tree.branches[node] < 2 || !std::isfinite(tree.threshold[node])) {
      refuse("a threshold has no two sides");
    }
    return;
  }
  const auto at = static_cast<std::size_t>(begin);
  if (begin < 0 || at >= tree.tables.size() || tree.tables[at] < 0 ||
      static_cast<std::size_t>(tree.tables[at]) > tree.tables.size() - at - 1) {
    refuse("a table of levels is out of range");
  }
  for (std::int32_t level = 0; level < tree.tables[at]; ++level) {
    const std::int32_t branch = tree.tables[at + 1 + static_cast<std::size_t>(level)];
    if (branch != kStayHere && (branch < 0 || branch >= tree.branches[node])) {
      refuse("a level leads to a branch that is not there");
    }
  }
}

void check_node(const BranchTree& tree, std::size_t node, std::size_t features) {
  if (!std::isfinite(tree.weight_of(node))) refuse("the class counts are too large");
  if (node == 0 && tree.weight_of(0) <= 0) refuse("the root holds no row");
  if (tree.is_leaf(node)) {
    if (tree.first_child[node] != 0 || tree.branches[node] != 0) refuse("a leaf has branches");
    return;
  }
  if (tree.weight_of(node) <= 0) refuse("an inner node holds no row");
  if (tree.feature[node] < 0 || static_cast<std::size_t>(tree.feature[node]) >= features) {
    refuse("a node asks for a column that is not there");
  }
  const auto width = static_cast<std::size_t>(std::max(tree.branches[node], 0));
  const auto first = static_cast<std::size_t>(std::max(tree.first_child[node], 0));
  if (width == 0 || width > tree.nodes() || first <= node || first > tree.nodes() - width) {
    refuse("a branch leads outside the tree");
  }
  if (tree.missing[node] < kStayHere || tree.missing[node] >= tree.branches[node]) {
    refuse("a missing value leads to a branch that is not there");
  }
  check_table(tree, node);
}

}  // namespace

BranchTree BranchTree::leaf(std::size_t class_count) {
  BranchTree tree;
  tree.classes = static_cast<std::int32_t>(class_count);
  tree.feature = {kLeaf};
  tree.first_child = {0};
  tree.branches = {0};
  tree.threshold = {0};
  tree.missing = {kStayHere};
  tree.table = {kNoTable};
  tree.counts.assign(class_count, 0.0);
  return tree;
}

double BranchTree::weight_of(std::size_t node) const { return total_of(counts_of(node)); }

std::size_t BranchTree::leaves() const {
  return static_cast<std::size_t>(std::count(feature.begin(), feature.end(), kLeaf));
}

std::vector<std::size_t> BranchTree::parents() const {
  std::vector<std::size_t> parent(nodes(), 0);
  for (std::size_t node = 0; node < nodes(); ++node) {
    for (std::size_t i = 0; i < width(node); ++i) parent[child(node, i)] = node;
  }
  return parent;
}

std::size_t BranchTree::depth() const {
  const std::vector<std::size_t> parent = parents();
  std::vector<std::size_t> level(nodes(), 0);
  std::size_t deepest = 0;
  for (std::size_t node = 1; node < nodes(); ++node) {
    level[node] = level[parent[node]] + 1;
    deepest = std::max(deepest, level[node]);
  }
  return deepest;
}

std::size_t BranchTree::split(std::size_t node, const BranchQuestion& question) {
  GRADUS_ASSERT(is_leaf(node) && question.branches > 0);
  const std::size_t first = nodes();
  const std::size_t end = first + question.branches;
  feature[node] = static_cast<std::int32_t>(question.feature);
  first_child[node] = static_cast<std::int32_t>(first);
  branches[node] = static_cast<std::int32_t>(question.branches);
  threshold[node] = question.threshold;
  missing[node] = question.missing;
  if (!question.of_level.empty()) {
    table[node] = static_cast<std::int32_t>(tables.size());
    tables.push_back(static_cast<std::int32_t>(question.of_level.size()));
    tables.insert(tables.end(), question.of_level.begin(), question.of_level.end());
  }
  feature.resize(end, kLeaf);
  first_child.resize(end, 0);
  branches.resize(end, 0);
  threshold.resize(end, 0.0);
  missing.resize(end, kStayHere);
  table.resize(end, kNoTable);
  counts.resize(end * static_cast<std::size_t>(classes), 0.0);
  return first;
}

void BranchTree::make_leaf(std::size_t node) {
  feature[node] = kLeaf;
  first_child[node] = 0;
  branches[node] = 0;
  threshold[node] = 0;
  missing[node] = kStayHere;
  table[node] = kNoTable;
}

void BranchTree::set_counts(std::size_t node, std::span<const double> numbers) {
  GRADUS_ASSERT(numbers.size() == static_cast<std::size_t>(classes));
  std::copy(numbers.begin(), numbers.end(),
            counts.begin() + static_cast<std::ptrdiff_t>(node * numbers.size()));
}

BranchQuestion BranchTree::question_of(std::size_t node) const {
  BranchQuestion question{.feature = static_cast<std::size_t>(feature[node]),
                          .threshold = threshold[node],
                          .branches = width(node),
                          .missing = missing[node]};
  if (table[node] != kNoTable) {
    const auto begin = tables.begin() + table[node];
    question.of_level.assign(begin + 1, begin + 1 + *begin);
  }
  return question;
}

BranchTree BranchTree::compact() const {
  BranchTree out = leaf(static_cast<std::size_t>(classes));
  std::vector<std::size_t> origin = {0};  // of every new node
  for (std::size_t node = 0; node < origin.size(); ++node) {
    const std::size_t from = origin[node];
    out.set_counts(node, counts_of(from));
    if (is_leaf(from)) continue;
    out.split(node, question_of(from));
    for (std::size_t i = 0; i < width(from); ++i) origin.push_back(child(from, i));
  }
  return out;
}

std::int32_t BranchTree::branch_of(std::size_t node, double x) const {
  if (std::isnan(x)) return missing[node];
  if (table[node] == kNoTable) return x <= threshold[node] ? 0 : 1;
  const auto begin = static_cast<std::size_t>(table[node]);
  // Codes are whole and small; anything else is a level that training never saw.
  if (!(x >= 0 && x < static_cast<double>(tables[begin]))) return kStayHere;
  return tables[begin + 1 + static_cast<std::size_t>(x)];
}

bool go_on(const BranchTree& tree, std::span<const double> row, const BranchVisit& visit,
           std::vector<BranchVisit>& next) {
  if (tree.is_leaf(visit.node)) return false;
  const double x = row[static_cast<std::size_t>(tree.feature[visit.node])];
  const std::int32_t branch = tree.branch_of(visit.node, x);
  if (branch == kStayHere) return false;
  const auto visit_child = [&](std::size_t child, double share) {
    next.push_back({child, tree.weight_of(child) > 0 ? child : visit.answering, share});
  };
  if (branch != kSpreadMissing) {
    visit_child(tree.child(visit.node, static_cast<std::size_t>(branch)), visit.share);
    return true;
  }
  double total = 0;
  for (std::size_t i = 0; i < tree.width(visit.node); ++i) {
    total += tree.weight_of(tree.child(visit.node, i));
  }
  if (total <= 0) return false;
  for (std::size_t i = 0; i < tree.width(visit.node); ++i) {
    const std::size_t child = tree.child(visit.node, i);
    const double part = tree.weight_of(child) / total;
    if (part > 0) visit_child(child, visit.share * part);
  }
  return true;
}

void BranchTree::add_shares(std::span<const double> row, double* out) const {
  // Most rows have all that they are asked for: one path, and nothing to remember.
  BranchVisit start;
  while (!is_leaf(start.node)) {
    const std::int32_t branch =
        branch_of(start.node, row[static_cast<std::size_t>(feature[start.node])]);
    if (branch < 0) break;
    start.node = child(start.node, static_cast<std::size_t>(branch));
    if (weight_of(start.node) > 0) start.answering = start.node;
  }
  std::vector<BranchVisit> stack = {start};
  while (!stack.empty()) {
    const BranchVisit visit = stack.back();
    stack.pop_back();
    if (go_on(*this, row, visit, stack)) continue;
    const std::span<const double> answer = counts_of(visit.answering);
    const double total = total_of(answer);
    for (std::size_t k = 0; k < answer.size(); ++k) out[k] += visit.share * (answer[k] / total);
  }
}

void BranchTree::check(std::size_t class_count, std::size_t features) const {
  check_sizes(*this, class_count);
  std::vector<bool> has_parent(nodes(), false);
  has_parent[0] = true;
  for (std::size_t node = 0; node < nodes(); ++node) {
    if (!has_parent[node]) refuse("a node has no parent");
    check_node(*this, node, features);
    for (std::size_t i = 0; i < width(node); ++i) {
      if (has_parent[child(node, i)]) refuse("two branches meet");
      has_parent[child(node, i)] = true;
    }
  }
}

}  // namespace gradus
