#include "gradus/evaluate/doctor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"

namespace gradus {
namespace {

using Numbers = std::vector<double>;
using Codes = std::vector<std::int32_t>;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Numbers noise(std::size_t rows, std::uint64_t item, double mean = 0) {
  Stream stream(11, item);
  Numbers out(rows);
  for (double& x : out) x = mean + stream.normal();
  return out;
}

Codes random_codes(std::size_t rows, std::uint64_t item, std::uint64_t levels) {
  Stream stream(12, item);
  Codes out(rows);
  for (std::int32_t& code : out) code = static_cast<std::int32_t>(stream.below(levels));
  return out;
}

// 200 rows that nobody could object to.
Dataset clean(std::size_t rows = 200, std::uint64_t item = 0) {
  return Dataset(
      {Column::numeric("height", noise(rows, item + 1, 170)),
       Column::numeric("mass", noise(rows, item + 2, 70)),
       Column::nominal("color", random_codes(rows, item + 3, 3), {"blue", "green", "red"}),
       Column::nominal("kind", random_codes(rows, item + 4, 2), {"a", "b"})});
}

Findings about(const Findings& findings, std::string_view topic) {
  Findings out;
  for (const Finding& finding : findings) {
    if (finding.topic == topic) out.push_back(finding);
  }
  return out;
}

// The one finding on a topic.
Finding only(const Findings& findings, std::string_view topic) {
  const Findings found = about(findings, topic);
  EXPECT_EQ(found.size(), 1U) << topic;
  return found.empty() ? Finding{} : found.front();
}

TEST(Doctor, is_silent_about_a_sound_table) {
  const Dataset data = clean();
  const Dataset test = clean(200, 100);
  const Findings findings = examine(data, {.target = "kind", .other = &test});
  EXPECT_EQ(to_json(to_value(findings)), "[]");
  EXPECT_EQ(to_json(to_value(examine(data, {.target = "mass"}))), "[]");
}

TEST(Doctor, says_what_columns_were_read_as_and_why) {
  ReadReport report;
  report.columns.push_back({"height", ColumnKind::numeric, "all 200 values are numbers", 0, 0});
  const Finding finding = only(examine(clean(), {.report = &report}), "type");
  EXPECT_EQ(finding.column, "height");
  EXPECT_EQ(finding.severity, Severity::note);
  EXPECT_EQ(finding.text, "read as numeric: all 200 values are numbers");
}

TEST(Doctor, counts_missing_cells_by_how_bad_they_are) {
  Numbers some = noise(200, 5);
  some[3] = some[7] = kNan;
  Numbers most(200, kNan);
  std::fill_n(most.begin(), 50, 1.5);
  most[0] = 2;
  const Dataset data = clean()
                           .with_column(Column::numeric("some", some))
                           .with_column(Column::numeric("most", most))
                           .with_column(Column::numeric("none", Numbers(200, kNan)));
  const Findings found = about(examine(data), "missing");
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].severity, Severity::note);
  EXPECT_EQ(found[0].numbers.at("missing").as_integer(), 2);
  EXPECT_EQ(found[0].text, "2 cells are missing (1 %)");
  EXPECT_EQ(found[1].severity, Severity::warning);
  EXPECT_EQ(found[2].severity, Severity::warning) << "learners go on without it";
}

TEST(Doctor, a_missing_target_is_a_problem) {
  Codes codes = random_codes(200, 4, 2);
  codes[9] = kMissingCode;
  const Dataset data = clean().with_column(Column::nominal("kind", codes, {"a", "b"}));
  const Finding finding = only(examine(data, {.target = "kind"}), "missing");
  EXPECT_EQ(finding.severity, Severity::problem);
}

TEST(Doctor, finds_constant_and_nearly_constant_columns) {
  Numbers nearly(200, 7);
  nearly[17] = 8;
  const Dataset data = clean()
                           .with_column(Column::numeric("same", Numbers(200, 3.5)))
                           .with_column(Column::numeric("nearly", nearly));
  const Findings findings = examine(data);
  const Finding constant = only(findings, "constant");
  EXPECT_EQ(constant.column, "same");
  EXPECT_EQ(constant.severity, Severity::warning);
  const Finding near = only(findings, "near_constant");
  EXPECT_EQ(near.column, "nearly");
  EXPECT_DOUBLE_EQ(near.numbers.at("share").as_number(), 0.995);
}

TEST(Doctor, finds_columns_that_repeat_another) {
  const Dataset data = clean().with_column(Column::numeric("copy", noise(200, 1, 170)));
  const Finding finding = only(examine(data), "duplicate_columns");
  EXPECT_EQ(finding.column, "copy");
  EXPECT_EQ(finding.numbers.at("same_as").as_string(), "height");
}

TEST(Doctor, finds_rows_that_repeat_another) {
  std::vector<std::size_t> rows(200);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i < 197 ? i : 5;
  const Finding few = only(examine(clean().take(rows)), "duplicate_rows");
  EXPECT_EQ(few.numbers.at("count").as_integer(), 3);
  EXPECT_EQ(few.numbers.at("first_row").as_integer(), 198);
  EXPECT_EQ(few.severity, Severity::note);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i / 2;
  EXPECT_EQ(only(examine(clean().take(rows)), "duplicate_rows").severity, Severity::warning);
}

TEST(Doctor, finds_identifiers_as_growing_numbers_and_as_texts) {
  Numbers growing(200);
  TextBlock names;
  for (std::size_t row = 0; row < 200; ++row) {
    growing[row] = static_cast<double>(1000 + 3 * row);
    names.push_back("person " + std::to_string(row));
  }
  const Dataset data =
      clean().with_column(Column::numeric("id", growing)).with_column(Column::text("name", names));
  const Findings found = about(examine(data), "identifier");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].column, "id");
  EXPECT_EQ(found[1].column, "name");
  // A growing measurement is none, nor are whole numbers in any order.
  for (double& x : growing) x += 0.5;
  EXPECT_TRUE(
      about(examine(clean().with_column(Column::numeric("t", growing))), "identifier").empty());
}

TEST(Doctor, a_row_that_stands_twice_hides_no_identifier) {
  std::vector<std::size_t> rows(201);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i < 200 ? i : 17;
  Numbers growing(200);
  TextBlock names;
  for (std::size_t row = 0; row < 200; ++row) {
    growing[row] = static_cast<double>(row);
    names.push_back("person " + std::to_string(row));
  }
  const Dataset data =
      clean().with_column(Column::numeric("id", growing)).with_column(Column::text("name", names));
  const Findings found = about(examine(data.take(rows)), "identifier");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].column, "id");
  EXPECT_EQ(found[1].text,
            "200 of 201 rows have a text of their own: it looks like an identifier; leave it out");
}

TEST(Doctor, a_text_that_many_rows_share_is_no_identifier) {
  std::vector<std::optional<std::string>> texts;
  for (int i = 0; i < 30; ++i) texts.emplace_back("t" + std::to_string(i));
  EXPECT_TRUE(looks_like_identifier(categorical_from_texts("id", texts)));
  texts[7] = texts[8];
  EXPECT_TRUE(looks_like_identifier(categorical_from_texts("id", texts))) << "one repeats";
  texts[9] = texts[8];
  EXPECT_FALSE(looks_like_identifier(categorical_from_texts("id", texts)));
  texts.resize(5);
  EXPECT_FALSE(looks_like_identifier(categorical_from_texts("id", texts))) << "too few to tell";
}

// Four rows: feature 1 differs, 2 is 0, 3 is 4, 4 repeats 1, 5 is a stored 0.
Dataset sparse_table(const std::vector<double>& labels) {
  CsrArrays arrays;
  arrays.cols = 5;
  for (const double x : {2.0, 3.0, 2.0, 2.0}) {
    arrays.add(0, x);
    arrays.add(2, 4);
    arrays.add(3, x);
    arrays.add(4, 0);
    arrays.end_row();
  }
  SparseBlock block;
  block.matrix = std::make_shared<const CsrMatrix>(std::move(arrays));
  return Dataset({Column::numeric("label", labels)}).with_sparse(block);
}

TEST(Doctor, finds_sparse_features_that_cannot_help) {
  const Findings findings = examine(sparse_table({1, 2, 3, 4}));
  const Findings constant = about(findings, "constant");
  ASSERT_EQ(constant.size(), 2U);
  EXPECT_EQ(constant[0].text, "2 of 5 sparse features are 0 in every row, such as \"f2\"");
  EXPECT_EQ(constant[1].numbers.at("example").as_string(), "f3");
  EXPECT_EQ(only(findings, "duplicate_columns").numbers.at("example").as_string(), "f4");
  EXPECT_EQ(only(findings, "sparse").severity, Severity::note);
  EXPECT_TRUE(about(findings, "duplicate_rows").empty());
}

TEST(Doctor, sparse_rows_are_copies_when_their_features_are_too) {
  EXPECT_EQ(only(examine(sparse_table({1, 1, 1, 2})), "duplicate_rows").numbers.at("count"),
            Value(1));
  const Dataset test = sparse_table({2, 2, 9, 9});
  const Finding shared = only(examine(sparse_table({1, 1, 1, 2}), {.other = &test}), "shared_rows");
  EXPECT_EQ(shared.numbers.at("count"), Value(1));
}

TEST(Doctor, counts_the_different_values_of_any_column) {
  EXPECT_EQ(distinct_values(Column::numeric("x", Numbers{1, 2, kNan, 1, -0.0, 0.0})), 3U);
  EXPECT_EQ(distinct_values(Column::nominal("c", {0, 1, 1, kMissingCode}, {"a", "b", "c"})), 2U);
}

TEST(Doctor, counts_outliers_with_a_robust_scale) {
  Numbers values = noise(200, 6);
  values[0] = 1e6;
  values[1] = -50;
  const Finding finding =
      only(examine(clean().with_column(Column::numeric("v", values))), "outliers");
  EXPECT_EQ(finding.numbers.at("count").as_integer(), 2);
  EXPECT_EQ(finding.numbers.at("farthest").as_number(), 1e6);
}

TEST(Doctor, an_infinite_cell_is_a_problem) {
  Numbers values = noise(200, 6);
  values[8] = std::numeric_limits<double>::infinity();
  const Finding finding =
      only(examine(clean().with_column(Column::numeric("v", values))), "infinite");
  EXPECT_EQ(finding.severity, Severity::problem);
}

TEST(Doctor, speaks_up_about_unbalanced_and_tiny_classes) {
  Codes codes(200, 0);
  std::fill_n(codes.begin(), 3, 1);
  const Dataset data = clean().with_column(Column::nominal("kind", codes, {"no", "yes"}));
  const Findings found = about(examine(data, {.target = "kind"}), "class_balance");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_DOUBLE_EQ(found[0].numbers.at("share").as_number(), 197.0 / 200);
  EXPECT_EQ(found[1].text, "fewer than 5 rows have the class \"yes\"");
  const Dataset one = clean().with_column(Column::nominal("kind", Codes(200, 0), {"no", "yes"}));
  EXPECT_EQ(only(examine(one, {.target = "kind"}), "target").severity, Severity::problem);
  const Dataset flat = clean().with_column(Column::numeric("y", Numbers(200, 1)));
  EXPECT_EQ(only(examine(flat, {.target = "y"}), "target").severity, Severity::problem);
}

TEST(Doctor, finds_a_category_that_tells_the_class) {
  Codes kinds = random_codes(200, 4, 2);
  Codes told = kinds;
  for (std::size_t i = 0; i < 100; ++i) told[i] += told[i] == 0 ? 2 : 0;  // two levels for class a
  const Dataset data = clean().with_column(Column::nominal("told", told, {"x", "y", "z"}));
  EXPECT_EQ(only(examine(data, {.target = "kind"}), "leak").column, "told");
  for (std::size_t i = 0; i < 200; i += 10) told[i] = 1 - std::min(told[i], 1);
  const Dataset weak = clean().with_column(Column::nominal("told", told, {"x", "y", "z"}));
  EXPECT_TRUE(about(examine(weak, {.target = "kind"}), "leak").empty());
}

TEST(Doctor, finds_a_threshold_that_tells_the_class) {
  const Codes kinds = random_codes(200, 4, 2);
  Numbers told = noise(200, 9);
  for (std::size_t i = 0; i < 200; ++i) told[i] += kinds[i] == 0 ? 0 : 20;
  const Dataset data = clean().with_column(Column::numeric("told", told));
  const Finding finding = only(examine(data, {.target = "kind"}), "leak");
  EXPECT_EQ(finding.column, "told");
  EXPECT_NEAR(finding.numbers.at("thresholds").as_array()[0].as_number(), 10, 2);
}

TEST(Doctor, finds_what_correlates_perfectly_with_a_number) {
  Numbers told = noise(200, 2, 70);
  for (double& x : told) x = 3 - 2.2 * x;
  Codes level = random_codes(200, 3, 3);
  Numbers by_level(200);
  for (std::size_t i = 0; i < 200; ++i) by_level[i] = 5.0 * level[i];
  const Dataset data = clean().with_column(Column::numeric("pounds", told));
  const Finding finding = only(examine(data, {.target = "mass"}), "leak");
  EXPECT_EQ(finding.column, "pounds");
  EXPECT_NEAR(finding.numbers.at("correlation").as_number(), 1, 1e-12);
  const Dataset priced = clean().with_column(Column::numeric("price", by_level));
  EXPECT_EQ(only(examine(priced, {.target = "price"}), "leak").column, "color");
}

TEST(Doctor, compares_the_columns_of_two_tables) {
  const Dataset train = clean();
  const Dataset test = clean(200, 100)
                           .without("height")
                           .without("kind")
                           .with_column(Column::numeric("more", noise(200, 8)))
                           .with_column(Column::nominal("mass", Codes(200, 0), {"heavy"}));
  const Findings findings = examine(train, {.target = "kind", .other = &test});
  const Findings absent = about(findings, "missing_columns");
  ASSERT_EQ(absent.size(), 2U);
  EXPECT_EQ(absent[0].column, "height");
  EXPECT_EQ(absent[0].severity, Severity::problem);
  EXPECT_EQ(absent[1].column, "kind");
  EXPECT_EQ(absent[1].severity, Severity::note);
  EXPECT_EQ(only(findings, "extra_columns").column, "more");
  EXPECT_EQ(only(findings, "kind").column, "mass");
}

TEST(Doctor, counts_the_rows_beyond_the_range_of_the_first_table) {
  Numbers hundred(100);
  for (std::size_t i = 0; i < hundred.size(); ++i) hundred[i] = static_cast<double>(i);
  const Dataset train({Column::numeric("x", hundred), Column::numeric("z", hundred)});
  const Dataset test({Column::numeric("x", Numbers{-1, 100, 1e9, kNan, 50}),
                      Column::numeric("z", Numbers{-1, 2, 3, 4, 5})});
  const Finding beyond = only(examine(train, {.other = &test}), "beyond_range");
  EXPECT_EQ(beyond.column, "x");
  EXPECT_EQ(beyond.severity, Severity::note);
  EXPECT_EQ(beyond.numbers.at("rows").as_integer(), 3);
  EXPECT_EQ(beyond.numbers.at("high").as_number(), 99);
}

TEST(Doctor, finds_what_the_other_table_has_and_this_one_lacks) {
  Codes colors = random_codes(200, 103, 3);
  colors[0] = colors[1] = 3;
  Numbers mass = noise(200, 102, 71);
  mass[5] = kNan;
  const Dataset test =
      clean(200, 100)
          .with_column(Column::nominal("color", colors, {"blue", "green", "red", "violet"}))
          .with_column(Column::numeric("mass", mass));
  const Dataset train = clean();
  const Findings findings = examine(train, {.other = &test});
  const Finding unseen = only(findings, "unseen_categories");
  EXPECT_EQ(unseen.numbers.at("rows").as_integer(), 2);
  EXPECT_EQ(unseen.numbers.at("example").as_string(), "violet");
  const Finding shift = only(findings, "shift");
  EXPECT_EQ(shift.column, "mass");
  EXPECT_NEAR(shift.numbers.at("deviations").as_number(), 1, 0.3);
  EXPECT_EQ(only(findings, "missing_in_other").column, "mass");
}

TEST(Doctor, finds_test_rows_that_stand_in_the_training_table) {
  const std::size_t some[] = {3, 4, 5};
  const Dataset train = clean();
  const Dataset test = train.take(some);
  const Finding finding = only(examine(train, {.other = &test}), "shared_rows");
  EXPECT_EQ(finding.numbers.at("count").as_integer(), 3);
  EXPECT_EQ(finding.numbers.at("share").as_number(), 1.0);
}

TEST(Doctor, an_empty_table_is_a_problem_and_an_unknown_target_an_error) {
  EXPECT_EQ(only(examine(clean().take({})), "rows").severity, Severity::problem);
  EXPECT_THROW(examine(clean(), {.target = "nothing"}), Error);
}

TEST(Doctor, a_finding_as_json_has_every_part) {
  const Dataset data = clean().with_column(Column::numeric("same", Numbers(200, 3.5)));
  EXPECT_EQ(to_json(to_value(only(examine(data), "constant"))),
            R"({"severity":"warning","topic":"constant","column":"same","text":"the only value is )"
            R"(\"3.5\": it cannot help to tell rows apart","numbers":{"value":"3.5"}})");
}

}  // namespace
}  // namespace gradus
