#include "gradus/models/cluster/kmeans/content_order.hpp"

#include <gtest/gtest.h>

#include <map>

namespace gradus::kmeans {
namespace {

// The value of the one-column row that a draw finds.
double drawn(const std::vector<double>& values, const std::vector<double>& masses, double share) {
  const Points points{values.data(), values.size(), 1};
  const ContentOrder order(points, {});
  return values[order.draw(order.bucket_sums(masses, {}), masses, share)];
}

TEST(ContentOrder, a_draw_does_not_depend_on_the_order_of_the_rows) {
  for (double share = 0.01; share < 1; share += 0.07) {
    EXPECT_EQ(drawn({1, 2, 3, 4, 5}, {1, 1, 1, 1, 1}, share),
              drawn({4, 2, 5, 1, 3}, {1, 1, 1, 1, 1}, share));
  }
}

TEST(ContentOrder, a_mass_of_three_is_a_row_written_three_times) {
  for (double share = 0.01; share < 1; share += 0.07) {
    EXPECT_EQ(drawn({7, 8, 9}, {3, 0, 2}, share), drawn({9, 7, 7, 9, 7}, {1, 1, 1, 1, 1}, share));
  }
}

TEST(ContentOrder, rows_are_drawn_in_proportion_to_their_mass) {
  std::map<double, int> counts;
  for (int i = 0; i < 1000; ++i) ++counts[drawn({1, 2, 3}, {1, 3, 0}, (i + 0.5) / 1000)];
  EXPECT_EQ(counts, (std::map<double, int>{{1, 250}, {2, 750}}));
}

TEST(ContentOrder, many_rows_in_many_buckets_are_drawn_in_proportion_too) {
  std::vector<double> values(5000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
  const std::vector<double> masses(values.size(), 2.0);
  const Points points{values.data(), values.size(), 1};
  const ContentOrder order(points, {});
  const std::vector<double> sums = order.bucket_sums(masses, {});
  std::map<std::size_t, int> counts;
  for (int i = 0; i < 5000; ++i) ++counts[order.draw(sums, masses, (i + 0.5) / 5000)];
  EXPECT_EQ(counts.size(), values.size());
}

TEST(ContentOrder, without_mass_the_same_row_is_found_in_any_order) {
  EXPECT_EQ(drawn({1, 2, 3}, {0, 0, 0}, 0.5), drawn({3, 1, 2}, {0, 0, 0}, 0.5));
}

}  // namespace
}  // namespace gradus::kmeans
