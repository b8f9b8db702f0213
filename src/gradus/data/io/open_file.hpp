// An open file, pipe or standard input, and what must hold of it before and after it is read.
#pragma once

#include <sys/stat.h>

#include <string>
#include <string_view>

#include "gradus/core/context.hpp"

namespace gradus::io {

// Closed on every way out; `-` is standard input and stays open.
class Descriptor {
 public:
  explicit Descriptor(const std::string& path);
  ~Descriptor();
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  bool owned_;
  int number_;
};

// Waits until there is something to read, or an end: a pipe may have no writer yet, and one that is
// silent must not keep the user from stopping.
void wait_for_bytes(const Descriptor& file, const Context& context);

struct stat status_of(const Descriptor& file, const std::string& path);

// Devices such as /dev/zero never end; a terminal and /dev/null do. A directory is no table.
void refuse_odd_files(const struct stat& status, const Descriptor& file, const std::string& path);

// Whether nobody wrote to the file between the two looks at it.
bool same_file(const struct stat& before, const struct stat& after);
[[noreturn]] void refuse_changed(const std::string& path, std::string_view how);

}  // namespace gradus::io
