// gzip and zstd, opened piece by piece: packed bytes go in, plain bytes come out, and nobody holds
// more than a piece of either.
//
//   auto unpacker = Unpacker::of(head, name);            // null: the bytes are not packed
//   auto [taken, made] = unpacker->run(packed, to, room);
//   unpacker->finish();                                  // after the last packed byte
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace gradus::io {

class Unpacker {
 public:
  // By the first bytes of a file, at least four where it has them.
  static std::unique_ptr<Unpacker> of(std::string_view head, const std::string& name);
  virtual ~Unpacker() = default;

  struct Step {
    std::size_t taken = 0;  // packed bytes that were used
    std::size_t made = 0;   // plain bytes that were written
  };
  // Goes on until the input is used up or `room` bytes are written. Damaged data are an
  // Error{bad_data} that names the byte.
  virtual Step run(std::string_view packed, char* to, std::size_t room) = 0;
  // Error{bad_data} where the data end in the middle of an archive.
  virtual void finish() const = 0;
};

}  // namespace gradus::io
