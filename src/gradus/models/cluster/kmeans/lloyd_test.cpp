// The pruned iterations beside a plain twin: every distance, every time.
#include "gradus/models/cluster/kmeans/lloyd.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gradus/core/random.hpp"

namespace gradus::kmeans {
namespace {

using Numbers = std::vector<double>;

struct Table {
  Numbers data;
  std::size_t cols = 1;
  Numbers weights = {};
  Points points() const { return {data.data(), data.size() / cols, cols, weights}; }
};

// Two nested loops, sums anew in every pass, and nothing else.
struct Twin {
  Numbers centers;
  std::vector<std::int32_t> labels;
  std::size_t passes = 0;
};

std::vector<std::int32_t> plain_labels(const Points& points, const Numbers& centers) {
  std::vector<std::int32_t> labels(points.rows);
  for (std::size_t row = 0; row < points.rows; ++row) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c * points.cols < centers.size(); ++c) {
      double sum = 0;
      for (std::size_t j = 0; j < points.cols; ++j) {
        const double difference = points.data[row * points.cols + j] - centers[c * points.cols + j];
        sum += difference * difference;
      }
      if (sum < least) {
        least = sum;
        labels[row] = static_cast<std::int32_t>(c);
      }
    }
  }
  return labels;
}

// Gives each empty cluster the row that is farthest from its centre and not alone there.
void plain_repair(const Points& points, Twin& twin) {
  std::vector<int> members(twin.centers.size() / points.cols, 0);
  for (const std::int32_t label : twin.labels) ++members[static_cast<std::size_t>(label)];
  Numbers far;
  for (std::size_t row = 0; row < points.rows; ++row) {
    const auto label = static_cast<std::size_t>(twin.labels[row]);
    far.push_back(squared_distance(points.data + row * points.cols,
                                   twin.centers.data() + label * points.cols, points.cols));
  }
  for (std::size_t c = 0; c < members.size(); ++c) {
    if (members[c] > 0) continue;
    std::size_t best = points.rows;
    for (std::size_t row = 0; row < points.rows; ++row) {
      if (members[static_cast<std::size_t>(twin.labels[row])] < 2) continue;
      if (far[row] > (best == points.rows ? 0.0 : far[best])) best = row;
    }
    ASSERT_LT(best, points.rows);
    --members[static_cast<std::size_t>(twin.labels[best])];
    ++members[c];
    twin.labels[best] = static_cast<std::int32_t>(c);
    far[best] = 0;
  }
}

void change(const GridSums& grid, GridSums::Sums& sums, GridSums::Entry entry) {
  grid.change(sums, {&entry, 1});
}

// Centres as the fast path gives them: the mean of the exact sums.
Numbers plain_means(const Points& points, const GridSums& grid, const Twin& twin) {
  const std::size_t clusters = twin.centers.size() / points.cols;
  GridSums::Sums sums = grid.zeros(clusters);
  for (std::size_t row = 0; row < points.rows; ++row) {
    change(grid, sums, {static_cast<std::size_t>(twin.labels[row]), row, 1});
  }
  Numbers means = twin.centers;
  for (std::size_t c = 0; c < clusters; ++c) {
    for (std::size_t j = 0; j < points.cols; ++j) {
      means[c * points.cols + j] = grid.total(sums, c, j) / grid.weight(sums, c);
    }
  }
  return means;
}

Twin plain_lloyd(const Points& points, const GridSums& grid, Numbers centers, std::size_t most) {
  Twin twin{std::move(centers), {}, 0};
  while (twin.passes < most) {
    ++twin.passes;
    std::vector<std::int32_t> labels = plain_labels(points, twin.centers);
    if (labels == twin.labels) return twin;
    twin.labels = std::move(labels);
    plain_repair(points, twin);
    twin.centers = plain_means(points, grid, twin);
  }
  twin.labels = plain_labels(points, twin.centers);
  return twin;
}

Table cloud(std::size_t rows, std::size_t cols, std::size_t blobs, Seed seed) {
  Table out{{}, cols, {}};
  Stream where(seed, 0);
  Numbers middles;
  for (std::size_t i = 0; i < blobs * cols; ++i) middles.push_back(10 * where.uniform());
  for (std::size_t row = 0; row < rows; ++row) {
    Stream noise(seed, row + 1);
    const std::size_t blob = noise.below(blobs);
    for (std::size_t j = 0; j < cols; ++j) {
      out.data.push_back(middles[blob * cols + j] + noise.normal());
    }
  }
  return out;
}

// Whole numbers in a small box: thousands of exact ties.
Table lattice(std::size_t rows, std::size_t cols, Seed seed) {
  Table out{{}, cols, {}};
  Stream stream(seed);
  for (std::size_t i = 0; i < rows * cols; ++i) {
    out.data.push_back(static_cast<double>(stream.below(5)));
  }
  return out;
}

void expect_same_as_twin(const Table& table, std::size_t clusters) {
  const Points points = table.points();
  const Context one{.threads = 1};
  const GridSums grid(points, one);
  const Numbers start(table.data.begin(),
                      table.data.begin() + static_cast<std::ptrdiff_t>(clusters * table.cols));
  const Twin twin = plain_lloyd(points, grid, start, 300);
  for (const int threads : {1, 2, 8}) {
    const LloydResult fast =
        lloyd(points, grid, start, {.max_iter = 300, .tolerance = -1}, Context{.threads = threads});
    EXPECT_EQ(fast.labels, twin.labels);
    EXPECT_EQ(fast.centers, twin.centers);  // every bit
    EXPECT_EQ(fast.n_iter, twin.passes);
  }
}

TEST(Lloyd, is_the_plain_algorithm_bit_for_bit_on_clouds_of_every_shape) {
  for (const std::size_t cols : {1, 2, 5, 20, 67}) {
    for (const std::size_t clusters : {1, 2, 7, 8, 9, 30}) {
      SCOPED_TRACE(testing::Message() << cols << " features, " << clusters << " clusters");
      expect_same_as_twin(cloud(3000, cols, 12, 5 + cols), clusters);
    }
  }
}

TEST(Lloyd, breaks_thousands_of_ties_as_the_plain_algorithm_does) {
  for (const std::size_t clusters : {2, 5, 11, 17}) {
    // The first rows of a lattice repeat: start from distinct corners of its box instead.
    Table table = lattice(4000, 3, clusters);
    for (std::size_t c = 0; c < clusters; ++c) {
      table.data[c * 3] = static_cast<double>(c % 5);
      table.data[c * 3 + 1] = static_cast<double>(c / 5);
      table.data[c * 3 + 2] = 0;
    }
    expect_same_as_twin(table, clusters);
  }
}

TEST(Lloyd, stays_exact_far_from_the_origin_and_at_extreme_scales) {
  for (const double scale : {1e-120, 1e-6, 1e100}) {
    Table table = cloud(1500, 4, 6, 3);
    for (double& x : table.data) x = (x + 1000) * scale;
    expect_same_as_twin(table, 9);
  }
}

TEST(Lloyd, uses_weights_like_the_plain_algorithm) {
  Table table = cloud(2000, 3, 5, 8);
  Stream stream(99);
  for (std::size_t row = 0; row < 2000; ++row) table.weights.push_back(0.1 + stream.uniform());
  expect_same_as_twin(table, 6);
}

// The numbers of a table rounded to floats, in both forms.
struct Rounded {
  explicit Rounded(const Table& table) : floats(table.data.begin(), table.data.end()) {
    doubles = {Numbers(floats.begin(), floats.end()), table.cols, table.weights};
  }
  Points narrow() const {
    Points out = doubles.points();
    out.data = nullptr;
    out.floats = floats.data();
    return out;
  }
  std::vector<float> floats;
  Table doubles;
};

TEST(Lloyd, reads_floats_where_they_are_and_gives_the_bytes_of_their_doubles) {
  for (const double shift : {0.0, 500.0}) {  // around zero, and where they have to be moved
    for (const std::size_t cols : {1, 20, 3000}) {
      SCOPED_TRACE(testing::Message() << cols << " features from " << shift);
      Table table = cloud(cols == 3000 ? 300 : 3000, cols, 12, 5 + cols);
      for (double& x : table.data) x += shift;
      const Rounded rounded(table);
      const Points wide = rounded.doubles.points();
      const Points narrow = rounded.narrow();
      const Numbers start(wide.data, wide.data + 9 * cols);
      const LloydResult expected = lloyd(wide, GridSums(wide, {}), start, {.max_iter = 30}, {});
      for (const int threads : {1, 2, 8}) {
        const Context context{.threads = threads};
        const LloydResult result =
            lloyd(narrow, GridSums(narrow, context), start, {.max_iter = 30}, context);
        EXPECT_EQ(result.labels, expected.labels);
        EXPECT_EQ(result.centers, expected.centers);  // every bit
        EXPECT_EQ(result.sizes, expected.sizes);
        EXPECT_EQ(result.inertia, expected.inertia);
      }
    }
  }
}

TEST(Lloyd, an_empty_cluster_gets_the_farthest_row_and_the_inertia_falls) {
  const Table table{{0, 1, 2, 10, 11, 30}, 1};
  const Points points = table.points();
  const GridSums grid(points, {});
  struct Inertias : Watcher {
    Numbers seen;
    std::vector<RepairEvent> repairs;
    void assigned(const AssignEvent& event) override { seen.push_back(event.inertia); }
    void updated(const UpdateEvent& event) override {
      repairs.insert(repairs.end(), event.repairs.begin(), event.repairs.end());
    }
  } watch;
  const LloydResult result =
      lloyd(points, grid, {1, 1000, 1000}, {.max_iter = 50, .watcher = &watch}, {});
  ASSERT_EQ(watch.repairs.size(), 2U);
  EXPECT_EQ(watch.repairs[0].cluster, 1U);
  EXPECT_EQ(watch.repairs[0].row, 5U);  // 30 is farthest from 1
  EXPECT_EQ(watch.repairs[0].distance, 29.0);
  EXPECT_EQ(watch.repairs[1].row, 4U);
  for (std::size_t i = 1; i < watch.seen.size(); ++i) EXPECT_LE(watch.seen[i], watch.seen[i - 1]);
  EXPECT_EQ(result.sizes, (Numbers{3, 1, 2}));
  EXPECT_EQ(result.centers, (Numbers{1, 30, 10.5}));
  EXPECT_EQ(result.inertia, 2.5);
}

TEST(Lloyd, without_enough_distinct_points_clusters_stay_empty_and_it_ends) {
  const Table table{{5, 5, 5, 7, 7}, 1};
  const Points points = table.points();
  const GridSums grid(points, {});
  const LloydResult result = lloyd(points, grid, {5, 5, 7, 9}, {.max_iter = 300}, {});
  EXPECT_EQ(result.inertia, 0.0);
  EXPECT_EQ(result.sizes, (Numbers{3, 0, 2, 0}));
  EXPECT_LE(result.n_iter, 3U);
}

TEST(GridSums, taking_rows_away_again_leaves_exactly_nothing) {
  Table table = cloud(500, 6, 3, 77);
  for (std::size_t i = 0; i < table.data.size(); i += 7) table.data[i] *= 1e12;
  for (std::size_t i = 0; i < table.data.size(); i += 5) table.data[i] *= 1e-9;
  const Points points = table.points();
  const GridSums grid(points, {});
  EXPECT_EQ(grid.levels(), 3U);
  GridSums::Sums forward = grid.zeros(1);
  GridSums::Sums backward = grid.zeros(1);
  for (std::size_t row = 0; row < points.rows; ++row) change(grid, forward, {0, row, 1});
  for (std::size_t row = points.rows; row-- > 0;) change(grid, backward, {0, row, 1});
  EXPECT_EQ(forward, backward);
  for (std::size_t row = 0; row < points.rows; row += 2) change(grid, forward, {0, row, -1});
  for (std::size_t row = 1; row < points.rows; row += 2) change(grid, forward, {0, row, -1});
  EXPECT_EQ(forward, grid.zeros(1));
}

TEST(GridSums, agree_with_a_long_sum) {
  const Table table = cloud(1000, 3, 2, 4);
  const Points points = table.points();
  const GridSums grid(points, {});
  GridSums::Sums sums = grid.zeros(2);
  long double expected = 0;
  for (std::size_t row = 0; row < points.rows; ++row) {
    change(grid, sums, {1, row, 1});
    expected += points.data[row * points.cols + 2];
  }
  EXPECT_DOUBLE_EQ(grid.total(sums, 1, 2), static_cast<double>(expected));
  EXPECT_EQ(grid.weight(sums, 1), 1000.0);
  EXPECT_EQ(grid.weight(sums, 0), 0.0);
}

TEST(GridSums, whole_numbers_need_one_level_only) {
  const Table table = lattice(100, 4, 1);
  EXPECT_EQ(GridSums(table.points(), {}).levels(), 1U);
}

}  // namespace
}  // namespace gradus::kmeans
