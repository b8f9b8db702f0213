#include "gradus/blocks/tree/leaf_classes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "gradus/core/error.hpp"

namespace gradus {
namespace {

// Counts are found by 31 bits.
void require_places(std::size_t numbers) {
  if (numbers <= std::numeric_limits<std::int32_t>::max()) return;
  throw Error(ErrorKind::limit, "", "the leaves of the trees hold too many counts",
              "grow fewer or smaller trees");
}

// Where the counts of the first leaf that has any begin, of those from a node on.
std::size_t first_place(const Trees& trees, std::size_t node) {
  const auto found =
      std::find_if(trees.leaf_class.begin() + static_cast<std::ptrdiff_t>(node),
                   trees.leaf_class.end(), [](std::int32_t kept) { return kept < 0; });
  return found == trees.leaf_class.end() ? trees.leaf_counts.size()
                                         : static_cast<std::size_t>(-1 - *found);
}

// Of a leaf of several classes whose counts begin where they should.
const char* flaw_of_counts(const Trees& trees, std::size_t leaf, std::size_t& place) {
  const std::size_t size = trees.leaf_counts.size();
  if (place >= size || trees.leaf_counts[place] > (size - place - 1) / 2) {
    return "the counts of a leaf are out of range";
  }
  double sum = 0;
  std::int64_t before = -1;
  bool sound = true;
  trees.for_counts(leaf, [&](std::uint32_t code, std::uint32_t count) {
    sound = sound && code > before && code < static_cast<std::uint32_t>(trees.width) && count > 0;
    before = code;
    sum += count;
  });
  place += 1 + 2 * std::size_t{trees.leaf_counts[place]};
  return sound && sum == trees.cover[leaf] ? nullptr : "the counts of a leaf are damaged";
}

}  // namespace

void add_inner_node(Trees& trees) { trees.leaf_class.push_back(0); }

void add_pure_leaf(Trees& trees, std::size_t code) {
  trees.leaf_class.push_back(static_cast<std::int32_t>(code));
}

void add_mixed_leaf(Trees& trees, std::span<const std::uint32_t> counts) {
  std::vector<std::uint32_t>& out = trees.leaf_counts;
  const std::size_t place = out.size();
  require_places(place + 1 + 2 * counts.size());
  trees.leaf_class.push_back(-1 - static_cast<std::int32_t>(place));
  out.push_back(0);
  for (std::uint32_t code = 0; code < counts.size(); ++code) {
    if (counts[code] == 0) continue;
    ++out[place];
    out.insert(out.end(), {code, counts[code]});
  }
}

bool keep_counts(Trees& trees, std::span<const double> weights) {
  const auto width = static_cast<std::size_t>(trees.width);
  Trees kept;
  std::vector<std::uint32_t> counts(width);
  for (std::size_t node = 0; node < trees.nodes(); ++node) {
    if (!trees.is_leaf(node)) {
      add_inner_node(kept);
      continue;
    }
    const std::span<const double> shares = trees.value_of(node);
    for (std::size_t k = 0; k < width; ++k) {
      const double count = std::nearbyint(shares[k] * weights[node]);
      const bool whole =
          count <= std::numeric_limits<std::uint32_t>::max() && count / weights[node] == shares[k];
      if (!whole) return false;
      counts[k] = static_cast<std::uint32_t>(count);
    }
    const auto only = std::find_if(counts.begin(), counts.end(),
                                   [&](std::uint32_t count) { return count == weights[node]; });
    if (only == counts.end()) {
      add_mixed_leaf(kept, counts);
    } else {
      add_pure_leaf(kept, static_cast<std::size_t>(only - counts.begin()));
    }
  }
  trees.value = {};
  trees.leaf_class = std::move(kept.leaf_class);
  trees.leaf_counts = std::move(kept.leaf_counts);
  return true;
}

void write_shares(Trees& trees, std::span<const double> weights) {
  const auto width = static_cast<std::size_t>(trees.width);
  std::vector<double> value(trees.nodes() * width, 0.0);
  // Children follow their parents: those of a node are counted before it.
  for (std::size_t node = trees.nodes(); node-- > 0;) {
    double* counts = value.data() + node * width;
    if (!trees.is_leaf(node)) {
      const double* yes = value.data() + trees.yes(node) * width;
      for (std::size_t k = 0; k < width; ++k) counts[k] = yes[k] + yes[width + k];
    } else if (trees.leaf_class[node] >= 0) {
      counts[trees.leaf_class[node]] = weights[node];
    } else {
      trees.for_counts(node,
                       [&](std::uint32_t code, std::uint32_t count) { counts[code] = count; });
    }
  }
  for (std::size_t node = 0; node < trees.nodes(); ++node) {
    for (std::size_t k = 0; k < width; ++k) value[node * width + k] /= weights[node];
  }
  trees.value = std::move(value);
  trees.leaf_class = {};
  trees.leaf_counts = {};
}

Trees tree_with_values(const Trees& trees, std::size_t tree) {
  Trees one = trees.part(tree, tree + 1);
  if (one.keeps_counts()) write_shares(one, one.cover);
  return one;
}

void append_leaf_classes(Trees& trees, const Trees& other) {
  require_places(trees.leaf_counts.size() + other.leaf_counts.size());
  const auto shift = static_cast<std::int32_t>(trees.leaf_counts.size());
  for (const std::int32_t kept : other.leaf_class) {
    trees.leaf_class.push_back(kept < 0 ? kept - shift : kept);
  }
  trees.leaf_counts.insert(trees.leaf_counts.end(), other.leaf_counts.begin(),
                           other.leaf_counts.end());
}

void cut_leaf_classes(Trees& trees, std::size_t nodes) {
  trees.leaf_counts.resize(first_place(trees, nodes));
  trees.leaf_class.resize(nodes);
}

void drop_leaf_classes(Trees& trees, std::size_t nodes) {
  const auto gone = static_cast<std::int32_t>(first_place(trees, nodes));
  trees.leaf_counts.erase(trees.leaf_counts.begin(), trees.leaf_counts.begin() + gone);
  trees.leaf_class.erase(trees.leaf_class.begin(),
                         trees.leaf_class.begin() + static_cast<std::ptrdiff_t>(nodes));
  for (std::int32_t& kept : trees.leaf_class) kept += kept < 0 ? gone : 0;
}

const char* flaw_of_leaf_classes(const Trees& trees) {
  if (trees.leaf_class.size() != trees.nodes() || trees.cover.size() != trees.nodes() ||
      trees.width < 2 || !trees.value.empty()) {
    return "their arrays differ in length";
  }
  std::size_t place = 0;  // where the next counts must begin
  for (std::size_t node = 0; node < trees.nodes(); ++node) {
    const std::int32_t kept = trees.leaf_class[node];
    if (kept >= trees.width || (kept != 0 && !trees.is_leaf(node))) {
      return "a node has a class that it cannot have";
    }
    if (kept >= 0) continue;
    if (static_cast<std::size_t>(-1 - kept) != place) return "the counts of a leaf are misplaced";
    if (const char* flaw = flaw_of_counts(trees, node, place)) return flaw;
  }
  return place == trees.leaf_counts.size() ? nullptr : "there are counts of no leaf";
}

}  // namespace gradus
