#include "gradus/blocks/linear/rows_in_turn.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

// Sums of products go over so many lanes; rows of whole lanes need no care at their end.
constexpr std::size_t kLanes = 16;
// A table that the cache holds needs no copies, and of long rows the machine itself sees what comes
// next.
constexpr std::size_t kSmallTable = std::size_t{1} << 18U;
constexpr std::size_t kLongRow = 512;
// Two copies of this size stay in the cache of a core or near it.
constexpr std::size_t kStretchNumbers = std::size_t{1} << 17U;
// Parts of a copy that two threads share.
constexpr std::size_t kPortions = 4;
// Rows that are asked for before they are copied.
constexpr std::size_t kCopiedAhead = 12;

// Steps `from` down to `to` of a shuffle of all items, which stream.shuffle does at once.
void shuffle_part(Stream& stream, std::span<std::uint32_t> items, std::size_t from,
                  std::size_t to) {
  for (std::size_t i = from; i > to; --i) std::swap(items[i - 1], items[stream.below(i)]);
}

}  // namespace

RowsInTurn::RowsInTurn(const LinearRows& rows, std::vector<std::uint32_t> order,
                       const Mixing& mixing, const Context& context)
    : rows_(rows), context_(context), mixing_(mixing), order_(std::move(order)) {
  const bool scattered = mixing_.on && !rows.sparse() && rows.features() <= kLongRow &&
                         rows.rows() * rows.features() > kSmallTable;
  if (!scattered) return;
  stretch_ = kStretchNumbers / width();
  for (auto& copies : copies_) copies.assign(stretch_ * width(), 0.0);
}

std::size_t RowsInTurn::width() const { return (rows_.features() + kLanes - 1) / kLanes * kLanes; }

void RowsInTurn::mix(int pass) {
  if (!mixing_.on) return;
  if (mixed_for_ == pass) {
    order_.swap(next_);
    return;
  }
  Stream stream(mixing_.seed, mixing_.function * 1000003 + static_cast<std::uint64_t>(pass));
  stream.shuffle(std::span(order_));
}

void RowsInTurn::copy(std::size_t begin, std::size_t end, double* out) const {
  const std::size_t bytes = rows_.features() * sizeof(double);
  for (std::size_t turn = begin; turn < end; ++turn, out += width()) {
    if (turn + kCopiedAhead < end) rows_.fetch(order_[turn + kCopiedAhead]);
    std::memcpy(out, rows_.visit(order_[turn]).numbers, bytes);
  }
}

void RowsInTurn::run_pass(int pass, int last, const std::function<void(const Stretch&)>& steps) {
  mix(pass);
  if (stretch_ == 0) return steps({rows_, order_});
  run_copied(pass < last ? pass + 1 : 0, steps);
}

void RowsInTurn::run_copied(int next, const std::function<void(const Stretch&)>& steps) {
  const std::size_t count = order_.size();
  const bool mixes = next != 0 && count > 1;
  Stream stream(mixing_.seed, mixing_.function * 1000003 + static_cast<std::uint64_t>(next));
  if (mixes) next_ = order_;
  copy(0, std::min(stretch_, count), copies_[0].data());
  std::size_t at = 0;
  for (std::size_t begin = 0; begin < count; begin += stretch_) {
    const std::size_t end = std::min(begin + stretch_, count);
    const double* here = copies_[at].data();
    at = 1 - at;
    double* following = copies_[at].data();
    const std::size_t more = std::min(stretch_, count - end);
    // The steps, the shuffle, and the copies in portions: whoever is done first takes the next.
    parallel::for_each_index(context_, 2 + kPortions, [&](std::size_t task) {
      if (task == 0) {
        steps({rows_, std::span(order_).subspan(begin, end - begin), here, width()});
      } else if (task <= kPortions) {
        const std::size_t first = more * (task - 1) / kPortions;
        copy(end + first, end + more * task / kPortions, following + first * width());
      } else if (mixes) {
        shuffle_part(stream, next_, count - begin, std::max<std::size_t>(count - end, 1));
      }
    });
  }
  mixed_for_ = mixes ? next : 0;
}

}  // namespace gradus
