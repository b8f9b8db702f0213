#include "gradus/blocks/tree/tree_engine.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "gradus/core/error.hpp"

namespace gradus {
namespace {

constexpr std::size_t kSlots = 255;  // of the thresholds of a feature, one of them infinity
constexpr std::size_t kMostThresholds = 254;
constexpr std::uint8_t kMissing = 255;
constexpr std::size_t kRows = 256;  // that are asked together
constexpr std::size_t kFewRows = 8;
constexpr std::size_t kChunk = 64;        // trees whose values wait to be added in their order
constexpr std::size_t kFewCodes = 512;    // of a row, for which nothing is allocated
constexpr std::size_t kMostChains = 256;  // each costs a look-up for every row
constexpr std::size_t kMostColumns = std::size_t{1} << 16;  // codes of a row that a step can name

// The number of thresholds below x, of which there are fewer than 2^Halvings: without a branch.
template <unsigned Halvings>
std::uint8_t code_among(const double* edges, double x) {
  std::size_t code = 0;
  const auto halve = [&](std::size_t half) {
    code += half * static_cast<std::size_t>(edges[code + half - 1] < x);
  };
  if constexpr (Halvings >= 8) halve(128);
  if constexpr (Halvings >= 7) halve(64);
  if constexpr (Halvings >= 6) halve(32);
  if constexpr (Halvings >= 5) halve(16);
  if constexpr (Halvings >= 4) halve(8);
  if constexpr (Halvings >= 3) halve(4);
  if constexpr (Halvings >= 2) halve(2);
  if constexpr (Halvings >= 1) halve(1);
  return std::isnan(x) ? kMissing : static_cast<std::uint8_t>(code);
}

// The codes of the numbers that stand `stride` apart.
template <unsigned Halvings>
void codes_among(const double* edges, const double* x, std::size_t stride, std::size_t count,
                 std::uint8_t* codes) {
  for (std::size_t i = 0; i < count; ++i) codes[i] = code_among<Halvings>(edges, x[i * stride]);
}
constexpr std::array kCodesAmong = {codes_among<0>, codes_among<1>, codes_among<2>,
                                    codes_among<3>, codes_among<4>, codes_among<5>,
                                    codes_among<6>, codes_among<7>, codes_among<8>};

// Adds the values of the trees of a chunk in their order, some at a time, to the outputs in turn.
// Every addition waits for the one before it: done a few at a time, while the next trees are
// walked, they cost nothing.
class ChunkSum {
 public:
  ChunkSum(std::size_t outputs, double* out) : outputs_(outputs), out_(out) {}

  // The values must stay until they are added.
  void take(const double* values, std::size_t count) {
    values_ = values;
    left_ = count;
  }
  void add_some(std::size_t most) {
    const std::size_t count = std::min(most, left_);
    if (outputs_ == 1) {
      *out_ = std::accumulate(values_, values_ + count, *out_);
    } else {
      for (std::size_t i = 0; i < count; ++i) {
        out_[output_] += values_[i];
        output_ = output_ + 1 == outputs_ ? 0 : output_ + 1;
      }
    }
    values_ += count;
    left_ -= count;
  }
  void add_rest() { add_some(left_); }

 private:
  std::size_t outputs_;
  double* out_;
  std::size_t output_ = 0;
  const double* values_ = nullptr;
  std::size_t left_ = 0;
};

// The leaves of a tree from left to right, and how many of them are below each node.
struct LeafOrder {
  std::vector<std::size_t> leaves;
  std::vector<std::size_t> first;  // node minus root: its first leaf
  std::vector<std::size_t> count;
};

LeafOrder leaf_order(const Trees& trees, std::size_t tree) {
  const std::size_t root = trees.root(tree);
  const std::size_t nodes = trees.tree_end(tree) - root;
  LeafOrder order{{}, std::vector<std::size_t>(nodes, 0), std::vector<std::size_t>(nodes, 0)};
  std::vector<std::size_t> open = {root};
  while (!open.empty()) {
    const std::size_t node = open.back();
    open.pop_back();
    order.first[node - root] = order.leaves.size();
    if (trees.is_leaf(node)) {
      order.leaves.push_back(node);
    } else {
      open.push_back(trees.no(node));
      open.push_back(trees.yes(node));
    }
  }
  // Children follow their parents, so one pass backwards counts.
  for (std::size_t at = nodes; at-- > 0;) {
    const std::size_t node = root + at;
    order.count[at] = trees.is_leaf(node) ? 1
                                          : order.count[trees.yes(node) - root] +
                                                order.count[trees.no(node) - root];
  }
  return order;
}

template <class Mask>
Mask bits_from(std::size_t first, std::size_t count) {
  const Mask ones = count >= sizeof(Mask) * 8 ? ~Mask{0} : (Mask{1} << count) - 1;
  return static_cast<Mask>(ones << first);
}

// Adds the leaf of every row to its score.
template <class Mask>
void add_leaves(std::span<const Mask> masks, const double* values, std::size_t stride,
                double* out) {
  for (std::size_t i = 0; i < masks.size(); ++i) {
    out[i * stride] += values[std::countr_zero(masks[i])];
  }
}

}  // namespace

TreeEngine::TreeEngine(const Trees& trees, std::size_t features)
    : trees_(trees),
      features_(features),
      chains_(trees, kMostChains),
      asked_(features + chains_.size(), false) {
  GRADUS_ASSERT(trees.width == 1);
  sort_thresholds(features);
  for (std::size_t tree = 0; tree < trees.count(); ++tree) {
    if (!plan_tree(tree)) plans_.push_back({});
  }
  for (std::size_t j = 0; j < asked_.size(); ++j) {
    if (asked_[j]) asked_columns_.push_back(static_cast<std::uint32_t>(j));
  }
  form_parties();
  make_byte_trees();
}

void TreeEngine::sort_thresholds(std::size_t features) {
  std::vector<std::vector<double>> found(features);
  for (std::size_t node = 0; node < trees_.nodes(); ++node) {
    if (trees_.is_leaf(node) || trees_.set[node] != Trees::kNoSet) continue;
    found[static_cast<std::size_t>(trees_.feature[node])].push_back(trees_.threshold[node]);
  }
  edges_.assign(features * kSlots, std::numeric_limits<double>::infinity());
  encodable_.assign(features, true);
  halvings_.assign(features, 0);
  for (std::size_t j = 0; j < features; ++j) {
    std::vector<double>& mine = found[j];
    std::sort(mine.begin(), mine.end());
    mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
    encodable_[j] = mine.size() <= kMostThresholds;
    if (encodable_[j]) {
      std::copy(mine.begin(), mine.end(), edges_.begin() + static_cast<std::ptrdiff_t>(j * kSlots));
      halvings_[j] = static_cast<std::uint8_t>(std::bit_width(mine.size()));
    }
  }
}

// False when the tree must be walked.
bool TreeEngine::plan_tree(std::size_t tree) {
  const std::size_t root = trees_.root(tree);
  const std::size_t end = trees_.tree_end(tree);
  const std::size_t leaves = trees_.leaves(tree);
  if (leaves > 64 || 2 * asked_.size() > kMostColumns) return false;
  for (std::size_t node = root; node < end; ++node) {
    if (trees_.is_leaf(node)) continue;
    const bool possible = trees_.set[node] != Trees::kNoSet
                              ? chains_.find(trees_, node).has_value()
                              : encodable_[static_cast<std::size_t>(trees_.feature[node])];
    if (!possible) return false;
  }
  const LeafOrder order = leaf_order(trees_, tree);
  const bool narrow = leaves <= 32;
  Plan plan{narrow ? Way::narrow : Way::wide,
            static_cast<std::uint32_t>(narrow ? narrow_.size() : wide_.size()),
            0,
            static_cast<std::uint32_t>(values_.size()),
            static_cast<std::uint32_t>(steps_.size()),
            static_cast<std::uint32_t>(trees_.depth(tree))};
  for (std::size_t node = root; node < end; ++node) {
    if (trees_.is_leaf(node)) continue;
    const std::uint32_t code = code_of(node);
    const std::uint32_t column = column_of(node);
    asked_[column / 2] = true;
    const std::size_t first = order.first[trees_.yes(node) - root];
    const std::size_t count = order.count[trees_.yes(node) - root];
    if (narrow) {
      narrow_.push_back({column, code, bits_from<std::uint32_t>(first, count)});
    } else {
      wide_.push_back({column, code, bits_from<std::uint64_t>(first, count)});
    }
    ++plan.tests;
  }
  for (const std::size_t leaf : order.leaves) values_.push_back(trees_.value[leaf]);
  add_steps(tree);
  plans_.push_back(plan);
  return true;
}

std::uint32_t TreeEngine::code_of(std::size_t node) const {
  if (trees_.set[node] != Trees::kNoSet) return chains_.find(trees_, node)->code;
  const double* edges = edges_.data() + static_cast<std::size_t>(trees_.feature[node]) * kSlots;
  return static_cast<std::uint32_t>(
      std::lower_bound(edges, edges + kSlots, trees_.threshold[node]) - edges);
}

std::uint32_t TreeEngine::column_of(std::size_t node) const {
  const std::uint32_t column =
      trees_.set[node] != Trees::kNoSet
          ? static_cast<std::uint32_t>(features_) + chains_.find(trees_, node)->chain
          : static_cast<std::uint32_t>(trees_.feature[node]);
  return 2 * column + trees_.missing_left[node];
}

std::uint8_t TreeEngine::code_in(std::size_t column, const double* row) const {
  if (column < features_) return code_among<8>(edges_.data() + column * kSlots, row[column]);
  const SetChain& chain = chains_[column - features_];
  const double x = row[chain.feature];
  return std::isnan(x) ? kMissing : chain.code(x);
}

void TreeEngine::add_steps(std::size_t tree) {
  const std::size_t root = trees_.root(tree);
  for (std::size_t node = root; node < trees_.tree_end(tree); ++node) {
    step_values_.push_back(trees_.value[node]);
    if (trees_.is_leaf(node)) {
      // No code is above this one.
      steps_.push_back({0, kMissing, 0});
    } else {
      steps_.push_back({static_cast<std::uint16_t>(column_of(node)),
                        static_cast<std::uint8_t>(code_of(node)),
                        static_cast<std::uint8_t>(trees_.yes(node) - node)});
    }
  }
}

void TreeEngine::encode_column(std::size_t column, const RowBlock& rows,
                               std::uint8_t* codes) const {
  if (column < features_) {
    kCodesAmong[halvings_[column]](edges_.data() + column * kSlots, rows.data + column, rows.cols,
                                   rows.rows, codes);
    return;
  }
  for (std::size_t i = 0; i < rows.rows; ++i) codes[i] = code_in(column, rows.data + i * rows.cols);
}

void TreeEngine::encode(const RowBlock& rows, std::size_t length, Codes& codes) const {
  codes.bytes.resize(2 * asked_columns_.size() * length);
  codes.columns.assign(2 * asked_.size(), nullptr);
  std::uint8_t* next = codes.bytes.data();
  for (const std::uint32_t j : asked_columns_) {
    std::uint8_t* high = next;
    next += 2 * length;
    encode_column(j, rows, high);
    codes.columns[2 * j] = high;
    codes.columns[2 * j + 1] = high;
    if (std::find(high, high + rows.rows, kMissing) == high + rows.rows) continue;
    std::uint8_t* low = high + length;
    for (std::size_t i = 0; i < rows.rows; ++i) low[i] = high[i] == kMissing ? 0 : high[i];
    codes.columns[2 * j + 1] = low;
  }
}

// Trees of one party make as many steps as the deepest of them: like depths waste few.
void TreeEngine::form_parties() {
  for (std::size_t begin = 0; begin < plans_.size(); begin += kChunk) {
    std::vector<std::uint32_t> order;
    for (std::size_t t = begin; t < std::min(begin + kChunk, plans_.size()); ++t) {
      if (plans_[t].way != Way::walk) order.push_back(static_cast<std::uint32_t>(t));
    }
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return plans_[a].depth < plans_[b].depth;
    });
    for (std::size_t i = 0; i < order.size(); i += kLanes) {
      Party party;
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const std::uint32_t t = order[std::min(i + lane, order.size() - 1)];
        party.tree[lane] = t - static_cast<std::uint32_t>(begin);
        party.first_step[lane] = plans_[t].first_step;
        party.depth = std::max(party.depth, plans_[t].depth);
      }
      parties_.push_back(party);
    }
    party_ends_.push_back(parties_.size());
  }
}

// Written lane by lane, so that every lane stays in a register: a loop over lanes is several times
// as slow.
template <std::size_t... Lane>
void TreeEngine::walk(const Party& party, const std::uint8_t* codes, double* values,
                      std::index_sequence<Lane...> /*lanes*/) const {
  const Step* at[] = {(steps_.data() + party.first_step[Lane])...};
  const auto advance = [codes](const Step*& step) {
    step += step->ahead + static_cast<std::size_t>(codes[step->column] > step->code);
  };
  for (std::uint32_t level = party.depth; level != 0; --level) (advance(at[Lane]), ...);
  ((values[party.tree[Lane]] = step_values_[static_cast<std::size_t>(at[Lane] - steps_.data())]),
   ...);
}

void TreeEngine::encode_row(const double* row, std::uint8_t* codes) const {
  for (const std::uint32_t j : asked_columns_) {
    const std::uint8_t code = code_in(j, row);
    codes[2 * j] = code;
    codes[2 * j + 1] = code == kMissing ? 0 : code;
  }
}

void TreeEngine::make_byte_trees() {
  const bool narrow = std::all_of(plans_.begin(), plans_.end(),
                                  [](const Plan& plan) { return plan.way == Way::narrow; });
  if (!narrow || asked_columns_.size() > simd::kByteColumns || !simd::byte_trees_pay()) return;
  std::vector<std::uint8_t> place(asked_.size(), 0);
  for (std::size_t i = 0; i < asked_columns_.size(); ++i) {
    place[asked_columns_[i]] = static_cast<std::uint8_t>(i);
  }
  byte_trees_.resize(plans_.size());
  for (std::size_t tree = 0; tree < plans_.size(); ++tree) {
    for (std::size_t i = 0; i < plans_[tree].tests; ++i) {
      const simd::LeafTest<std::uint32_t>& test = narrow_[plans_[tree].first_test + i];
      byte_trees_[tree].column[i] = place[test.column / 2];
      byte_trees_[tree].code[i] = simd::byte_code(test.code);
      byte_trees_[tree].clear[i] = test.clear;
    }
  }
}

// False when something is missing.
bool TreeEngine::add_row_by_bytes(const double* row, std::size_t outputs, double* out) const {
  simd::ByteCode codes[simd::kByteColumns] = {};
  for (std::size_t i = 0; i < asked_columns_.size(); ++i) {
    const std::uint8_t code = code_in(asked_columns_[i], row);
    if (code == kMissing) return false;
    codes[i] = simd::byte_code(code);
  }
  std::uint8_t leaves[kChunk];
  double values[2][kChunk];
  ChunkSum sum(outputs, out);
  for (std::size_t begin = 0; begin < plans_.size(); begin += kChunk) {
    const std::size_t count = std::min(kChunk, plans_.size() - begin);
    double* here = values[begin / kChunk % 2];
    simd::byte_leaves(byte_trees_.data() + begin, count, codes, leaves);
    for (std::size_t i = 0; i < count; ++i) {
      here[i] = values_[plans_[begin + i].first_value + leaves[i]];
    }
    sum.add_rest();
    sum.take(here, count);
  }
  sum.add_rest();
  return true;
}

void TreeEngine::add_row(const double* row, std::size_t outputs, double* out) const {
  if (!byte_trees_.empty() && add_row_by_bytes(row, outputs, out)) return;
  const std::size_t count = 2 * asked_.size();
  std::uint8_t few_codes[kFewCodes];
  few_codes[0] = 0;  // what leaves look at
  std::vector<std::uint8_t> many_codes(count > kFewCodes ? count : 0);
  std::uint8_t* codes = many_codes.empty() ? few_codes : many_codes.data();
  encode_row(row, codes);
  double values[2][kChunk];
  ChunkSum sum(outputs, out);
  std::size_t party = 0;
  for (std::size_t chunk = 0; chunk < party_ends_.size(); ++chunk) {
    double* here = values[chunk % 2];
    const std::size_t begin = chunk * kChunk;
    const std::size_t end = std::min(begin + kChunk, plans_.size());
    for (; party < party_ends_[chunk]; ++party) {
      walk(parties_[party], codes, here, std::make_index_sequence<kLanes>());
      sum.add_some(kLanes);
    }
    for (std::size_t t = begin; t < end; ++t) {
      if (plans_[t].way != Way::walk) continue;
      here[t - begin] = trees_.value[trees_.leaf_of(t, {row, features_})];
    }
    sum.add_rest();
    sum.take(here, end - begin);
  }
  sum.add_rest();
}

void TreeEngine::add_values(const RowBlock& rows, std::size_t outputs, double* out) const {
  if (rows.rows < kFewRows) {
    for (std::size_t i = 0; i < rows.rows; ++i) {
      add_row(rows.data + i * rows.cols, outputs, out + i * outputs);
    }
    return;
  }
  const std::size_t together = simd::leaf_mask_rows();
  Codes codes;
  std::uint32_t narrow[kRows];
  std::uint64_t wide[kRows];
  for (std::size_t begin = 0; begin < rows.rows; begin += kRows) {
    const RowBlock part{rows.data + begin * rows.cols, std::min(kRows, rows.rows - begin),
                        rows.cols};
    double* part_out = out + begin * outputs;
    // Whatever stands behind the last row is asked along and not looked at.
    const std::size_t asked = std::min(kRows, (part.rows + together - 1) / together * together);
    encode(part, asked, codes);
    for (std::size_t tree = 0; tree < plans_.size(); ++tree) {
      const Plan& plan = plans_[tree];
      double* scores = part_out + tree % outputs;
      const double* values = values_.data() + plan.first_value;
      switch (plan.way) {
        case Way::narrow:
          simd::leaf_masks(narrow_.data() + plan.first_test, plan.tests, codes.columns.data(),
                           asked, narrow);
          add_leaves<std::uint32_t>({narrow, part.rows}, values, outputs, scores);
          break;
        case Way::wide:
          simd::leaf_masks(wide_.data() + plan.first_test, plan.tests, codes.columns.data(), asked,
                           wide);
          add_leaves<std::uint64_t>({wide, part.rows}, values, outputs, scores);
          break;
        case Way::walk: trees_.add_values_of(tree, part, outputs, part_out);
      }
    }
  }
}

}  // namespace gradus
