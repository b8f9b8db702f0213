// The rows of a table one after the other in an order of chance, for learners whose every step
// waits for the one before.
//
// Rows that are met by chance are not in the cache, and a chain of steps has no time to wait for
// them. So while one thread takes the steps of some rows, another copies the rows that come next
// and mixes the order of the next pass. What the steps see does not depend on who copied it.
//
//   RowsInTurn turns(rows, order, {.seed = seed, .function = k}, context);
//   std::vector<double> w(turns.width());
//   turns.run_pass(pass, last, [&](const RowsInTurn::Stretch& stretch) {
//     for (std::size_t turn = 0; turn < stretch.size(); ++turn) rows.dot(stretch.visit(turn), ...);
//   });
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "gradus/blocks/linear/rows.hpp"
#include "gradus/core/context.hpp"
#include "gradus/core/random.hpp"

namespace gradus {

class RowsInTurn {
 public:
  // Whether and from what each pass is mixed. Functions that run side by side differ in `function`.
  struct Mixing {
    bool on = true;
    Seed seed = 0;
    std::uint64_t function = 0;
  };

  // Some rows whose turn it is.
  struct Stretch {
    const LinearRows& table;
    std::span<const std::uint32_t> rows;
    const double* copies = nullptr;  // null: the rows are read where they are
    std::size_t width = 0;

    std::size_t size() const { return rows.size(); }
    LinearRows::Visit visit(std::size_t turn) const {
      if (copies == nullptr) return table.visit(rows[turn]);
      return {rows[turn], copies + turn * width, width};
    }
    // Asks for a row that is visited soon, unless it is at hand. (Why inline: LinearRows::fetch.)
    [[gnu::always_inline]] inline void fetch(std::size_t turn) const {
      if (copies == nullptr && turn < rows.size()) table.fetch(rows[turn]);
    }
    // The same for what else is known of each row; empty: nothing.
    [[gnu::always_inline]] inline void fetch(std::size_t turn,
                                             std::span<const double> of_rows) const {
      if (turn < rows.size() && !of_rows.empty()) __builtin_prefetch(&of_rows[rows[turn]]);
    }
  };

  // `order` may name a row several times, and others not at all.
  RowsInTurn(const LinearRows& rows, std::vector<std::uint32_t> order, const Mixing& mixing,
             const Context& context);

  std::size_t size() const { return order_.size(); }
  const LinearRows& rows() const { return rows_; }
  // Places that coefficients need: those behind the features are 0 and remain so.
  std::size_t width() const;

  // Calls `steps` for stretches that follow each other. Passes are counted from 1; after pass
  // `last` none is expected.
  void run_pass(int pass, int last, const std::function<void(const Stretch&)>& steps);

 private:
  void mix(int pass);
  void copy(std::size_t begin, std::size_t end, double* out) const;
  void run_copied(int next, const std::function<void(const Stretch&)>& steps);

  const LinearRows& rows_;
  Context context_;
  Mixing mixing_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> next_;  // of the pass after this
  int mixed_for_ = 0;                // the pass that next_ is for; 0: none
  std::size_t stretch_ = 0;          // rows that are copied together; 0: they are read in place
  std::vector<double> copies_[2];
};

}  // namespace gradus
