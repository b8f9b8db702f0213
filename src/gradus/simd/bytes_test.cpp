#include "gradus/simd/bytes.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gradus/core/random.hpp"
#include "gradus/simd/targets.hpp"

namespace gradus::simd {
namespace {

class ByteKernels : public testing::TestWithParam<std::string> {
 protected:
  OnlyTarget only_{GetParam()};
};

std::string random_text(Stream& random, std::string_view bytes, std::size_t size) {
  std::string text;
  for (std::size_t i = 0; i < size; ++i) text += bytes[random.below(bytes.size())];
  return text;
}

struct Marks {
  explicit Marks(std::size_t size) : cells(size + 64), rows(size + 1) {
    view.cell_ends = cells.data();
    view.row_ends = rows.data();
  }
  void cut() {
    cells.resize(view.cells);
    rows.resize(view.rows);
  }
  std::vector<std::uint32_t> cells, rows;
  CellMarks view;
};

TEST_P(ByteKernels, a_survey_equals_the_plain_twin) {
  Stream random(3, 1);
  using namespace std::string_view_literals;
  for (const std::string_view bytes :
       {"abc,\n"sv, "abc\r\n"sv, "a\"b"sv, "a\0b"sv, "a\xC3\xBC"sv}) {
    for (std::size_t size = 0; size < 300; ++size) {
      const std::string text = random_text(random, bytes, size);
      ASSERT_EQ(survey_bytes(text), scalar::survey_bytes(text)) << text;
    }
  }
}

TEST_P(ByteKernels, one_byte_is_found_wherever_it_stands) {
  for (std::size_t at = 0; at < 130; ++at) {
    std::string text(130, 'x');
    text[at] = '\0';
    EXPECT_TRUE(survey_bytes(text).nul);
    text[at] = '\x80';
    EXPECT_TRUE(survey_bytes(text).high);
    text[at] = '\n';
    EXPECT_EQ(survey_bytes(text), (ByteSurvey{.newlines = 1}));
  }
}

TEST_P(ByteKernels, marks_equal_the_plain_twin) {
  Stream random(3, 2);
  for (const std::string_view bytes : {"12345678,\n", ",\n", "abc,\"\n", "ab,\"\"\"\n"}) {
    for (const char delimiter : {',', 'b', ' '}) {
      for (std::size_t size = 0; size < 300; ++size) {
        const std::string text = random_text(random, bytes, size);
        Marks fast(size), plain(size);
        mark_cells(text, delimiter, fast.view);
        scalar::mark_cells(text, delimiter, plain.view);
        fast.cut();
        plain.cut();
        ASSERT_EQ(fast.cells, plain.cells) << text;
        ASSERT_EQ(fast.rows, plain.rows) << text;
        ASSERT_EQ(fast.view.odd_quote, plain.view.odd_quote) << text;
      }
    }
  }
}

TEST_P(ByteKernels, separators_in_quotes_are_no_marks) {
  const std::string text = "a,\"b,\nc\",\"d\"\"e\"\n1,2,3\n";
  Marks marks(text.size());
  mark_cells(text, ',', marks.view);
  marks.cut();
  EXPECT_EQ(marks.cells, (std::vector<std::uint32_t>{1, 8, 15, 17, 19, 21}));
  EXPECT_EQ(marks.rows, (std::vector<std::uint32_t>{2, 5}));
  EXPECT_FALSE(marks.view.odd_quote);
}

TEST_P(ByteKernels, a_quote_inside_a_cell_is_odd) {
  const std::string text = "5\" pipe,1\n\"a\",2\n";
  Marks marks(text.size());
  mark_cells(text, ',', marks.view);
  EXPECT_TRUE(marks.view.odd_quote);
}

INSTANTIATE_TEST_SUITE_P(EveryTarget, ByteKernels, testing::ValuesIn(target_names()),
                         [](const auto& name) { return name.param; });

}  // namespace
}  // namespace gradus::simd
