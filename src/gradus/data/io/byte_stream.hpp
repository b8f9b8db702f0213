// The bytes of a file, a pipe or standard input one after the other, unpacked on the way: for
// readers that never hold a whole file.
//
//   ByteStream stream("big.csv.gz", limits);
//   while (const std::size_t got = stream.read(buffer, size, context)) ...
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "gradus/data/io/open_file.hpp"
#include "gradus/data/io/source.hpp"
#include "gradus/data/io/unpacker.hpp"

namespace gradus::io {

class ByteStream {
 public:
  // `-` is standard input. Only the bytes after decompression are limited: nothing else is kept.
  ByteStream(const std::string& path, std::uint64_t max_bytes);

  // Fills `to`; fewer than `size` bytes mean the end. A damaged archive, a passed limit and a file
  // that changed meanwhile are Errors, as they are for `read_source`.
  std::size_t read(char* to, std::size_t size, const Context& context);

  // Whether the source can be opened once more from its beginning.
  bool can_be_read_again() const { return regular_; }
  const std::string& name() const { return name_; }

 private:
  std::size_t read_plain(char* to, std::size_t size, const Context& context);
  std::size_t read_packed(char* to, std::size_t size, const Context& context);
  std::size_t fetch(char* to, std::size_t size, const Context& context);
  void look_at_head(const Context& context);
  void refill(const Context& context);

  std::string name_;
  Descriptor file_;
  struct stat before_;
  bool regular_;
  std::uint64_t max_bytes_;
  std::uint64_t given_ = 0;
  bool opened_ = false;
  bool at_end_ = false;                 // of the file
  std::unique_ptr<Unpacker> unpacker_;  // null: plain bytes
  std::string packed_;                  // what was fetched and not yet given
  std::size_t used_ = 0;                // of it
};

}  // namespace gradus::io
