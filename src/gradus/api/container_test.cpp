// A model file is accepted as it was written, byte for byte, or refused with a reason.
#include "gradus/api/container.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "gradus/api/fit.hpp"
#include "gradus/api/save.hpp"
#include "gradus/core/error.hpp"
#include "gradus/models/catalogue.hpp"
#include "gradus/trace/trace.hpp"
#include "support/archive_mutator.hpp"
#include "support/repair_checksums.hpp"
#include "support/small_data.hpp"

namespace gradus {
namespace {

using Bytes = std::vector<std::byte>;

struct SmallModel {
  std::string name;
  SmallCase small;
  AnyModel model;
};

// A few members have every form that many have, at a fraction of the cost.
AnyLearner of_few_members(const Entry& entry) {
  AnyLearner learner(entry);
  if (find_param(entry.params, "n_estimators") != nullptr) learner.set("n_estimators", Value(6));
  return learner;
}

// One small model per learner and task.
const std::vector<SmallModel>& small_models() {
  static const std::vector<SmallModel> models = [] {
    std::vector<SmallModel> out;
    for (const Entry* entry : catalogue()) {
      for (SmallCase& small : small_cases(entry->info)) {
        AnyModel model = fit(of_few_members(*entry), small.data, small.options);
        out.push_back({fmt::format("{} for {}", entry->info.name, task_word(small.task)),
                       std::move(small), std::move(model)});
      }
    }
    return out;
  }();
  return models;
}

// The message with which the bytes are refused; empty when they are accepted.
std::string refusal(std::span<const std::byte> bytes) {
  try {
    from_bytes(bytes, "file");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_data) << error.what();
    EXPECT_EQ(error.where().substr(0, 4), "file");
    return error.message();
  }
  return {};
}

// Every place of a small file, and a sample of those of a larger one: the test stays quick.
std::size_t step_for(const Bytes& bytes) { return 1 + bytes.size() / 6144; }

bool refused(std::span<const std::byte> bytes) { return !refusal(bytes).empty(); }

Archive sample_archive() {
  Archive archive;
  archive.tree = object({{"a", 1}, {"b", Value::Array{Value(0.5), Value(-0.0), Value("é\n")}}});
  archive.arrays.push_back({"first", ArrayType::float64, Bytes(80, std::byte{7})});
  archive.arrays.push_back({"none", ArrayType::int32, {}});
  archive.arrays.push_back({"last", ArrayType::uint8, Bytes(3, std::byte{255})});
  return archive;
}

TEST(Container, an_archive_comes_back_as_it_was) {
  const Archive archive = sample_archive();
  const Bytes bytes = pack(archive);
  const Archive back = unpack(bytes, "file");
  EXPECT_EQ(back.tree, archive.tree);
  ASSERT_EQ(back.arrays.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(back.arrays[i].name, archive.arrays[i].name);
    EXPECT_EQ(back.arrays[i].type, archive.arrays[i].type);
    EXPECT_EQ(back.arrays[i].bytes, archive.arrays[i].bytes);
  }
  EXPECT_EQ(pack(back), bytes);
}

TEST(Container, arrays_are_aligned_for_vectors) {
  const Bytes bytes = pack(sample_archive());
  const Bytes needle(80, std::byte{7});
  const auto found = std::search(bytes.begin(), bytes.end(), needle.begin(), needle.end());
  ASSERT_NE(found, bytes.end());
  EXPECT_EQ((found - bytes.begin()) % 64, 0);
}

TEST(Container, refuses_to_write_what_it_could_not_read) {
  const auto kind = [](const Archive& archive) {
    try {
      pack(archive);
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind::internal;
  };
  Archive twice = sample_archive();
  twice.arrays[1].name = "first";
  EXPECT_EQ(kind(twice), ErrorKind::bad_data);
  Archive nameless = sample_archive();
  nameless.arrays[0].name.clear();
  EXPECT_EQ(kind(nameless), ErrorKind::bad_data);
  Archive no_text = sample_archive();
  no_text.tree["c"] = Value("\xff\xfe");
  EXPECT_EQ(kind(no_text), ErrorKind::bad_data);
  Archive infinite = sample_archive();
  infinite.tree["c"] = Value(INFINITY);
  EXPECT_EQ(kind(infinite), ErrorKind::bad_data);
  Archive huge = sample_archive();
  for (int i = 0; i < 17; ++i) huge.tree["b"].push_back(Value(std::string(1 << 20, 'x')));
  EXPECT_EQ(kind(huge), ErrorKind::limit);
  Archive long_text = sample_archive();
  long_text.tree["c"] = Value(std::string((1 << 20) + 1, 'x'));
  EXPECT_EQ(kind(long_text), ErrorKind::bad_data);
}

TEST(Container, says_what_is_wrong) {
  const Bytes good = pack(sample_archive());
  const auto message = [&](std::size_t at, std::byte flip) {
    Bytes bad = good;
    bad[at] ^= flip;
    return refusal(bad);
  };
  EXPECT_EQ(message(0, std::byte{1}), "not a Gradus model");
  EXPECT_EQ(message(9, std::byte{1}), "checksum mismatch in the header");
  EXPECT_EQ(message(45, std::byte{1}), "checksum mismatch in the section table");
  EXPECT_EQ(message(good.size() - 1, std::byte{1}), "the end mark is missing");
  EXPECT_EQ(message(good.size() - 20, std::byte{1}), "checksum mismatch over the whole file");
  EXPECT_EQ(message(good.size() - 30, std::byte{1}), "the bytes before the trailer are not zero");
  const auto json = std::search(good.begin(), good.end(), "{\"a\"", "{\"a\"" + 4,
                                [](std::byte a, char b) { return a == std::byte(b); });
  const auto at = static_cast<std::size_t>(json - good.begin());
  EXPECT_EQ(message(at, std::byte{1}).substr(0, 30), "checksum mismatch in section 0");
  EXPECT_EQ(refusal(std::span(good).first(good.size() - 1)),
            fmt::format("truncated: the header says {} bytes, the file has {}", good.size(),
                        good.size() - 1));
  EXPECT_EQ(refusal({}), "the file is empty");
}

// The file with another number in some place, and right checksums.
Bytes with_number(Bytes bytes, std::size_t at, std::uint64_t value, std::size_t size) {
  std::memcpy(bytes.data() + at, &value, size);
  repair_checksums(bytes);
  return bytes;
}

TEST(Container, a_newer_format_asks_for_a_newer_version) {
  try {
    unpack(with_number(pack(sample_archive()), 8, kArchiveFormat + 1, 4), "file");
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_data);
    EXPECT_NE(error.hint().find("newer version"), std::string::npos);
  }
  EXPECT_TRUE(refused(with_number(pack(sample_archive()), 8, 0, 4)));
}

TEST(Container, counts_and_lengths_that_lie_are_refused_before_anything_is_allocated) {
  const Bytes good = pack(sample_archive());
  for (const std::uint64_t lie : {0ULL, 1ULL, 4ULL, 6ULL, 0x7fffffffULL, 0xffffffffULL}) {
    EXPECT_TRUE(refused(with_number(good, 12, lie, 4))) << lie;
  }
  for (const std::uint64_t lie : {0ULL, 39ULL, 1ULL << 40, ~0ULL}) {
    EXPECT_TRUE(refused(with_number(good, 16, lie, 8))) << lie;
  }
  // Offset, length, kind and name length of every section, behind right checksums.
  const std::uint64_t lies[] = {0,          1,          63,         64,         good.size(),
                                1ULL << 32, 1ULL << 63, ~0ULL - 63, ~0ULL - 31, ~0ULL};
  for (std::size_t section = 0; section < 5; ++section) {
    for (const std::size_t field : {0UL, 8UL, 24UL, 28UL}) {
      for (const std::uint64_t lie : lies) {
        const std::size_t at = 40 + 32 * section + field;
        const Bytes bad = with_number(good, at, lie, field < 24 ? 8 : 4);
        EXPECT_TRUE(bad == good || refused(bad)) << section << " " << field << " " << lie;
      }
    }
  }
}

// A container whose tree is this text, with right checksums.
Bytes with_tree(const std::string& json) {
  Archive archive;  // a text of the same length holds the place
  archive.tree = Value(std::string(json.size() - 2, 'p'));
  Bytes bytes = pack(archive);
  std::uint64_t offset = 0;
  std::memcpy(&offset, bytes.data() + 40, sizeof offset);
  std::memcpy(bytes.data() + offset, json.data(), json.size());
  repair_checksums(bytes);
  return bytes;
}

TEST(Container, a_tree_has_one_spelling) {
  EXPECT_EQ(unpack(with_tree("{\"a\":1}"), "file").tree, object({{"a", 1}}));
  for (const char* json :
       {"{\"a\": 1}", "{\"a\":1.0}", "{\"a\":1e0}", "{\"a\":\"\\u0041\"}", "{\"a\":1,\"a\":1}",
        "{\"a\":1}\n", "{\"a\":-0}", "[[", "{}x", "\"\xff\"", "\"\xed\xa0\x80\""}) {
    EXPECT_THROW(unpack(with_tree(json), "file"), Error) << json;
  }
}

TEST(Container, a_tree_that_is_deep_or_full_of_keys_costs_no_more_than_its_size) {
  EXPECT_THROW(unpack(with_tree(std::string(1 << 20, '[')), "file"), Error);
  std::string keys = "{";
  for (int i = 0; i < 80000; ++i) keys += fmt::format("\"{}\":0,", i);
  keys.back() = '}';
  EXPECT_EQ(unpack(with_tree(keys), "file").tree.size(), 80000U);
  keys.back() = ',';
  EXPECT_THROW(unpack(with_tree(keys + "\"7\":0}"), "file"), Error);
}

TEST(ModelFile, every_learner_loads_and_saves_to_the_same_bytes) {
  for (const auto& [name, small, model] : small_models()) {
    const Bytes first = to_bytes(model);
    const AnyModel loaded = from_bytes(first);
    EXPECT_EQ(to_bytes(loaded), first) << name;
    EXPECT_EQ(to_bytes(from_bytes(to_bytes(loaded))), first) << name;
    EXPECT_EQ(loaded.fingerprint(), model.fingerprint()) << name;
    EXPECT_EQ(loaded.predict(small.features).values, model.predict(small.features).values) << name;
    EXPECT_EQ(loaded.fitted(), model.fitted()) << name;
  }
}

TEST(ModelFile, every_flipped_bit_is_refused) {
  for (const auto& [name, small, model] : small_models()) {
    Bytes bytes = to_bytes(model);
    std::size_t accepted = 0;
    for (std::size_t at = 0; at < bytes.size(); at += step_for(bytes)) {
      for (int bit = 0; bit < 8; ++bit) {
        bytes[at] ^= std::byte(1 << bit);
        accepted += refused(bytes) ? 0 : 1;
        bytes[at] ^= std::byte(1 << bit);
      }
    }
    EXPECT_EQ(accepted, 0U) << name;
    EXPECT_FALSE(refused(bytes)) << name;
  }
}

// All other values for the container itself; for each model as many as a quick test allows.
TEST(ModelFile, every_other_byte_is_refused) {
  std::size_t accepted = 0;
  Bytes archive = pack(sample_archive());
  for (std::size_t at = 0; at < archive.size(); ++at) {
    for (int change = 1; change < 256; ++change) {
      archive[at] ^= std::byte(change);
      accepted += refused(archive) ? 0 : 1;
      archive[at] ^= std::byte(change);
    }
  }
  for (const auto& [name, small, model] : small_models()) {
    Bytes bytes = to_bytes(model);
    for (std::size_t at = 0; at < bytes.size(); at += step_for(bytes)) {
      const std::byte old = bytes[at];
      for (const int value : {0x00, 0x20, 0x30, 0x7f, 0xff}) {
        bytes[at] = std::byte(value);
        if (bytes[at] != old) accepted += refused(bytes) ? 0 : 1;
      }
      bytes[at] = old;
    }
    EXPECT_EQ(accepted, 0U) << name;
  }
}

TEST(ModelFile, every_truncation_is_refused) {
  for (const auto& [name, small, model] : small_models()) {
    const Bytes bytes = to_bytes(model);
    std::size_t accepted = 0;
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      accepted += refused(std::span(bytes).first(size)) ? 0 : 1;
    }
    EXPECT_EQ(accepted, 0U) << name;
  }
}

TEST(ModelFile, bytes_that_are_added_or_lost_are_noticed) {
  for (const auto& [name, small, model] : small_models()) {
    const Bytes bytes = to_bytes(model);
    std::size_t accepted = 0;
    for (std::size_t at = 0; at <= bytes.size(); at += step_for(bytes)) {
      const auto place = static_cast<std::ptrdiff_t>(at);
      for (const std::byte extra : {std::byte{0}, std::byte{255}}) {
        Bytes longer = bytes;
        longer.insert(longer.begin() + place, extra);
        accepted += refused(longer) ? 0 : 1;
      }
      if (at == bytes.size()) continue;
      Bytes shorter = bytes;
      shorter.erase(shorter.begin() + place);
      accepted += refused(shorter) ? 0 : 1;
    }
    for (const std::size_t zeros : {8UL, 64UL, 4096UL}) {
      Bytes longer = bytes;
      longer.resize(bytes.size() + zeros);
      accepted += refused(longer) ? 0 : 1;
    }
    Bytes doubled = bytes;
    doubled.insert(doubled.end(), bytes.begin(), bytes.end());
    accepted += refused(doubled) ? 0 : 1;
    EXPECT_EQ(accepted, 0U) << name;
  }
}

TEST(ModelFile, blocks_that_are_swapped_zeroed_or_repeated_are_noticed) {
  constexpr std::size_t kBlock = 64;
  for (const auto& [name, small, model] : small_models()) {
    const Bytes bytes = to_bytes(model);
    std::size_t accepted = 0;
    const std::size_t blocks = bytes.size() / kBlock;
    const std::size_t step = step_for(bytes);
    for (std::size_t a = 0; a < blocks; a += step) {
      Bytes bad = bytes;
      std::memset(bad.data() + a * kBlock, 0, kBlock);
      if (bad != bytes) accepted += refused(bad) ? 0 : 1;
      // Of a larger file every block a meets other blocks b.
      for (std::size_t b = a / step % step; b < blocks; b += step) {
        bad = bytes;
        std::memcpy(bad.data() + a * kBlock, bytes.data() + b * kBlock, kBlock);
        if (bad != bytes) accepted += refused(bad) ? 0 : 1;
        if (b >= a) continue;
        std::memcpy(bad.data() + b * kBlock, bytes.data() + a * kBlock, kBlock);
        if (bad != bytes) accepted += refused(bad) ? 0 : 1;
      }
    }
    EXPECT_EQ(accepted, 0U) << name;
  }
}

// What a loaded model may do with rows: answer in finite numbers, or say why not.
void expect_harmless(const AnyModel& model, const Dataset& rows, const std::string& name) {
  try {
    for (const double value : model.predict(rows).values) EXPECT_TRUE(std::isfinite(value)) << name;
    model.fitted();
    if (!model.info().gives.has(Give::explains_row)) return;
    Recorder recorder;
    for (std::size_t row = 0; row < rows.rows(); ++row) model.explain_row(rows, row, recorder);
  } catch (const Error& error) {
    EXPECT_NE(error.kind(), ErrorKind::internal) << name << ": " << error.what();
  }
}

TEST(ModelFile, lies_behind_right_checksums_are_refused_or_harmless) {
  constexpr std::uint64_t kMutations = 1500;
  for (const auto& [name, small, model] : small_models()) {
    const Archive archive = to_archive(model);
    std::size_t refusals = 0;
    for (std::uint64_t i = 0; i < kMutations; ++i) {
      Stream stream(20, i);
      Archive hostile = archive;
      mutate(hostile, stream);
      Bytes bytes;
      try {
        bytes = pack(hostile);
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::bad_data) << error.what();
        ++refusals;
        continue;
      }
      try {
        const AnyModel loaded = from_bytes(bytes, "file");
        // A parameter that is absent is younger than the file; everything else has one form.
        const bool complete =
            hostile.tree.at("parameters").size() == archive.tree.at("parameters").size();
        EXPECT_TRUE(!complete || to_bytes(loaded) == bytes) << name << " mutation " << i;
        expect_harmless(loaded, small.features, name);
        expect_harmless(loaded, rows_for(loaded.preparation()), name);
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::bad_data) << name << ": " << error.what();
        ++refusals;
      }
    }
    EXPECT_GT(refusals, kMutations / 2) << name;
  }
}

}  // namespace
}  // namespace gradus
