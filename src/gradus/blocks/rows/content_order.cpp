#include "gradus/blocks/rows/content_order.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>

#include "gradus/blocks/rows/even_sort.hpp"
#include "gradus/core/hash.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

constexpr std::size_t kBlock = 1024;
// So many copies of a row, in the mean, are not worth their time.
constexpr double kMostCopies = 64;

// 128 bits of the contents: that two different rows share them will not happen.
struct Identity {
  std::array<std::uint64_t, 2> bits = {};
  std::uint32_t row = 0;

  bool operator<(const Identity& other) const {
    if (bits[0] != other.bits[0]) return bits[0] < other.bits[0];
    return bits[1] != other.bits[1] ? bits[1] < other.bits[1] : row < other.row;
  }
};

// Numbers that compare equal have the same bits: one zero, one NaN.
double one_form(double x) {
  return std::isnan(x) ? std::numeric_limits<double>::quiet_NaN() : x + 0.0;
}

// The contents of one row as numbers, ready to be hashed: where it is not zero, and what is there,
// so that a row is the same in a sparse table and in a dense one.
class Contents {
 public:
  explicit Contents(const TrainTask& task)
      : task_(task), outputs_(task.numbers.size() / task.rows()) {}

  Identity of(std::size_t row, const RowBlock& block, std::size_t begin) {
    used_ = 0;
    if (const CsrMatrix* sparse = task_.features.sparse()) {
      const auto index = sparse->row_index(row);
      const auto value = sparse->row_value(row);
      make_room(index.size());
      for (std::size_t at = 0; at < index.size(); ++at) add(index[at], value[at]);
    } else {
      const auto cells = block.row(row - begin);
      make_room(cells.size());
      for (std::size_t j = 0; j < cells.size(); ++j) add(j, cells[j]);
    }
    if (!task_.classes.empty()) numbers_[used_++] = task_.classes[row];
    for (const double y : task_.numbers.subspan(row * outputs_, outputs_)) {
      numbers_[used_++] = one_form(y);
    }
    const auto hash = hash128(std::as_bytes(std::span<const double>(numbers_.data(), used_)));
    Identity out{.row = static_cast<std::uint32_t>(row)};
    std::memcpy(out.bits.data(), hash.data(), hash.size());
    return out;
  }

 private:
  void make_room(std::size_t cells) {
    numbers_.resize(std::max(numbers_.size(), 2 * cells + 1 + outputs_));
  }

  // A zero is written too and then overwritten: no branch to guess wrong.
  void add(std::size_t feature, double x) {
    numbers_[used_] = static_cast<double>(feature);
    numbers_[used_ + 1] = one_form(x);
    used_ += x == 0 ? 0 : 2;
  }

  const TrainTask& task_;
  std::size_t outputs_;
  std::size_t used_ = 0;  // of the numbers
  std::vector<double> numbers_;
};

std::vector<Identity> identities(const TrainTask& task, const Context& context) {
  std::vector<Identity> out(task.rows());
  parallel::for_each_block(context, task.rows(), kBlock, [&](parallel::Block part) {
    std::vector<double> scratch;
    RowBlock block;
    if (task.features.sparse() == nullptr) {
      block = task.features.block(part.begin, part.end, scratch);
    }
    Contents contents(task);
    for (std::size_t row = part.begin; row < part.end; ++row) {
      out[row] = contents.of(row, block, part.begin);
    }
  });
  return out;
}

// Of the rows that weigh something; equal ones beside each other.
std::vector<Identity> sorted_identities(const TrainTask& task, const Context& context) {
  std::vector<Identity> order = identities(task, context);
  if (!task.weights.empty()) {
    std::erase_if(order, [&](const Identity& id) { return !(task.weight(id.row) > 0); });
  }
  sort_evenly(
      order, [](const Identity& id) { return id.bits[0]; }, context);
  return order;
}

}  // namespace

bool weights_are_copies(const TrainTask& task) {
  double total = 0;
  for (const double w : task.weights) {
    if (w != std::floor(w)) return false;
    total += w;
  }
  return total <= kMostCopies * static_cast<double>(task.rows());
}

std::vector<RowOccurrence> row_occurrences(const TrainTask& task, const Context& context) {
  const bool copies = weights_are_copies(task);
  std::vector<RowOccurrence> out(task.rows());
  const std::vector<Identity> order = sorted_identities(task, context);
  std::uint32_t before = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && order[i].bits != order[i - 1].bits) before = 0;
    out[order[i].row] = {order[i].bits[0], before};
    before += copies ? static_cast<std::uint32_t>(task.weight(order[i].row)) : 1;
  }
  return out;
}

ContentOrder::ContentOrder(const TrainTask& task, const Context& context)
    : copies_(weights_are_copies(task)) {
  const std::vector<Identity> order = sorted_identities(task, context);
  rows_.reserve(order.size());
  repeats_.reserve(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool repeated = i > 0 && order[i].bits == order[i - 1].bits;
    const auto times = copies_ ? static_cast<std::size_t>(task.weight(order[i].row)) : 1;
    for (std::size_t copy = 0; copy < times; ++copy) {
      rows_.push_back(order[i].row);
      repeats_.push_back(repeated || copy > 0 ? 1 : 0);
    }
  }
}

std::vector<std::uint32_t> join_equal_rows(const TrainTask& task, std::span<double> costs,
                                           const Context& context) {
  const ContentOrder order(task, context);
  std::vector<std::uint32_t> out;
  for (std::size_t place = 0; place < order.rows().size(); ++place) {
    const std::uint32_t row = order.rows()[place];
    if (!order.repeats(place)) {
      out.push_back(row);
    } else if (row != out.back()) {
      costs[out.back()] += costs[row];
      costs[row] = 0;
    }
  }
  return out;
}

}  // namespace gradus
