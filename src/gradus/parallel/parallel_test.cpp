#include "gradus/parallel/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"

namespace gradus::parallel {
namespace {

Context with_threads(int threads) {
  Context context;
  context.threads = threads;
  return context;
}

double sum_of(const std::vector<double>& numbers, int threads) {
  return reduce_ordered<double>(
      with_threads(threads), numbers.size(), 1000,
      [&](Block block) {
        double sum = 0;
        for (std::size_t i = block.begin; i < block.end; ++i) sum += numbers[i];
        return sum;
      },
      [](double& total, double part) { total += part; });
}

TEST(Parallel, an_ordered_sum_has_the_same_bits_for_any_number_of_threads) {
  std::vector<double> numbers(300001);
  Stream stream(1);
  for (double& x : numbers) x = stream.normal() * 1e6;
  const double one = sum_of(numbers, 1);
  for (const int threads : {2, 3, 5, 8}) {
    for (int repeat = 0; repeat < 5; ++repeat) EXPECT_EQ(sum_of(numbers, threads), one);
  }
}

TEST(Parallel, every_index_runs_once) {
  std::vector<std::atomic<int>> hits(10007);
  for_each_index(with_threads(8), hits.size(), [&](std::size_t i) { ++hits[i]; });
  for (const auto& hit : hits) ASSERT_EQ(hit, 1);
}

TEST(Parallel, blocks_cover_the_range_and_nested_loops_work) {
  std::vector<int> filled(1000, 0);
  for_each_block(with_threads(2), filled.size(), 300, [&](Block outer) {
    for_each_block(with_threads(2), outer.size(), 7, [&](Block inner) {
      for (std::size_t i = inner.begin; i < inner.end; ++i) ++filled[outer.begin + i];
    });
  });
  for (const int count : filled) ASSERT_EQ(count, 1);
}

TEST(Parallel, the_error_of_the_lowest_index_passes_through) {
  for (int repeat = 0; repeat < 20; ++repeat) {
    try {
      for_each_index(with_threads(8), 1000, [](std::size_t i) {
        if (i % 100 == 17) throw std::runtime_error(std::to_string(i));
      });
      FAIL() << "no error";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "17");
    }
  }
}

TEST(Parallel, a_request_to_stop_ends_the_loop) {
  CancelToken token;
  Context context = with_threads(2);
  context.cancel = &token;
  std::atomic<int> done = 0;
  const auto body = [&](std::size_t) {
    if (++done == 10) token.request();
  };
  EXPECT_THROW(for_each_index(context, 100000, body), Error);
  EXPECT_LT(done, 1000);
}

}  // namespace
}  // namespace gradus::parallel
