#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <optional>

#include "gradus/core/archive_impl.hpp"
#include "gradus/core/error.hpp"

namespace gradus {
namespace {

enum class Shade { light, dark };
constexpr std::array<std::string_view, 2> enum_names(Shade) { return {"light", "dark"}; }

struct Leaf {
  double weight = 0;
  std::vector<float> path;
  static constexpr auto describe() {
    return Members{field(&Leaf::weight, 1, "weight"), field(&Leaf::path, 4, "path")};
  }
};

struct Plant {
  std::string name;
  bool green = false;
  Shade shade = Shade::light;
  std::int64_t age = 0;
  std::optional<double> height;
  std::vector<std::string> words;
  std::vector<Leaf> leaves;
  std::vector<std::int32_t> codes;
  template <class P = Plant>
  static constexpr auto describe() {
    return Members{field(&P::name, 1, "name"),     field(&P::green, 2, "green"),
                   field(&P::shade, 3, "shade"),   field(&P::age, 4, "age"),
                   field(&P::height, 5, "height"), field(&P::words, 6, "words"),
                   field(&P::leaves, 7, "leaves"), field(&P::codes, 8, "codes")};
  }
};

Plant sample() {
  return {"fern", true, Shade::dark, 1LL << 40, -0.0, {"a", ""}, {{NAN, {1.5F}}, {0.1, {}}},
          {3, -1}};
}

TEST(Archive, a_struct_comes_back_as_it_was) {
  Archive archive;
  const Value tree = store(sample(), "plant", archive);
  const Plant back = restore<Plant>(parse_json(to_json(tree)), "plant", archive);
  EXPECT_EQ(back.name, "fern");
  EXPECT_TRUE(back.green);
  EXPECT_EQ(back.shade, Shade::dark);
  EXPECT_EQ(back.age, 1LL << 40);
  EXPECT_TRUE(back.height && std::signbit(*back.height));
  EXPECT_EQ(back.words, (std::vector<std::string>{"a", ""}));
  ASSERT_EQ(back.leaves.size(), 2U);
  EXPECT_TRUE(std::isnan(back.leaves[0].weight));
  EXPECT_EQ(back.leaves[0].path, std::vector<float>{1.5F});
  EXPECT_EQ(back.leaves[1].weight, 0.1);
  EXPECT_EQ(back.codes, (std::vector<std::int32_t>{3, -1}));
}

TEST(Archive, lies_are_refused) {
  Archive archive;
  const Value tree = store(sample(), "plant", archive);
  const auto refused = [&](const Value& hostile) {
    EXPECT_THROW(restore<Plant>(hostile, "plant", archive), Error) << to_json(hostile);
  };
  Value wrong_choice = tree;
  wrong_choice["3"] = 9;
  refused(wrong_choice);
  Value wrong_count = tree;
  wrong_count["8"] = 3;
  refused(wrong_count);
  Value unknown = tree;
  unknown["99"] = 1;
  refused(unknown);
  Value no_number = tree;
  no_number["5"] = Value(Value::Array{Value("1.2.3")});
  refused(no_number);
}

struct Ring {
  Shade shade = Shade::light;
  bool whole = true;
  double width = 1;
  std::string note;
  static constexpr auto describe() {
    return Members{field(&Ring::shade, 1, "shade"), field(&Ring::whole, 2, "whole"),
                   field(&Ring::width, 3, "width"), field(&Ring::note, 4, "note")};
  }
  bool operator==(const Ring&) const = default;
};

struct Trunk {
  std::vector<Ring> rings;
  static constexpr auto describe() { return Members{field(&Trunk::rings, 1, "rings")}; }
};

Trunk trunk_of(std::size_t rings) {
  Trunk trunk;
  for (std::size_t i = 0; i < rings; ++i) {
    trunk.rings.push_back({i % 2 == 0 ? Shade::dark : Shade::light, i % 3 == 0,
                           i == 1 ? -0.0 : static_cast<double>(i) / 2, std::to_string(i)});
  }
  return trunk;
}

TEST(Archive, a_list_of_structs_stands_column_by_column) {
  for (const std::size_t rings : {0, 1, 7, 8, 20}) {
    const Trunk trunk = trunk_of(rings);
    Archive archive;
    archive.tree = store(trunk, "trunk", archive);
    EXPECT_EQ(archive.arrays.size(), rings < 8 ? 0U : 3U);
    const auto back = restore<Trunk>(archive.tree, "trunk", archive);
    EXPECT_EQ(back.rings, trunk.rings);
    EXPECT_TRUE(rings < 2 || std::signbit(back.rings[1].width));
  }
  Archive few;
  EXPECT_EQ(to_json(store(trunk_of(2), "trunk", few)),
            R"({"1":{"1":[1,0],"2":[true,false],"3":["0","-0"],"4":["0","1"]}})");
  Archive many;
  EXPECT_EQ(to_json(store(trunk_of(8), "trunk", many)),
            R"({"1":{"1":8,"2":8,"3":8,"4":["0","1","2","3","4","5","6","7"]}})");
  EXPECT_EQ(many.arrays[2].name, "trunk/rings/width");
}

TEST(Archive, columns_that_do_not_fit_each_other_are_refused_before_anything_is_made) {
  Archive archive;
  archive.tree = store(trunk_of(9), "trunk", archive);
  const auto refused = [](const Archive& hostile) {
    EXPECT_THROW(restore<Trunk>(hostile.tree, "trunk", hostile), Error) << to_json(hostile.tree);
  };
  for (const long long items : {-1LL, 0LL, 1LL, 8LL, 10LL, 1LL << 60}) {
    Archive claim = archive;  // more or fewer items than there are
    for (const char* column : {"1", "2", "3"}) claim.tree["1"][column] = items;
    refused(claim);
    claim.tree["1"]["4"] = Value::Array{};
    refused(claim);
    claim.tree["1"]["4"] = items;
    refused(claim);
  }
  Archive list = archive;  // the other spelling of a column
  list.tree["1"]["3"] = std::vector<std::string>(9, "0.5");
  refused(list);
  Archive doubt = archive;
  doubt.arrays[1].bytes[0] = std::byte{2};  // neither yes nor no
  refused(doubt);
  Archive colour = archive;
  colour.arrays[0].bytes[0] = std::byte{7};
  refused(colour);
}

struct OlderSeed {
  double weight = 0;
  std::vector<double> rings;
  static constexpr auto describe() {
    return Members{field(&OlderSeed::weight, 1, "weight"), field(&OlderSeed::rings, 3, "rings")};
  }
};

struct Seedling {
  double weight = 0;
  std::vector<float> roots = {2.5F};
  std::vector<double> rings;
  std::string word = "new";
  static constexpr auto describe() {
    return Members{field(&Seedling::weight, 1, "weight"),
                   field(&Seedling::roots, 4, "roots").since(kArchiveFormat + 1),
                   field(&Seedling::rings, 3, "rings"),
                   field(&Seedling::word, 5, "word").since(kArchiveFormat + 1)};
  }
};

TEST(Archive, a_member_that_came_later_keeps_its_initialiser_in_an_older_file) {
  Archive archive;
  archive.tree = store(OlderSeed{0.5, {1, 2}}, "seed", archive);
  const auto back = restore<Seedling>(archive.tree, "seed", archive);
  EXPECT_EQ(back.weight, 0.5);
  EXPECT_EQ(back.rings, (std::vector<double>{1, 2}));
  EXPECT_EQ(back.roots, std::vector<float>{2.5F});
  EXPECT_EQ(back.word, "new");
}

TEST(Archive, a_member_is_there_in_every_file_of_its_format_and_in_none_before) {
  Archive archive;
  archive.tree = store(Seedling{0.5, {1.0F}, {1}, "kept"}, "seed", archive);
  EXPECT_THROW(restore<Seedling>(archive.tree, "seed", archive), Error);
  archive.format = kArchiveFormat + 1;
  EXPECT_EQ(restore<Seedling>(archive.tree, "seed", archive).word, "kept");
  Archive older;
  older.tree = store(OlderSeed{}, "seed", older);
  older.format = kArchiveFormat + 1;
  EXPECT_THROW(restore<Seedling>(older.tree, "seed", older), Error);
}

}  // namespace
}  // namespace gradus
