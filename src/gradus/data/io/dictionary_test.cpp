#include "gradus/data/io/dictionary.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "gradus/core/random.hpp"

namespace gradus::io {
namespace {

TEST(Dictionary, numbers_texts_in_the_order_of_their_first_appearance) {
  Dictionary dictionary;
  EXPECT_EQ(dictionary.code("b", 10), 0);
  EXPECT_EQ(dictionary.code("a", 11), 1);
  EXPECT_EQ(dictionary.code("b", 12), 0);
  ASSERT_EQ(dictionary.size(), 2U);
  EXPECT_EQ(dictionary.entries()[0].text, "b");
  EXPECT_EQ(dictionary.entries()[0].offset, 10U);
}

TEST(Dictionary, texts_of_all_lengths_with_equal_begins_and_ends_stay_apart) {
  std::vector<std::string> texts = {""};
  for (std::size_t size = 1; size <= 40; ++size) {
    texts.emplace_back(size, 'a');
    texts.emplace_back(size, '\0');
    for (std::size_t at = 0; at < size; ++at) {
      texts.emplace_back(size, 'a');
      texts.back()[at] = 'b';
    }
  }
  Dictionary dictionary;
  for (std::size_t round = 0; round < 2; ++round) {
    for (std::size_t i = 0; i < texts.size(); ++i) {
      ASSERT_EQ(dictionary.code(texts[i], i), static_cast<std::int32_t>(i)) << texts[i];
    }
  }
}

TEST(Dictionary, agrees_with_a_map_on_random_texts) {
  Stream random(5, 1);
  std::vector<std::string> texts;
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    const std::size_t size = random.below(20);
    for (std::size_t k = 0; k < size; ++k) text += static_cast<char>('a' + random.below(3));
    texts.push_back(text);
  }
  Dictionary dictionary;
  std::map<std::string, std::int32_t> expected;
  for (const std::string& text : texts) {
    const auto code = expected.emplace(text, static_cast<std::int32_t>(expected.size()));
    ASSERT_EQ(dictionary.code(text, 0), code.first->second);
  }
  EXPECT_EQ(dictionary.size(), expected.size());
}

TEST(Dictionary, forgotten_texts_get_new_codes) {
  Dictionary dictionary;
  dictionary.code("a", 0);
  dictionary.code("b", 1);
  dictionary.code("c", 2);
  dictionary.forget_after(1);
  EXPECT_EQ(dictionary.size(), 1U);
  EXPECT_EQ(dictionary.code("c", 3), 1);
  EXPECT_EQ(dictionary.code("a", 4), 0);
  EXPECT_EQ(dictionary.entries()[1].offset, 3U);
}

TEST(Dictionary, finds_its_texts_again_without_its_room_and_in_the_room_of_another) {
  Dictionary dictionary;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < 300; ++i) texts.push_back("text " + std::to_string(i));
  for (const std::string& text : texts) dictionary.code(text, 0);
  Dictionary::Room room = dictionary.leave_room();
  EXPECT_EQ(dictionary.code(texts[299], 0), 299);
  EXPECT_EQ(dictionary.code("another", 0), 300);
  Dictionary next;
  next.use_room(std::move(room));
  EXPECT_EQ(next.code("another", 0), 0);
  EXPECT_EQ(next.code(texts[7], 0), 1);
  dictionary.leave_room();
  dictionary.forget_after(200);
  dictionary.use_room(next.leave_room());
  EXPECT_EQ(dictionary.code(texts[250], 0), 200);
  EXPECT_EQ(dictionary.code(texts[7], 0), 7);
}

TEST(Dictionary, keeps_a_copy_of_a_text_that_goes_away) {
  Dictionary dictionary;
  std::string passing = "says \"yes\" in a long sentence";
  EXPECT_EQ(dictionary.code_of_copy(passing, 0), 0);
  const std::string same = passing;
  passing.assign(passing.size(), 'x');
  EXPECT_EQ(dictionary.code_of_copy(same, 1), 0);
  EXPECT_EQ(dictionary.entries()[0].text, same);
}

}  // namespace
}  // namespace gradus::io
