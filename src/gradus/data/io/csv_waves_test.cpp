// A file read wave by wave must give the table that it gives as a whole, or nothing.
#include "gradus/data/io/csv_waves.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <functional>
#include <string>

#include "gradus/core/error.hpp"
#include "gradus/data/io/csv.hpp"
#include "support/temporary_directory.hpp"

namespace gradus {
namespace {

constexpr io::WaveSizes kTiny{.smallest_file = 0, .wave = 1024, .chunk = 100};
constexpr std::size_t kRows = 500;

std::string table_text(const std::function<std::string(std::size_t)>& row) {
  std::string text = "a,b,c\n";
  for (std::size_t i = 0; i < kRows; ++i) text += row(i) + "\n";
  return text;
}

std::string plain_row(std::size_t i) {
  return fmt::format("{},{}.25,level {}", i, i % 7, i * i % 11);
}

std::string described(const Dataset& data, const ReadReport& report) {
  std::string all = data.fingerprint() + "\n" + report.format;
  for (const auto& column : report.columns) {
    all += fmt::format("\n{}: {} {} missing", column.name, column.why, column.missing);
  }
  for (const auto& warning : report.warnings) all += "\n" + warning;
  return all;
}

class CsvWaves : public testing::Test {
 protected:
  // The table in waves and as a whole, in words; the first is empty when the waves gave up.
  struct Both {
    std::string waves;
    std::string whole;
  };
  Both read(const std::string& text, const ReadOptions& options = {}) const {
    const std::string path = folder_.file("t.csv", text);
    ReadReport report;
    report.format = "untouched";
    const auto waves = io::read_csv_in_waves(path, options, report, {.threads = 2}, kTiny);
    EXPECT_EQ(waves.has_value(), report.format != "untouched");
    Both out;
    if (waves) out.waves = described(*waves, report);
    try {
      ReadReport whole_report;
      const Dataset whole = io::parse_csv({text, path}, options, whole_report, {.threads = 2});
      out.whole = described(whole, whole_report);
    } catch (const Error& error) {
      out.whole = error.what();
    }
    return out;
  }

  TemporaryDirectory folder_;
};

TEST_F(CsvWaves, give_the_table_of_the_whole_text) {
  const std::string plain = table_text(plain_row);
  const std::string quoted = table_text([](std::size_t i) {
    return i % 9 == 0 ? fmt::format("{},,\"say \"\"{}\"\", please\"", i, i % 4) : plain_row(i);
  });
  const std::string windows = table_text([](std::size_t i) { return plain_row(i) + "\r"; });
  const std::string blank =
      table_text([](std::size_t i) { return i % 50 == 3 ? "\n" + plain_row(i) : plain_row(i); });
  const std::string accents =
      table_text([](std::size_t i) { return fmt::format("{},{},élève {}", i, i, i % 5); });
  const std::string open_end = plain.substr(0, plain.size() - 1);
  const std::string marked = "\xEF\xBB\xBF" + plain;
  for (const std::string& text : {plain, quoted, windows, blank, accents, open_end, marked}) {
    const Both both = read(text);
    EXPECT_EQ(both.waves, both.whole);
    EXPECT_FALSE(both.waves.empty());
  }
}

TEST_F(CsvWaves, follow_the_options_of_the_user) {
  std::string text = table_text(plain_row);
  for (char& c : text) c = c == ',' ? ';' : c == '.' ? ',' : c;
  ReadOptions options;
  options.delimiter = ';';
  options.decimal = ',';
  options.nominal = {"a"};
  const Both both = read(text, options);
  EXPECT_EQ(both.waves, both.whole);
  EXPECT_FALSE(both.waves.empty());
}

TEST_F(CsvWaves, give_up_where_the_text_has_to_be_looked_at_again) {
  const auto with = [](const std::string& odd) {
    return table_text([&](std::size_t i) { return i == kRows - 5 ? odd : plain_row(i); });
  };
  EXPECT_EQ(read(with("word,1,level 1")).waves, "");                 // no number after all
  EXPECT_EQ(read(with("1,2")).waves, "");                            // a row that is too short
  EXPECT_EQ(read(with("1,2,\"never closed")).waves, "");             //
  EXPECT_EQ(read(with("1,2,\xFF")).waves, "");                       // no UTF-8
  EXPECT_EQ(read(with("9007199254740993,2,level 1")).waves, "");     // a warning with its line
  EXPECT_EQ(read(with("1,2," + std::string(2000, 'x'))).waves, "");  // longer than a wave
  EXPECT_EQ(read(with("1,2,\"" + std::string(990, '\n') + "\"")).waves, "");  // cut inside quotes
  EXPECT_EQ(read("a\n" + std::string(40, '5') + "\n" + std::string(3000, '\n')).waves, "");
}

TEST_F(CsvWaves, give_up_on_small_packed_and_odd_files_and_on_unusual_wishes) {
  const std::string text = table_text(plain_row);
  const std::string path = folder_.file("t.csv", text);
  ReadReport report;
  const auto gives_up = [&](const std::string& name, const ReadOptions& options,
                            const io::WaveSizes& sizes) {
    return !io::read_csv_in_waves(name, options, report, {}, sizes).has_value();
  };
  EXPECT_FALSE(gives_up(path, {}, kTiny));
  EXPECT_TRUE(gives_up(path, {}, {}));
  EXPECT_TRUE(gives_up("-", {}, kTiny));
  EXPECT_TRUE(gives_up(folder_.path("nothing.csv"), {}, kTiny));
  EXPECT_TRUE(gives_up(folder_.path(), {}, kTiny));
  EXPECT_TRUE(gives_up(folder_.file("z.csv.gz", "\x1f\x8b\b" + text), {}, kTiny));
  ReadOptions comments;
  comments.comment = '#';
  EXPECT_TRUE(gives_up(path, comments, kTiny));
  ReadOptions small;
  small.max_bytes = 10;
  EXPECT_TRUE(gives_up(path, small, kTiny));
}

}  // namespace
}  // namespace gradus
