#include "finite.hpp"

#include <nanobind/stl/optional.h>

#include <atomic>
#include <optional>

#include "buffer.hpp"
#include "gradus/core/context.hpp"
#include "gradus/parallel/parallel.hpp"
#include "gradus/simd/columns.hpp"

namespace gradus::python {
namespace {

template <class T>
bool finite_everywhere(const Buffer& buffer, std::size_t count, const Context& context) {
  constexpr std::size_t kBlock = std::size_t{1} << 17;
  const auto* numbers = reinterpret_cast<const T*>(buffer.data());
  std::atomic<bool> fine = true;
  parallel::for_each_block(context, count, kBlock, [&](parallel::Block block) {
    if (!fine.load(std::memory_order_relaxed)) return;
    if (!simd::all_finite(numbers + block.begin, block.size())) fine = false;
  });
  return fine;
}

std::optional<bool> all_finite(nb::handle array, int threads) {
  const Buffer buffer(array);
  const std::optional<std::size_t> count = buffer.contiguous_count();
  const bool doubles = buffer.format() == 'd';
  if (!count || (!doubles && buffer.format() != 'f')) return std::nullopt;
  Context context;
  context.threads = threads;
  const nb::gil_scoped_release released;
  return doubles ? finite_everywhere<double>(buffer, *count, context)
                 : finite_everywhere<float>(buffer, *count, context);
}

}  // namespace

void bind_finite(nb::module_& module) {
  module.def("all_finite", &all_finite, nb::arg("array"), nb::arg("threads"),
             "Whether all numbers are finite; None for an array that is not contiguous.");
}

}  // namespace gradus::python
