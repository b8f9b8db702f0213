#include "gradus/blocks/tree/trees.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <tuple>
#include <utility>

#include "gradus/blocks/tree/leaf_classes.hpp"
#include "gradus/core/error.hpp"

namespace gradus {
namespace {

// Rows (or trees) that walk side by side: one step of each is independent of the others, so the
// processor overlaps their cache misses.
constexpr std::size_t kLanes = 8;

struct Lanes {
  std::array<const double*, kLanes> row;
  std::array<std::int32_t, kLanes> node;
};

// Walks all lanes to their leaves without a branch on the data. Lanes that have arrived stay.
void walk_numbers(const Trees& trees, Lanes& lanes) {
  const std::int32_t* left = trees.left.data();
  const std::int32_t* feature = trees.feature.data();
  const double* threshold = trees.threshold.data();
  const std::uint8_t* missing_left = trees.missing_left.data();
  std::int32_t moving = 1;
  while (moving != 0) {
    moving = 0;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::int32_t node = lanes.node[lane];
      const std::int32_t child = left[node];
      const double x = lanes.row[lane][feature[node]];
      const unsigned missing = static_cast<unsigned>(x != x) & missing_left[node];
      const unsigned goes_left = static_cast<unsigned>(x <= threshold[node]) | missing;
      const std::int32_t next = child + 1 - static_cast<std::int32_t>(goes_left);
      lanes.node[lane] = child == 0 ? node : next;
      moving |= child;
    }
  }
}

std::size_t walk_one(const Trees& trees, std::size_t node, const double* row) {
  while (!trees.is_leaf(node)) {
    const double x = row[trees.feature[node]];
    node = trees.yes(node) + (trees.goes_left(node, x) ? 0 : 1);
  }
  return node;
}

void walk(const Trees& trees, Lanes& lanes) {
  if (trees.sets.empty()) return walk_numbers(trees, lanes);
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const auto start = static_cast<std::size_t>(lanes.node[lane]);
    lanes.node[lane] = static_cast<std::int32_t>(walk_one(trees, start, lanes.row[lane]));
  }
}

struct Sink {
  const Trees& trees;
  std::size_t outputs;
  void add(std::size_t tree, std::int32_t leaf, double* row_out) const {
    if (trees.width == 1) {
      row_out[tree % outputs] += trees.value[static_cast<std::size_t>(leaf)];
      return;
    }
    trees.for_numbers(static_cast<std::size_t>(leaf),
                      [row_out](std::size_t k, double number) { row_out[k] += number; });
  }
};

// Eight rows at a time through one tree.
void add_rows(const Sink& sink, std::size_t tree, const RowBlock& rows, double* out) {
  const Trees& trees = sink.trees;
  Lanes lanes{};
  for (std::size_t begin = 0; begin < rows.rows; begin += kLanes) {
    const std::size_t here = std::min(kLanes, rows.rows - begin);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      lanes.row[lane] = rows.data + (begin + std::min(lane, here - 1)) * rows.cols;
    }
    lanes.node.fill(trees.roots[tree]);
    walk(trees, lanes);
    for (std::size_t lane = 0; lane < here; ++lane) {
      sink.add(tree, lanes.node[lane], out + (begin + lane) * sink.outputs);
    }
  }
}

// One row through eight trees at a time: the latency of a single question.
void add_row(const Sink& sink, const double* row, double* out) {
  const Trees& trees = sink.trees;
  Lanes lanes{};
  lanes.row.fill(row);
  for (std::size_t begin = 0; begin < trees.count(); begin += kLanes) {
    const std::size_t here = std::min(kLanes, trees.count() - begin);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      lanes.node[lane] = trees.roots[begin + std::min(lane, here - 1)];
    }
    walk(trees, lanes);
    for (std::size_t lane = 0; lane < here; ++lane) sink.add(begin + lane, lanes.node[lane], out);
  }
}

[[noreturn]] void refuse(const char* why) {
  throw Error(ErrorKind::bad_data, "model", std::string("the trees are damaged: ") + why);
}

void check_sizes(const Trees& trees) {
  const std::size_t nodes = trees.nodes();
  constexpr std::size_t kMostNodes = std::size_t{1} << 31U;
  if (trees.width < 1 || nodes >= kMostNodes || trees.feature.size() != nodes ||
      trees.threshold.size() != nodes || trees.missing_left.size() != nodes ||
      trees.set.size() != nodes) {
    refuse("their arrays differ in length");
  }
  const auto width = static_cast<std::size_t>(trees.width);
  const bool has_values = trees.value.size() % width == 0 && trees.value.size() / width == nodes;
  if (!trees.keeps_counts() && (!has_values || !trees.leaf_counts.empty())) {
    refuse("their arrays differ in length");
  }
  std::int32_t next = 0;
  for (const std::int32_t root : trees.roots) {
    if (root < next || static_cast<std::size_t>(root) >= nodes) refuse("a root is out of place");
    next = root + 1;
  }
  if (nodes != 0 && (trees.roots.empty() || trees.roots.front() != 0)) refuse("a node has no tree");
  for (const double number : trees.value) {
    if (!std::isfinite(number)) refuse("a value is not finite");
  }
  if (!trees.cover.empty() && trees.cover.size() != nodes) refuse("their arrays differ in length");
  for (const double held : trees.cover) {
    if (!std::isfinite(held) || !(held > 0)) refuse("a node held no rows");
  }
}

// Shorter sets of bits are kept as they are.
constexpr std::size_t kShortSet = 64;
// Levels from here on are never listed: a list can be written as bits again.
constexpr std::uint32_t kMostListed = std::uint32_t{1} << 27U;

// The levels of a set that is kept as a list; none when it is kept as bits.
std::span<const std::uint32_t> listed(const Trees& trees, std::size_t begin) {
  const std::uint32_t size = trees.sets[begin];
  if ((size & Trees::kListed) == 0) return {};
  return {trees.sets.data() + begin + 1, size & ~Trees::kListed};
}

// Sets are found by 31 bits.
void require_places(std::size_t words) {
  if (words < Trees::kListed) return;
  throw Error(ErrorKind::limit, "", "the trees ask for too many sets of categories",
              "grow fewer or smaller trees, or leave out the column of most categories");
}

// Appends a set in the form that is shorter by far.
void keep_set(const std::vector<std::uint32_t>& words, std::vector<std::uint32_t>& sets) {
  std::size_t levels = 0;
  for (const std::uint32_t word : words) levels += static_cast<std::size_t>(std::popcount(word));
  if (words.size() <= kShortSet || 2 * levels > words.size() || words.size() > kMostListed / 32) {
    sets.push_back(static_cast<std::uint32_t>(words.size()));
    sets.insert(sets.end(), words.begin(), words.end());
    return;
  }
  sets.push_back(Trees::kListed | static_cast<std::uint32_t>(levels));
  for (std::size_t w = 0; w < words.size(); ++w) {
    for (std::uint32_t rest = words[w]; rest != 0; rest &= rest - 1) {
      sets.push_back(static_cast<std::uint32_t>(w * 32) +
                     static_cast<std::uint32_t>(std::countr_zero(rest)));
    }
  }
}

void check_set(const Trees& trees, std::size_t node) {
  if (trees.set[node] == Trees::kNoSet) return;
  const auto begin = static_cast<std::size_t>(trees.set[node]);
  if (trees.set[node] < 0 || begin >= trees.sets.size() ||
      (trees.sets[begin] & ~Trees::kListed) > trees.sets.size() - begin - 1) {
    refuse("a set of categories is out of range");
  }
  const std::span<const std::uint32_t> levels = listed(trees, begin);
  const bool ascending =
      std::adjacent_find(levels.begin(), levels.end(), std::greater_equal<>()) == levels.end();
  if (!ascending || (!levels.empty() && levels.back() >= kMostListed)) {
    refuse("a list of categories is not in order");
  }
}

void check_tree(const Trees& trees, std::size_t tree, std::size_t features) {
  const std::size_t begin = trees.root(tree);
  const std::size_t end = trees.tree_end(tree);
  std::vector<bool> has_parent(end - begin, false);
  has_parent[0] = true;
  for (std::size_t node = begin; node < end; ++node) {
    if (!has_parent[node - begin]) refuse("a node has no parent");
    if (trees.feature[node] < 0 || static_cast<std::size_t>(trees.feature[node]) >= features) {
      refuse("a node asks for a column that is not there");
    }
    if (trees.missing_left[node] > 1) refuse("a direction is neither left nor right");
    check_set(trees, node);
    if (trees.is_leaf(node)) continue;
    if (!std::isfinite(trees.threshold[node])) refuse("a threshold is not finite");
    if (trees.left[node] < 0 || trees.yes(node) <= node || trees.no(node) >= end) {
      refuse("a branch leads outside its tree");
    }
    for (const std::size_t child : {trees.yes(node), trees.no(node)}) {
      if (has_parent[child - begin]) refuse("two branches meet");
      has_parent[child - begin] = true;
    }
  }
}

}  // namespace

bool Trees::in_set(std::size_t node, std::size_t code) const {
  const auto begin = static_cast<std::size_t>(set[node]);
  if ((sets[begin] & kListed) != 0) {
    const std::span<const std::uint32_t> levels = listed(*this, begin);
    return std::binary_search(levels.begin(), levels.end(), code);
  }
  const std::size_t word = code / 32;
  if (word >= sets[begin]) return false;
  return ((sets[begin + 1 + word] >> (code % 32)) & 1U) != 0;
}

bool Trees::goes_left(std::size_t node, double x) const {
  if (std::isnan(x)) return missing_left[node] != 0;
  if (set[node] == kNoSet) return x <= threshold[node];
  // Codes are whole and small; anything else is in no set.
  if (!(x >= 0 && x < 4294967296.0)) return false;
  return in_set(node, static_cast<std::size_t>(x));
}

std::size_t Trees::begin_tree() {
  const std::size_t node = nodes();
  roots.push_back(static_cast<std::int32_t>(node));
  feature.push_back(0);
  left.push_back(0);
  threshold.push_back(0);
  missing_left.push_back(0);
  set.push_back(kNoSet);
  value.resize(value.size() + static_cast<std::size_t>(width), 0.0);
  return node;
}

std::size_t Trees::split(std::size_t node, const Question& question) {
  const std::size_t yes = nodes();
  GRADUS_ASSERT(is_leaf(node) && yes + 2 < (std::size_t{1} << 31U));
  feature[node] = static_cast<std::int32_t>(question.feature);
  left[node] = static_cast<std::int32_t>(yes);
  threshold[node] = question.threshold;
  missing_left[node] = question.missing_left ? 1 : 0;
  if (!question.set.empty()) {
    require_places(sets.size() + question.set.size());
    set[node] = static_cast<std::int32_t>(sets.size());
    keep_set(question.set, sets);
  }
  feature.resize(yes + 2, 0);
  left.resize(yes + 2, 0);
  threshold.resize(yes + 2, 0.0);
  missing_left.resize(yes + 2, 0);
  set.resize(yes + 2, kNoSet);
  value.resize((yes + 2) * static_cast<std::size_t>(width), 0.0);
  return yes;
}

void Trees::set_value(std::size_t node, std::span<const double> numbers) {
  GRADUS_ASSERT(numbers.size() == static_cast<std::size_t>(width));
  std::copy(numbers.begin(), numbers.end(),
            value.begin() + static_cast<std::ptrdiff_t>(node * numbers.size()));
}

void Trees::append(const Trees& other) {
  GRADUS_ASSERT(width == other.width && (nodes() == 0 || keeps_counts() == other.keeps_counts()));
  // Covers are known for all nodes or for none.
  const bool covered = cover.size() == nodes() && other.cover.size() == other.nodes();
  if (covered) {
    cover.insert(cover.end(), other.cover.begin(), other.cover.end());
  } else {
    cover.clear();
  }
  require_places(sets.size() + other.sets.size());
  const auto shift = static_cast<std::int32_t>(nodes());
  const auto set_shift = static_cast<std::int32_t>(sets.size());
  for (const std::int32_t root : other.roots) roots.push_back(root + shift);
  for (const std::int32_t child : other.left) left.push_back(child == 0 ? 0 : child + shift);
  for (const std::int32_t at : other.set) set.push_back(at == kNoSet ? kNoSet : at + set_shift);
  feature.insert(feature.end(), other.feature.begin(), other.feature.end());
  threshold.insert(threshold.end(), other.threshold.begin(), other.threshold.end());
  missing_left.insert(missing_left.end(), other.missing_left.begin(), other.missing_left.end());
  sets.insert(sets.end(), other.sets.begin(), other.sets.end());
  value.insert(value.end(), other.value.begin(), other.value.end());
  append_leaf_classes(*this, other);
}

void Trees::cut(std::size_t trees) {
  if (trees >= count()) return;
  const std::size_t end = root(trees);
  std::size_t set_end = 0;
  for (std::size_t node = 0; node < end; ++node) {
    if (set[node] == kNoSet) continue;
    const auto begin = static_cast<std::size_t>(set[node]);
    set_end = std::max(set_end, begin + 1 + (sets[begin] & ~kListed));
  }
  roots.resize(trees);
  feature.resize(end);
  left.resize(end);
  threshold.resize(end);
  missing_left.resize(end);
  set.resize(end);
  sets.resize(set_end);
  if (!cover.empty()) cover.resize(end);
  if (keeps_counts()) {
    cut_leaf_classes(*this, end);
  } else {
    value.resize(end * static_cast<std::size_t>(width));
  }
}

Trees Trees::part(std::size_t begin, std::size_t end) const {
  Trees out = *this;
  out.cut(end);
  if (begin == 0 || begin >= out.count()) {
    if (begin != 0) out.cut(0);
    return out;
  }
  const std::size_t first = out.root(begin);
  std::size_t set_first = out.sets.size();
  for (std::size_t node = first; node < out.nodes(); ++node) {
    if (out.set[node] == kNoSet) continue;
    set_first = std::min(set_first, static_cast<std::size_t>(out.set[node]));
  }
  const auto drop = [](auto& list, std::size_t count) {
    list.erase(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(count));
  };
  drop(out.roots, begin);
  for (auto* list : {&out.feature, &out.left, &out.set}) drop(*list, first);
  drop(out.threshold, first);
  drop(out.missing_left, first);
  if (!out.cover.empty()) drop(out.cover, first);
  if (out.keeps_counts()) {
    drop_leaf_classes(out, first);
  } else {
    drop(out.value, first * static_cast<std::size_t>(width));
  }
  drop(out.sets, set_first);
  const auto shift = static_cast<std::int32_t>(first);
  for (std::int32_t& root_at : out.roots) root_at -= shift;
  for (std::int32_t& child : out.left) child -= child == 0 ? 0 : shift;
  for (std::int32_t& at : out.set) at -= at == kNoSet ? 0 : static_cast<std::int32_t>(set_first);
  return out;
}

Question Trees::question_of(std::size_t node) const {
  Question question{.feature = static_cast<std::size_t>(feature[node]),
                    .threshold = threshold[node],
                    .missing_left = missing_left[node] != 0};
  if (set[node] != kNoSet) question.set = words_of(set[node]);
  return question;
}

std::vector<std::uint32_t> Trees::words_of(std::int32_t set_begin) const {
  const auto begin = static_cast<std::size_t>(set_begin);
  if ((sets[begin] & kListed) == 0) {
    const auto first = sets.begin() + set_begin + 1;
    return {first, first + sets[begin]};
  }
  const std::span<const std::uint32_t> levels = listed(*this, begin);
  std::vector<std::uint32_t> words(levels.empty() ? 1 : levels.back() / 32 + 1, 0U);
  for (const std::uint32_t level : levels) words[level / 32] |= 1U << (level % 32);
  return words;
}

std::vector<double> Trees::numbers_of(std::size_t leaf) const {
  std::vector<double> out(static_cast<std::size_t>(width), 0.0);
  for_numbers(leaf, [&](std::size_t k, double number) { out[k] = number; });
  return out;
}

std::size_t Trees::loudest(std::size_t leaf) const {
  std::size_t best = 0;
  double most = -std::numeric_limits<double>::infinity();
  for_numbers(leaf, [&](std::size_t k, double number) {
    if (number > most) std::tie(best, most) = std::pair(k, number);
  });
  return best;
}

std::size_t Trees::leaf_of(std::size_t tree, std::span<const double> row) const {
  return walk_one(*this, root(tree), row.data());
}

void Trees::add_values(const RowBlock& rows, std::size_t outputs, double* out) const {
  const Sink sink{*this, outputs};
  if (rows.rows >= kLanes) {
    for (std::size_t tree = 0; tree < count(); ++tree) add_rows(sink, tree, rows, out);
    return;
  }
  for (std::size_t i = 0; i < rows.rows; ++i) {
    add_row(sink, rows.data + i * rows.cols, out + i * outputs);
  }
}

void Trees::add_values_of(std::size_t tree, const RowBlock& rows, std::size_t outputs,
                          double* out) const {
  add_rows({*this, outputs}, tree, rows, out);
}

std::vector<std::size_t> Trees::parents(std::size_t tree) const {
  const std::size_t begin = root(tree);
  std::vector<std::size_t> parent(tree_end(tree) - begin, begin);
  for (std::size_t node = begin; node < tree_end(tree); ++node) {
    if (is_leaf(node)) continue;
    parent[yes(node) - begin] = node;
    parent[no(node) - begin] = node;
  }
  return parent;
}

std::size_t Trees::depth(std::size_t tree) const {
  const std::size_t begin = root(tree);
  const std::vector<std::size_t> parent = parents(tree);
  std::vector<std::size_t> level(parent.size(), 0);
  std::size_t deepest = 0;
  for (std::size_t i = 1; i < parent.size(); ++i) {
    level[i] = level[parent[i] - begin] + 1;
    deepest = std::max(deepest, level[i]);
  }
  return deepest;
}

std::size_t Trees::bytes() const {
  const std::size_t node = sizeof(feature[0]) + sizeof(left[0]) + sizeof(threshold[0]) +
                           sizeof(missing_left[0]) + sizeof(set[0]) + sizeof(cover[0]);
  return nodes() * node + sets.size() * sizeof(sets[0]) +
         leaf_class.size() * sizeof(leaf_class[0]) + leaf_counts.size() * sizeof(leaf_counts[0]);
}

std::size_t Trees::leaves(std::size_t tree) const {
  // A binary tree of n nodes has (n + 1) / 2 leaves.
  return (tree_end(tree) - root(tree) + 1) / 2;
}

void Trees::check(std::size_t features) const {
  check_sizes(*this);
  for (std::size_t tree = 0; tree < count(); ++tree) check_tree(*this, tree, features);
  if (!keeps_counts()) return;
  if (const char* flaw = flaw_of_leaf_classes(*this)) refuse(flaw);
}

}  // namespace gradus
