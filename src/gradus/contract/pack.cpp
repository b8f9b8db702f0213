#include "gradus/contract/pack.hpp"

#include <algorithm>
#include <vector>

#include "gradus/core/pages.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

// Numbers that are packed at a time: they are copied on while they are in the cache.
constexpr std::size_t kBlockNumbers = std::size_t{1} << 15;

}  // namespace

PackedRows::PackedRows(const Features& features, const Context& context) {
  const std::size_t rows = features.rows();
  const std::size_t cols = features.cols();
  std::vector<double> scratch;
  if (features.block(0, std::min<std::size_t>(rows, 1), scratch).data != scratch.data()) {
    table_ = features.block(0, rows, scratch);
    if (table_.data != scratch.data()) return;
  }
  memory_ = std::make_unique_for_overwrite<double[]>(rows * cols);
  prefer_large_pages(memory_.get(), rows * cols * sizeof(double));
  const std::size_t length =
      std::max<std::size_t>(1, kBlockNumbers / std::max<std::size_t>(1, cols));
  parallel::for_each_block(context, rows, length, [&](parallel::Block block) {
    std::vector<double> part;
    const RowBlock packed = features.block(block.begin, block.end, part);
    std::copy_n(packed.data, packed.rows * cols, memory_.get() + block.begin * cols);
  });
  table_ = {memory_.get(), rows, cols};
}

}  // namespace gradus
