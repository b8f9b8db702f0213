// Rows whose answers are split up, and who the sum is over.
//
// Shapley values are a game: the players become known one after the other, and each gets what its
// becoming known adds. Usually every column is a player. Where columns are made of others (drawn
// twice by bagging, expanded by a pipeline), those that one outer column decides become known
// together, as one player:
//
//   model.contributions(rows, out);                              every column a player
//   model.contributions(PlayedRows(rows, {players, 2}), out);    players[j] is that of column j
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "gradus/contract/features.hpp"

namespace gradus {

class PlayedRows {
 public:
  struct Players {
    std::span<const std::int32_t> of_column;
    std::size_t count = 0;
  };

  PlayedRows(const RowBlock& block) : block_(block), count_(block.cols) {}
  PlayedRows(const RowBlock& block, Players players)
      : block_(block), of_column_(players.of_column), count_(players.count) {}

  const RowBlock& block() const { return block_; }
  std::size_t rows() const { return block_.rows; }
  std::span<const double> row(std::size_t i) const { return block_.row(i); }
  PlayedRows one(std::size_t i) const {
    PlayedRows out = *this;
    out.block_ = {block_.row(i).data(), 1, block_.cols};
    return out;
  }

  std::size_t players() const { return count_; }
  std::size_t player(std::size_t column) const {
    return of_column_.empty() ? column : static_cast<std::size_t>(of_column_[column]);
  }

 private:
  RowBlock block_;
  std::span<const std::int32_t> of_column_;  // empty: every column is a player
  std::size_t count_ = 0;
};

// Multiplications that splitting the answer for one row up takes, roughly.
struct SplitWork {
  double values = 0;
  double pairs = 0;

  SplitWork& operator+=(const SplitWork& other) {
    values += other.values;
    pairs += other.pairs;
    return *this;
  }
};

}  // namespace gradus
