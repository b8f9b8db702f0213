#include "gradus/core/pages.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace gradus {
namespace {

TEST(Pages, that_were_taken_hold_what_is_written_there) {
  constexpr std::size_t kNumbers = 1 << 20;
  std::vector<double> numbers;
  numbers.reserve(kNumbers);
  take_pages(numbers.data(), kNumbers * sizeof(double));
  numbers.resize(kNumbers, 1.5);
  EXPECT_EQ(numbers.front(), 1.5);
  EXPECT_EQ(numbers.back(), 1.5);
}

TEST(Pages, of_a_few_bytes_are_left_alone) {
  char few[3] = {'a', 'b', 'c'};
  take_pages(few, 0);
  EXPECT_EQ(few[2], 'c');
}

}  // namespace
}  // namespace gradus
