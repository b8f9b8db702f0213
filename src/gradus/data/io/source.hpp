// Bytes from anywhere: files, standard input, pipes; gzip and zstd are opened on the way.
//
// A file is read into memory by several threads and never memory-mapped: a mapped file that
// somebody shortens kills the process with SIGBUS, which a library can neither prevent nor report.
// Reading costs one copy (a few GB/s per core) and turns the same accident into Error{io}.
// Compression is recognised by its first bytes, never by the name.
//
//   const SourceBytes bytes = read_source("iris.csv.gz", {});
//   std::string_view text = bytes.view();
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "gradus/core/context.hpp"

namespace gradus::io {

// A block of bytes that grows without clearing or copying more than it must.
class SourceBytes {
 public:
  std::string_view view() const { return {data_.get(), size_}; }
  char* data() { return data_.get(); }
  std::size_t size() const { return size_; }

  void reserve(std::size_t capacity);
  // Makes room for at least `more` bytes after the end and returns where they go.
  char* room(std::size_t more);
  void grew(std::size_t by) { size_ += by; }
  // Takes the first `count` bytes away; the others move to the front.
  void drop(std::size_t count) {
    if (count > 0 && count < size_) std::memmove(data_.get(), data_.get() + count, size_ - count);
    size_ -= count;
  }
  std::size_t spare() const { return capacity_ - size_; }

 private:
  struct Free {
    void operator()(char* block) const { std::free(block); }
  };
  std::unique_ptr<char, Free> data_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

struct SourceLimits {
  std::uint64_t max_bytes = 64ULL << 30;  // after decompression
  // A text whose first line is longer than this is given up before it is read; 0: no limit.
  std::uint64_t max_first_line = 0;
};

// Reads `path` (`-` is standard input) to its end. A missing file, a directory, a device, a file
// that changes while it is read, a damaged archive or a passed limit is an Error that says so.
SourceBytes read_source(const std::string& path, const SourceLimits& limits,
                        const Context& context = {});

// A file of known size that is read piece by piece.
class RegularFile {
 public:
  // Nothing where `path` is no such file (standard input, a pipe, a device) or cannot be opened.
  static std::optional<RegularFile> open(const std::string& path);

  std::size_t size() const;
  // The bytes [begin, begin + size), by all threads. Error{io} when the file became shorter.
  void read(std::size_t begin, std::size_t size, char* to, const Context& context) const;
  // Whether nobody wrote to the file since it was opened.
  bool unchanged() const;

 private:
  struct State;
  explicit RegularFile(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  std::shared_ptr<const State> state_;
};

// Opens gzip or zstd by content; plain bytes come back as they are.
SourceBytes unpacked(SourceBytes packed, const std::string& name, const SourceLimits& limits,
                     const Context& context);
bool is_packed(std::string_view bytes);

// Refuses `size` bytes when they pass `limits` or what this machine can hold.
void require_size(std::uint64_t size, const std::string& name, const SourceLimits& limits,
                  const Context& context);

}  // namespace gradus::io
