#include "gradus/data/io/recent_cells.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "gradus/core/random.hpp"

namespace gradus::io {
namespace {

// What stands behind a cell must not matter.
RecentCells::Key key_of(const std::string& cell, char behind = ',') {
  const std::string text = cell + std::string(RecentCells::kLongest, behind);
  return RecentCells::key_at(text.data(), cell.size());
}

TEST(RecentCells, know_a_cell_by_its_bytes_alone) {
  for (std::size_t size = 0; size <= RecentCells::kLongest; ++size) {
    RecentCells cells;
    cells.prepare(100);
    const std::string cell(size, 'x');
    EXPECT_EQ(cells.find(key_of(cell)), RecentCells::kUnknown);
    cells.remember(key_of(cell, ','), 7);
    EXPECT_EQ(cells.find(key_of(cell, '\n')), 7);
    cells.forget();
    EXPECT_EQ(cells.find(key_of(cell)), RecentCells::kUnknown);
  }
}

TEST(RecentCells, keep_cells_apart_that_differ_in_one_byte_or_in_length) {
  RecentCells cells;
  cells.prepare(10000);
  std::vector<std::string> all;
  for (std::size_t size = 0; size <= RecentCells::kLongest; ++size) {
    all.emplace_back(size, 'a');
    if (size > 0) all.emplace_back(size, '\0');
    for (std::size_t at = 0; at < size; ++at) {
      all.emplace_back(size, 'a');
      all.back()[at] = 'b';
    }
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    ASSERT_EQ(cells.find(key_of(all[i])), RecentCells::kUnknown) << all[i];
    cells.remember(key_of(all[i]), static_cast<std::int32_t>(i));
    ASSERT_EQ(cells.find(key_of(all[i])), static_cast<std::int32_t>(i)) << all[i];
  }
}

TEST(RecentCells, may_forget_a_cell_but_never_mistake_it) {
  RecentCells cells;
  cells.prepare(16);
  Stream random(3, 1);
  std::map<std::string, std::int32_t> meant;
  std::size_t known = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::string cell = std::to_string(random.below(i % 2 == 0 ? 8 : 500));
    const auto code = meant.emplace(cell, static_cast<std::int32_t>(meant.size())).first->second;
    const std::int32_t found = cells.find(key_of(cell));
    if (found == RecentCells::kUnknown) {
      cells.remember(key_of(cell), code);
    } else {
      ++known;
      ASSERT_EQ(found, code);
    }
  }
  EXPECT_GT(known, 1000U);
}

}  // namespace
}  // namespace gradus::io
