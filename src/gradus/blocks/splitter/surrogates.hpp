// Surrogate splits: questions about other columns that part the rows of a node nearly as its own
// question does, for rows whose answer to that one is missing (Breiman et al. 1984, section 5.3).
//
// The agreement of a surrogate is the share of the weight, among rows where both values are known,
// that it sends the same way. It must beat sending all of them with the larger side. Rows for which
// every surrogate is missing too go with the larger side.
//
//   SurrogateFinder finder(table, 5);
//   options.surrogates = &finder;                       // ExactOptions: asks while it grows
//   SurrogateSplits splits = finder.take(nodes);        // for the model
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gradus/blocks/splitter/column_search.hpp"
#include "gradus/blocks/splitter/ranked_table.hpp"
#include "gradus/core/describe.hpp"

namespace gradus {

enum class Side : std::uint8_t { right, left, unknown };

struct Surrogate {
  std::size_t feature = 0;
  double threshold = 0;             // a number: up to it goes left
  bool reversed = false;            // ... or right
  std::vector<Side> of_level = {};  // a category
  double agreement = 0;

  Side side_of(double x) const;
};

// The surrogates of all nodes of a tree as flat arrays: what a model keeps.
struct SurrogateSplits {
  static constexpr std::int32_t kNumber = -1;

  std::vector<std::int32_t> begin;     // node: where its surrogates begin; and the end
  std::vector<std::int32_t> feature;   // surrogate
  std::vector<double> threshold;       // surrogate
  std::vector<std::uint8_t> reversed;  // surrogate
  std::vector<std::int32_t> levels;    // surrogate: where its levels begin in `sides`, or kNumber
  std::vector<std::uint8_t> sides;     // Side of each level
  std::vector<double> agreement;       // surrogate

  template <class T = SurrogateSplits>
  static constexpr auto describe() {
    return Members{field(&T::begin, 1, "begin"),         field(&T::feature, 2, "feature"),
                   field(&T::threshold, 3, "threshold"), field(&T::reversed, 4, "reversed"),
                   field(&T::levels, 5, "levels"),       field(&T::sides, 6, "sides"),
                   field(&T::agreement, 7, "agreement")};
  }

  std::size_t count(std::size_t node) const {
    return static_cast<std::size_t>(begin[node + 1] - begin[node]);
  }
  // `level_count` is that of its column.
  Surrogate get(std::size_t node, std::size_t i, std::size_t level_count) const;
  void add_node(std::span<const Surrogate> list);

  // Where a row goes by the first surrogate that knows; unknown when none does.
  Side side_of(std::size_t node, std::span<const double> row) const;

  // Error{bad_data} unless every index is in range.
  void check(std::size_t nodes, std::span<const std::size_t> level_counts) const;
};

class SurrogateFinder {
 public:
  SurrogateFinder(const RankedTable& table, std::size_t most) : table_(table), most_(most) {}

  // The best surrogates of a question for the rows of a node.
  void find(std::size_t node, const NodeSample& sample, const ExactSplit& split);
  Side side_of(std::size_t node, std::uint32_t row) const;

  // Those of `nodes`, in this order.
  SurrogateSplits take(std::span<const std::size_t> nodes) const;

 private:
  std::optional<Surrogate> best_of(std::size_t j, const NodeSample& sample,
                                   const ExactSplit& split);
  void search_numbers(const RankedColumn& column, Surrogate& best);
  void search_levels(const RankedColumn& column, Surrogate& best);

  const RankedTable& table_;
  std::size_t most_;
  std::vector<std::vector<Surrogate>> by_node_;
  // Of the column being tried: rank, weight and side of every row that knows both.
  struct Known {
    std::uint32_t rank;
    bool left;
    double weight;
  };
  std::vector<Known> known_;
};

}  // namespace gradus
