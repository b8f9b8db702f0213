#include "gradus/evaluate/folds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "gradus/core/error.hpp"

namespace gradus {
namespace {

Dataset table(std::size_t rows) {
  std::vector<double> x(rows);
  std::vector<double> time(rows);
  std::vector<std::int32_t> kind(rows);
  std::vector<std::int32_t> group(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    x[i] = static_cast<double>(i);
    time[i] = static_cast<double>((i * 7) % rows / 2);
    kind[i] = i % 5 == 0 ? 1 : 0;
    group[i] = static_cast<std::int32_t>(i % 7);
  }
  return Dataset({Column::numeric("x", x), Column::numeric("when", time),
                  Column::nominal("kind", kind, {"a", "b"}),
                  Column::nominal("who", group, {"0", "1", "2", "3", "4", "5", "6"})});
}

std::vector<std::size_t> sizes(const Folds& folds) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < folds.size(); ++i) out.push_back(folds.test(i).size());
  return out;
}

void expect_no_overlap(const Folds& folds) {
  for (std::size_t i = 0; i < folds.size(); ++i) {
    const std::vector<std::size_t> train = folds.train(i);
    const std::set<std::size_t> teaching(train.begin(), train.end());
    for (const std::size_t row : folds.test(i)) EXPECT_EQ(teaching.count(row), 0U);
    EXPECT_FALSE(train.empty());
    EXPECT_FALSE(folds.test(i).empty());
  }
}

// Texts are sorted by their letters: that must be the order of time.
TEST(Folds, dates_that_do_not_sort_as_time_are_refused) {
  const auto folds_by = [](const std::vector<std::string>& moments) {
    std::vector<std::int32_t> codes(moments.size());
    for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<std::int32_t>(i);
    const Dataset data({Column::nominal("when", codes, moments)});
    return make_folds(data, {.scheme = FoldScheme::time, .folds = 2, .column = "when"});
  };
  const Folds good = folds_by({"2024-02-01T00:30", "2023-12-31", "2024-01-31"});
  EXPECT_EQ(good.train(0), (std::vector<std::size_t>{1}));
  EXPECT_EQ(good.test(0), (std::vector<std::size_t>{2}));
  EXPECT_EQ(folds_by({"10:20", "09:59", "10:19"}).train(0), (std::vector<std::size_t>{1}));
  for (const std::vector<std::string>& bad :
       {std::vector<std::string>{"31/01/2023", "01/02/2024", "15/06/2022"},
        {"2024-1-5", "2024-10-2", "2024-02-11"},
        {"2024-01-02 10:00", "2024-01-02T11:00", "2024-01-03"},
        {"t1", "t10", "t2"}}) {
    try {
      folds_by(bad);
      ADD_FAILURE() << bad.front() << " was taken";
    } catch (const Error& error) {
      EXPECT_EQ(error.where(), "--time");
      EXPECT_NE(error.message().find("order of time"), std::string::npos) << error.what();
    }
  }
}

// The textbook's bookkeeping: ten rows in five parts.
TEST(Folds, ten_rows_in_five_parts) {
  const Folds folds = make_folds(table(10), {.folds = 5});
  EXPECT_EQ(sizes(folds), (std::vector<std::size_t>{2, 2, 2, 2, 2}));
  EXPECT_EQ(folds.train(0).size(), 8U);
  std::vector<std::size_t> shared;
  const auto a = folds.train(0);
  const auto b = folds.train(1);
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(shared));
  EXPECT_EQ(shared.size(), 6U);  // (K - 2) N / K
  EXPECT_TRUE(folds.each_row_once());
  expect_no_overlap(folds);
}

TEST(Folds, stratified_parts_have_the_classes_in_equal_shares) {
  const Dataset data = table(53);
  const Folds folds =
      make_folds(data, {.scheme = FoldScheme::stratified, .folds = 4, .column = "kind"});
  for (std::size_t i = 0; i < 4; ++i) {
    std::map<std::int32_t, int> counts;
    for (const std::size_t row : folds.test(i)) ++counts[data.column("kind").code(row)];
    EXPECT_NEAR(counts[1], 11 / 4.0, 1);
    EXPECT_NEAR(counts[0] + counts[1], 53 / 4.0, 1);
  }
  EXPECT_TRUE(folds.each_row_once());
}

TEST(Folds, a_group_is_never_split) {
  const Dataset data = table(50);
  const Folds folds = make_folds(data, {.scheme = FoldScheme::group, .folds = 3, .column = "who"});
  for (std::size_t i = 0; i < 3; ++i) {
    std::set<std::int32_t> tested;
    for (const std::size_t row : folds.test(i)) tested.insert(data.column("who").code(row));
    for (const std::size_t row : folds.train(i)) {
      EXPECT_EQ(tested.count(data.column("who").code(row)), 0U);
    }
  }
  EXPECT_TRUE(folds.each_row_once());
  EXPECT_THROW(make_folds(data, {.scheme = FoldScheme::group, .folds = 8, .column = "who"}), Error);
}

TEST(Folds, the_past_teaches_and_the_future_examines) {
  const Dataset data = table(40);
  const Folds folds = make_folds(data, {.scheme = FoldScheme::time, .folds = 4, .column = "when"});
  ASSERT_EQ(folds.size(), 4U);
  const Column& when = data.column("when");
  for (std::size_t i = 0; i < folds.size(); ++i) {
    double last = -1;
    for (const std::size_t row : folds.train(i)) last = std::max(last, when.number(row));
    for (const std::size_t row : folds.test(i)) EXPECT_GT(when.number(row), last);
  }
}

TEST(Folds, leave_one_out_examines_each_row_alone) {
  const Folds folds = make_folds(table(6), {.scheme = FoldScheme::leave_one_out});
  EXPECT_EQ(sizes(folds), std::vector<std::size_t>(6, 1));
  EXPECT_EQ(folds.train(2).size(), 5U);
  EXPECT_TRUE(folds.each_row_once());
}

TEST(Folds, five_times_two_halves_are_ten_pairs) {
  const Folds folds = make_folds(table(20), {.scheme = FoldScheme::five_by_two});
  ASSERT_EQ(folds.size(), 10U);
  for (std::size_t i = 0; i < 10; i += 2) {
    EXPECT_EQ(folds.train(i), folds.test(i + 1));
    EXPECT_EQ(folds.train(i + 1), folds.test(i));
  }
  EXPECT_NE(folds.test(0), folds.test(2));
}

// The textbook: a row stays out of a bootstrap sample of 1000 with probability 0.3677.
TEST(Folds, a_bootstrap_leaves_more_than_a_third_out) {
  const Folds folds = make_folds(table(1000), {.scheme = FoldScheme::bootstrap, .folds = 20});
  double out = 0;
  for (std::size_t i = 0; i < folds.size(); ++i) {
    EXPECT_EQ(folds.train(i).size(), 1000U);
    out += static_cast<double>(folds.test(i).size()) / 20;
  }
  EXPECT_NEAR(out, 367.6954248, 6);
  expect_no_overlap(folds);
}

TEST(Folds, repeats_and_seeds_give_other_folds_and_the_same_seed_the_same) {
  const Dataset data = table(30);
  const Folds twice = make_folds(data, {.folds = 3, .repeats = 2, .seed = 4});
  ASSERT_EQ(twice.size(), 6U);
  EXPECT_NE(twice.test(0), twice.test(3));
  EXPECT_EQ(twice.test(0), make_folds(data, {.folds = 3, .seed = 4}).test(0));
  EXPECT_NE(twice.test(0), make_folds(data, {.folds = 3, .seed = 5}).test(0));
}

TEST(Folds, a_file_of_folds_gives_them_back) {
  const Dataset data = table(25);
  for (const FoldScheme scheme : {FoldScheme::kfold, FoldScheme::bootstrap, FoldScheme::holdout}) {
    const Folds folds = make_folds(data, {.scheme = scheme, .folds = 3, .repeats = 2});
    const Value saved = parse_json(to_json(to_value(folds)));
    const Folds back = folds_from_value(saved, data, "folds.json");
    ASSERT_EQ(back.size(), folds.size());
    EXPECT_EQ(back.how.scheme, scheme);
    for (std::size_t i = 0; i < folds.size(); ++i) {
      EXPECT_EQ(back.train(i), folds.train(i));
      EXPECT_EQ(back.test(i), folds.test(i));
    }
  }
}

TEST(Folds, a_file_without_a_fingerprint_is_for_any_table_of_so_many_rows) {
  Folds folds = make_folds(table(8), {.folds = 2});
  folds.data_fingerprint.clear();
  const Dataset other = table(8).take(std::vector<std::size_t>{1, 0, 2, 3, 4, 5, 6, 7});
  const Folds back = folds_from_value(to_value(folds), other, "f");
  EXPECT_EQ(back.test(0), folds.test(0));
  EXPECT_EQ(back.data_fingerprint, other.fingerprint());
  EXPECT_THROW(folds_from_value(to_value(folds), table(9), "f"), Error);
}

TEST(Folds, a_file_for_other_data_or_with_lies_is_refused) {
  const Dataset data = table(8);
  const Value sound = to_value(make_folds(data, {.folds = 2}));
  EXPECT_THROW(folds_from_value(sound, table(9), "f"), Error);
  EXPECT_THROW(
      folds_from_value(sound, data.take(std::vector<std::size_t>{1, 0, 2, 3, 4, 5, 6, 7}), "f"),
      Error);
  EXPECT_THROW(folds_from_value(Value(3), data, "f"), Error);
  Value no_rows = sound;
  no_rows["rows"] = -1;
  EXPECT_THROW(folds_from_value(no_rows, "f"), Error);
  Value outside = sound;
  outside["folds"].as_array()[0]["test"].push_back(9);
  EXPECT_THROW(folds_from_value(outside, data, "f"), Error);
  Value leaking = sound;
  leaking["folds"].as_array()[0]["train"] = sound.at("folds").as_array()[0].at("test");
  EXPECT_THROW(folds_from_value(leaking, data, "f"), Error);
  Value all = sound;
  all["folds"].as_array()[0]["test"] = Value(std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_THROW(folds_from_value(all, data, "f"), Error);
}

TEST(Folds, too_many_parts_are_refused) {
  EXPECT_THROW(make_folds(table(4), {.folds = 5}), Error);
  EXPECT_THROW(make_folds(table(4), {.folds = 1}), Error);
  EXPECT_THROW(make_folds(table(1), {}), Error);
  EXPECT_THROW(make_folds(table(9), {.scheme = FoldScheme::time, .repeats = 2, .column = "when"}),
               Error);
}

TEST(Partition, shares_are_right_to_one_row_and_cover_all) {
  for (const FoldScheme scheme : {FoldScheme::kfold, FoldScheme::stratified, FoldScheme::time}) {
    const auto parts =
        partition_rows(table(101), {.shares = {6, 2, 2},
                                    .scheme = scheme,
                                    .column = scheme == FoldScheme::time ? "when" : "kind"});
    EXPECT_NEAR(static_cast<double>(parts[0].size()), 60.6, 2);
    EXPECT_NEAR(static_cast<double>(parts[1].size()), 20.2, 2);
    EXPECT_EQ(parts[0].size() + parts[1].size() + parts[2].size(), 101U);
    std::set<std::size_t> seen;
    for (const auto& part : parts) seen.insert(part.begin(), part.end());
    EXPECT_EQ(seen.size(), 101U);
  }
}

TEST(Partition, groups_and_classes_are_kept) {
  const Dataset data = table(100);
  const auto groups =
      partition_rows(data, {.shares = {0.5, 0.5}, .scheme = FoldScheme::group, .column = "who"});
  std::set<std::int32_t> first;
  for (const std::size_t row : groups[0]) first.insert(data.column("who").code(row));
  for (const std::size_t row : groups[1]) EXPECT_EQ(first.count(data.column("who").code(row)), 0U);
  const auto classes = partition_rows(
      data, {.shares = {0.75, 0.25}, .scheme = FoldScheme::stratified, .column = "kind"});
  std::size_t rare = 0;
  for (const std::size_t row : classes[1]) rare += data.column("kind").code(row) == 1 ? 1 : 0;
  EXPECT_EQ(rare, 5U);
  EXPECT_EQ(classes[1].size(), 25U);
}

TEST(Partition, impossible_shares_are_refused) {
  EXPECT_THROW(partition_rows(table(10), {.shares = {1}}), Error);
  EXPECT_THROW(partition_rows(table(10), {.shares = {1, 0}}), Error);
  EXPECT_THROW(partition_rows(table(10), {.shares = {0.5, 0.6}}), Error);
  EXPECT_THROW(partition_rows(table(10), {.shares = {0.5, 0.3}}), Error);
  EXPECT_NO_THROW(partition_rows(table(10), {.shares = {0.33, 0.33, 0.33}}));
  EXPECT_THROW(partition_rows(table(2), {.shares = {0.9, 0.05, 0.05}}), Error);
}

TEST(Folds, inner_folds_split_as_the_outer_ones_do) {
  const FoldOptions group =
      inner_folds({.scheme = FoldScheme::group, .folds = 10, .repeats = 3, .column = "who"}, 4);
  EXPECT_EQ(group.scheme, FoldScheme::group);
  EXPECT_EQ(group.column, "who");
  EXPECT_EQ(group.folds, 4U);
  EXPECT_EQ(group.repeats, 1U);
  EXPECT_EQ(inner_folds({.scheme = FoldScheme::leave_one_out}, 3).scheme, FoldScheme::kfold);
  EXPECT_EQ(inner_folds({.scheme = FoldScheme::bootstrap}, 3).scheme, FoldScheme::kfold);
  EXPECT_EQ(inner_folds({.scheme = FoldScheme::five_by_two, .column = "y"}, 3).scheme,
            FoldScheme::stratified);
}

TEST(Folds, a_class_smaller_than_the_stratified_folds_is_named) {
  const Dataset data({Column::nominal("y", {0, 0, 0, 0, 1, 1, 2, 2, 2}, {"a", "b", "c", "never"})});
  FoldOptions how{.scheme = FoldScheme::stratified, .folds = 3, .column = "y"};
  const auto small = class_below_folds(data, how);
  ASSERT_TRUE(small.has_value());
  EXPECT_EQ(small->name, "b");
  EXPECT_EQ(small->rows, 2U);
  how.folds = 2;
  EXPECT_FALSE(class_below_folds(data, how).has_value());
  how = {.scheme = FoldScheme::kfold, .folds = 9};
  EXPECT_FALSE(class_below_folds(data, how).has_value());
}

}  // namespace
}  // namespace gradus
