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
