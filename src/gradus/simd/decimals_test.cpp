#include "gradus/simd/decimals.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <string>
#include <vector>

#include "gradus/core/number.hpp"
#include "gradus/core/random.hpp"
#include "gradus/simd/targets.hpp"

namespace gradus::simd {
namespace {

// Cells one after the other, with bytes around them that could be taken for digits.
struct Text {
  explicit Text(const std::vector<std::string>& cells, const std::string& end = ",") {
    text.assign(kDecimalBytes, '7');
    marks.push_back(0xFFFFFFFF);
    for (const std::string& cell : cells) {
      text += cell;
      marks.push_back(static_cast<std::uint32_t>(text.size() - kDecimalBytes + end.size() - 1));
      text += end;
    }
  }
  DecimalCells cells(bool before_newline = false) const {
    return {text.data() + kDecimalBytes, marks.data(), 1, marks.size() - 1, before_newline};
  }
  std::string text;
  std::vector<std::uint32_t> marks;
};

struct Reading {
  explicit Reading(const DecimalCells& cells) : numbers(cells.count), others(cells.count) {
    others.resize(read_decimals(cells, numbers.data(), others.data()));
  }
  std::vector<double> numbers;
  std::vector<std::uint32_t> others;
};

class DecimalKernels : public testing::TestWithParam<std::string> {
 protected:
  OnlyTarget only_{GetParam()};
};

std::string random_digits(Stream& random, std::size_t count) {
  std::string digits;
  for (std::size_t i = 0; i < count; ++i) digits += static_cast<char>('0' + random.below(10));
  return digits;
}

TEST_P(DecimalKernels, up_to_15_digits_with_or_without_a_point_are_rounded_correctly) {
  Stream random(11, 1);
  std::vector<std::string> texts;
  for (std::size_t digits = 1; digits <= 15; ++digits) {
    for (std::size_t whole = 0; whole <= digits; ++whole) {
      for (int sample = 0; sample < 20; ++sample) {
        const std::string sign = sample % 2 == 0 ? "" : "-";
        texts.push_back(sign + random_digits(random, whole) + "." +
                        random_digits(random, digits - whole));
      }
    }
    texts.push_back(random_digits(random, digits));
    texts.push_back("-" + std::string(digits, '0'));
    texts.push_back(std::string(digits, '9'));
  }
  const Text text(texts);
  const Reading reading(text.cells());
  EXPECT_TRUE(reading.others.empty());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    ASSERT_EQ(std::bit_cast<std::uint64_t>(reading.numbers[i]),
              std::bit_cast<std::uint64_t>(parse_number(texts[i]).value()))
        << texts[i];
  }
}

TEST_P(DecimalKernels, what_is_no_short_decimal_is_left_to_the_caller) {
  const std::vector<std::string> texts = {"",
                                          "-",
                                          ".",
                                          "-.",
                                          "--1",
                                          "+1",
                                          "1.2.3",
                                          "1e5",
                                          "nan",
                                          "NA",
                                          " 1",
                                          "1 ",
                                          "0x1",
                                          "1,5",
                                          "\"1\"",
                                          "1-",
                                          "1..",
                                          "..",
                                          "5:",
                                          "5/",
                                          "\xB9",
                                          "1\xB9",
                                          "1234567890123456",
                                          "0.1234567890123456",
                                          "1e-10",
                                          "-inf",
                                          "1.5e3",
                                          "-1-1",
                                          "12a4",
                                          "a",
                                          "99999999999999999999999"};
  const Text text(texts, ";");
  const Reading reading(text.cells());
  ASSERT_EQ(reading.others.size(), texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(reading.others[i], i);
}

TEST_P(DecimalKernels, random_cells_are_read_as_by_the_plain_twin) {
  Stream random(11, 2);
  constexpr std::string_view kBytes = "0123456789.-e \r";
  for (int round = 0; round < 300; ++round) {
    std::vector<std::string> texts;
    for (int i = 0; i < 50; ++i) {
      std::string cell = random.below(4) == 0 ? "-" : "";
      const std::size_t size = random.below(20);
      const std::size_t usual = random.below(3) == 0 ? kBytes.size() : 11;
      while (cell.size() < size) cell += kBytes[random.below(usual)];
      texts.push_back(cell);
    }
    for (const bool before_newline : {false, true}) {
      const Text text(texts, "\n");
      const DecimalCells cells = text.cells(before_newline);
      const Reading reading(cells);
      std::vector<double> numbers(cells.count);
      std::vector<std::uint32_t> others(cells.count);
      others.resize(scalar::read_decimals(cells, numbers.data(), others.data()));
      ASSERT_EQ(reading.others, others);
      for (const std::uint32_t other : others) numbers[other] = reading.numbers[other];
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        ASSERT_EQ(std::bit_cast<std::uint64_t>(reading.numbers[i]),
                  std::bit_cast<std::uint64_t>(numbers[i]))
            << texts[i];
      }
    }
  }
}

TEST_P(DecimalKernels, a_cr_before_the_end_of_the_row_is_no_part_of_the_number) {
  const Text text({"1.5\r", "-2\r", "\r", "7"}, "\n");
  const Reading reading(text.cells(true));
  EXPECT_EQ(reading.others, std::vector<std::uint32_t>{2});
  EXPECT_EQ(reading.numbers[0], 1.5);
  EXPECT_EQ(reading.numbers[1], -2);
  EXPECT_EQ(reading.numbers[3], 7);
}

INSTANTIATE_TEST_SUITE_P(EveryTarget, DecimalKernels, testing::ValuesIn(target_names()),
                         [](const auto& name) { return name.param; });

}  // namespace
}  // namespace gradus::simd
