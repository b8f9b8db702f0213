// An archive as one string of bytes, and back. All numbers are little-endian.
//
//   header   magic (8) · format version u32 · sections u32 · total length u64 ·
//            checksum of the table u64 · checksum of the 32 bytes before u64
//   table    per section: offset u64 · length u64 · checksum u64 · kind u32 · name length u32
//   section  0: the tree as compact JSON; 1: the names of the arrays, one after the other;
//            2, 3, ...: the arrays. Each starts at the next multiple of 64, after zeros.
//   trailer  XXH3-128 of everything before (16) · end magic (8), after zeros to a multiple of 64
//
// There is exactly one such string for an archive. Reading computes where everything must be and
// compares, so a file with any other byte in any place is refused, and no size is believed before
// the bytes that it speaks of are known to be there.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>
#include <unordered_set>

#include "gradus/api/container.hpp"
#include "gradus/api/save.hpp"
#include "gradus/core/checked.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/hash.hpp"
#include "gradus/core/quick_json.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {

static_assert(std::endian::native == std::endian::little,
              "numbers are copied as they lie in memory");

using Bytes = std::span<const std::byte>;

constexpr std::uint32_t kFormat = kArchiveFormat;
constexpr std::string_view kEndMagic = "\nSUDARG\x89";
constexpr std::size_t kHeaderSize = 40;
constexpr std::size_t kEntrySize = 32;
constexpr std::size_t kTrailerSize = 24;
constexpr std::uint64_t kAlign = 64;
constexpr std::size_t kFirstArray = 2;  // after the tree and the names
constexpr std::uint64_t kMostJson = 16 * 1024 * 1024;
constexpr std::size_t kLongestText = 1024 * 1024;
constexpr std::size_t kLongestName = 4096;

constexpr std::uint32_t kTree = 1;
constexpr std::uint32_t kNames = 2;
constexpr std::uint32_t kArray = 16;  // plus its ArrayType
constexpr std::uint32_t kArrayTypes = 7;

struct Section {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::uint64_t checksum = 0;
  std::uint32_t kind = 0;
  std::uint32_t name_length = 0;
};
static_assert(sizeof(Section) == kEntrySize && std::is_trivially_copyable_v<Section>);

struct FileHeader {
  char magic[8] = {};
  std::uint32_t version = kFormat;
  std::uint32_t sections = 0;
  std::uint64_t length = 0;
  std::uint64_t table_checksum = 0;
  std::uint64_t checksum = 0;  // of the members above
};
static_assert(sizeof(FileHeader) == kHeaderSize && std::is_trivially_copyable_v<FileHeader>);

Bytes bytes_of(std::string_view text) { return std::as_bytes(std::span(text.data(), text.size())); }

std::string_view text_of(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::uint64_t header_checksum(const FileHeader& header) {
  return hash64(std::as_bytes(std::span(&header, 1)).first(offsetof(FileHeader, checksum)));
}

// Texts that are too long, or numbers that JSON cannot hold, would not come back.
void check_tree(const Value& value, const std::string& where) {
  if (value.is_string() && value.as_string().size() > kLongestText) {
    throw Error(ErrorKind::bad_data, where,
                fmt::format("a text in the model has {} bytes, the most is {}",
                            value.as_string().size(), kLongestText));
  }
  if (value.is_number() && !std::isfinite(value.as_number())) {
    throw Error(ErrorKind::bad_data, where, "the model holds a parameter that is not finite");
  }
  if (value.is_array()) {
    for (const Value& item : value.as_array()) check_tree(item, where);
  } else if (value.is_object()) {
    for (const auto& [key, member] : value.as_object()) check_tree(member, where);
  }
}

// What an array may be called, for writing and for reading.
void check_name(std::string_view name, std::unordered_set<std::string_view>& seen,
                const std::string& where) {
  if (name.empty() || name.size() > kLongestName ||
      find_invalid_utf8(name) != std::string_view::npos) {
    throw Error(ErrorKind::bad_data, where, "an array has no proper name: " + in_quotes(name));
  }
  if (!seen.insert(name).second) {
    throw Error(ErrorKind::bad_data, where, fmt::format("two arrays {}", in_quotes(name)));
  }
}

// ---- Writing

class Packer {
 public:
  explicit Packer(const Archive& archive) : archive_(archive), json_(to_json(archive.tree)) {
    check_tree(archive.tree, "model");
    if (find_invalid_utf8(json_) != std::string_view::npos) {
      throw Error(ErrorKind::bad_data, "model", "a name in the model is not valid UTF-8");
    }
    if (json_.size() > kMostJson) {
      throw Error(ErrorKind::limit, "model",
                  fmt::format("the names and categories of the model take {} bytes, the most is {}",
                              json_.size(), kMostJson),
                  "leave out columns with very many categories");
    }
    plan();
  }

  std::vector<std::byte> bytes() const {
    std::vector<std::byte> out(total_);
    const auto put = [&](std::uint64_t at, const void* from, std::size_t size) {
      if (size > 0) std::memcpy(out.data() + at, from, size);
    };
    put(kHeaderSize, table_.data(), table_.size() * kEntrySize);
    for (std::size_t i = 0; i < table_.size(); ++i) {
      const Bytes content = contents_[i];
      put(table_[i].offset, content.data(), content.size());
    }
    FileHeader header;
    std::memcpy(header.magic, kModelMagic.data(), kModelMagic.size());
    header.sections = static_cast<std::uint32_t>(table_.size());
    header.length = total_;
    header.table_checksum = hash64(std::as_bytes(std::span(table_)));
    header.checksum = header_checksum(header);
    put(0, &header, sizeof header);
    const auto digest = hash128(Bytes(out).first(total_ - kTrailerSize));
    put(total_ - kTrailerSize, digest.data(), digest.size());
    put(total_ - kEndMagic.size(), kEndMagic.data(), kEndMagic.size());
    return out;
  }

 private:
  void add(Bytes content, std::uint32_t kind, std::size_t name_length) {
    table_.push_back(
        {0, content.size(), hash64(content), kind, static_cast<std::uint32_t>(name_length)});
    contents_.push_back(content);
  }

  void plan() {
    std::unordered_set<std::string_view> seen;
    for (const StoredArray& array : archive_.arrays) {
      check_name(array.name, seen, "model");
      names_ += array.name;
    }
    add(bytes_of(json_), kTree, 0);
    add(bytes_of(names_), kNames, 0);
    for (const StoredArray& array : archive_.arrays) {
      add(array.bytes, kArray + static_cast<std::uint32_t>(array.type), array.name.size());
    }
    std::uint64_t end = kHeaderSize + table_.size() * kEntrySize;
    for (Section& section : table_) {
      section.offset = *checked::align(end, kAlign);
      end = section.offset + section.length;
    }
    total_ = *checked::align(end, kAlign) + kTrailerSize;
  }

  const Archive& archive_;
  std::string json_;
  std::string names_;
  std::vector<Section> table_;
  std::vector<Bytes> contents_;
  std::uint64_t total_ = 0;
};

// ---- Reading

class Unpacker {
 public:
  Unpacker(Bytes bytes, const std::string& where) : bytes_(bytes), where_(where) {}

  Archive archive() {
    read_header();
    read_table();
    for (std::size_t i = 0; i < table_.size(); ++i) check_section(i);
    check_trailer();
    Archive out;
    out.format = static_cast<int>(header_.version);
    out.tree = tree();
    read_arrays(out);
    return out;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw Error(ErrorKind::bad_data, where_, why,
                "the file is damaged; take a copy of it, or train again");
  }

  void read_header() {
    if (bytes_.empty()) throw Error(ErrorKind::bad_data, where_, "the file is empty");
    const std::size_t known = std::min(bytes_.size(), kModelMagic.size());
    if (text_of(bytes_.first(known)) != kModelMagic.substr(0, known)) {
      throw Error(ErrorKind::bad_data, where_, "not a Gradus model",
                  "expected a file that gradus train has written");
    }
    if (bytes_.size() < kHeaderSize) {
      refuse(fmt::format("truncated: the header takes {} bytes, the file has {}", kHeaderSize,
                         bytes_.size()));
    }
    std::memcpy(&header_, bytes_.data(), sizeof header_);
    if (header_.checksum != header_checksum(header_)) refuse("checksum mismatch in the header");
    if (header_.version > kFormat) {
      throw Error(
          ErrorKind::bad_data, where_,
          fmt::format("the model has format {}, this version reads {}", header_.version, kFormat),
          "it needs a newer version of Gradus");
    }
    if (header_.version == 0) refuse("the format has no number");
    if (header_.length > bytes_.size()) {
      refuse(fmt::format("truncated: the header says {} bytes, the file has {}", header_.length,
                         bytes_.size()));
    }
    if (header_.length < bytes_.size()) {
      refuse(fmt::format("the header says {} bytes, the file has {} more", header_.length,
                         bytes_.size() - header_.length));
    }
  }

  void read_table() {
    const std::size_t room = bytes_.size() - kHeaderSize;
    const std::uint64_t count = header_.sections;
    if (count < kFirstArray || count > room / kEntrySize) {
      refuse(fmt::format("{} sections do not fit the file", count));
    }
    const Bytes table = bytes_.subspan(kHeaderSize, count * kEntrySize);
    if (hash64(table) != header_.table_checksum) refuse("checksum mismatch in the section table");
    table_.resize(count);
    std::memcpy(table_.data(), table.data(), table.size());
    end_ = kHeaderSize + table.size();
    for (std::size_t i = 0; i < count; ++i) check_kind(i);
  }

  void check_kind(std::size_t i) const {
    const Section& section = table_[i];
    const bool array = section.kind >= kArray && section.kind < kArray + kArrayTypes;
    const bool right = i == 0 ? section.kind == kTree : i == 1 ? section.kind == kNames : array;
    if (!right || (section.name_length > 0) != (i >= kFirstArray)) {
      refuse(fmt::format("section {} cannot be of kind {}", i, section.kind));
    }
    if (i == 0 && section.length > kMostJson) {
      refuse(fmt::format("the tree takes {} bytes, the most is {}", section.length, kMostJson));
    }
    if (array && section.length % array_type_size(array_type(i)) != 0) {
      refuse(fmt::format("section {} ends inside a number", i));
    }
  }

  // The place of a section follows from those before it; the zeros in between are part of it.
  void check_section(std::size_t i) {
    const Section& section = table_[i];
    check_padding(section.offset, [i] { return fmt::format("section {}", i); });
    const auto end = checked::add(section.offset, section.length);
    if (!end || *end > bytes_.size()) {
      refuse(fmt::format("section {} of {} bytes does not fit the file", i, section.length));
    }
    if (hash64(content(i)) != section.checksum) {
      refuse(
          fmt::format("checksum mismatch in section {} (bytes {} to {})", i, section.offset, *end));
    }
    end_ = *end;
  }

  void check_trailer() {
    const std::uint64_t at = *checked::align(end_, kAlign);
    if (at + kTrailerSize != bytes_.size()) refuse("the sections do not fill the file");
    check_padding(at, [] { return "the trailer"; });
    const Bytes trailer = bytes_.subspan(at);
    const auto digest = hash128(bytes_.first(at));
    if (!std::equal(digest.begin(), digest.end(), trailer.begin())) {
      refuse("checksum mismatch over the whole file");
    }
    if (text_of(trailer.subspan(digest.size())) != kEndMagic) refuse("the end mark is missing");
  }

  // `what()` is the name of what comes next.
  template <class What>
  void check_padding(std::uint64_t next, const What& what) const {
    const auto expected = checked::align(end_, kAlign);
    if (!expected || next != *expected || next > bytes_.size()) {
      refuse(fmt::format("{} is not where it should be", what()));
    }
    const Bytes padding = bytes_.subspan(end_, next - end_);
    const auto zero = [](std::byte byte) { return byte == std::byte{0}; };
    if (!std::all_of(padding.begin(), padding.end(), zero)) {
      refuse(fmt::format("the bytes before {} are not zero", what()));
    }
  }

  Value tree() const {
    const std::string_view json = text_of(content(0));
    std::optional<Value> parsed = quick_json(json, JsonForm::written);
    if (!parsed) {
      parsed = parse_json(json, where_);
      if (to_json(*parsed) != json) refuse("the tree is not in the form that we write");
    }
    check_tree(*parsed, where_);
    return *std::move(parsed);
  }

  void read_arrays(Archive& out) const {
    const std::string_view names = text_of(content(1));
    std::unordered_set<std::string_view> seen;
    seen.reserve(table_.size() - kFirstArray);
    std::size_t at = 0;
    out.arrays.reserve(table_.size() - kFirstArray);
    for (std::size_t i = kFirstArray; i < table_.size(); ++i) {
      if (table_[i].name_length > names.size() - at) refuse("the names of the arrays do not fit");
      const std::string_view name = names.substr(at, table_[i].name_length);
      check_name(name, seen, where_);
      at += name.size();
      const Bytes numbers = content(i);
      out.arrays.push_back({std::string(name), array_type(i), {numbers.begin(), numbers.end()}});
    }
    if (at != names.size()) refuse("the names of the arrays do not fit");
  }

  Bytes content(std::size_t i) const { return bytes_.subspan(table_[i].offset, table_[i].length); }
  ArrayType array_type(std::size_t i) const {
    return static_cast<ArrayType>(table_[i].kind - kArray);
  }

  Bytes bytes_;
  const std::string& where_;
  FileHeader header_;
  std::vector<Section> table_;
  std::uint64_t end_ = 0;  // of what has been checked
};

}  // namespace

std::vector<std::byte> pack(const Archive& archive) { return Packer(archive).bytes(); }

Archive unpack(std::span<const std::byte> bytes, const std::string& where) {
  return Unpacker(bytes, where).archive();
}

}  // namespace gradus
