// Writes one of two known files, for the tests that make system calls fail under it.
//
//   save_driver write PATH old|new [refuse]    replaces PATH (or creates it, when told to refuse)
//   save_driver read PATH                      says "old" or "new", or fails
//   save_driver replace PATH COUNT             replaces PATH that often, old and new in turns
//   save_driver watch PATH                     reads PATH until standard input closes
//
// The exit code is the documented one of the error.
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "gradus/api/save.hpp"
#include "gradus/core/atomic_file.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/read_file.hpp"

namespace gradus {
namespace {

constexpr std::uint64_t kMostBytes = 64 << 20;
constexpr std::size_t kManyNumbers = 350000;  // 2.8 MB: a save takes several writes
constexpr std::size_t kFewNumbers = 20000;

Archive archive_of(const std::string& which, std::size_t numbers) {
  Archive archive;
  archive.tree = object({{"which", which}});
  archive.arrays.push_back({"numbers", ArrayType::float64, {}});
  archive.arrays.back().bytes.resize(numbers * sizeof(double), std::byte(which == "old" ? 1 : 2));
  return archive;
}

// In pieces, as a report or a table of predictions comes; they leave in writes of a megabyte.
void write_file(const std::string& path, const Archive& archive, Overwrite overwrite) {
  constexpr std::size_t kPiece = 100000;
  OutputFile file(path, overwrite);
  const std::vector<std::byte> bytes = pack(archive);
  for (std::size_t at = 0; at < bytes.size(); at += kPiece) {
    file.write(std::span(bytes).subspan(at, std::min(kPiece, bytes.size() - at)));
  }
  file.commit();
}

std::string read_file(const std::string& path) {
  const std::string content = read_whole_file(path, kMostBytes);
  const Archive archive = unpack(std::as_bytes(std::span(content.data(), content.size())), path);
  return archive.tree.at("which").as_string();
}

bool standard_input_closed() {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  return ::poll(&input, 1, 0) != 0;
}

int run(int argc, char** argv) {
  const std::string verb = argc > 1 ? argv[1] : "";
  const std::string path = argc > 2 ? argv[2] : "";
  if (verb == "write" && argc >= 4) {
    const bool refuse = argc > 4 && std::strcmp(argv[4], "refuse") == 0;
    write_file(path, archive_of(argv[3], kManyNumbers),
               refuse ? Overwrite::refuse : Overwrite::replace);
  } else if (verb == "read") {
    std::puts(read_file(path).c_str());
  } else if (verb == "replace" && argc == 4) {
    for (int i = 0; i < std::atoi(argv[3]); ++i) {
      write_file(path, archive_of(i % 2 == 0 ? "new" : "old", kFewNumbers), Overwrite::replace);
    }
  } else if (verb == "watch") {
    int reads = 0;
    for (; reads == 0 || !standard_input_closed(); ++reads) read_file(path);
    std::printf("%d\n", reads);
  } else {
    std::fputs("usage: save_driver write|read|replace|watch PATH ...\n", stderr);
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace gradus

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file beyond its limit is then an error, not the end
  try {
    return gradus::run(argc, argv);
  } catch (const gradus::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return gradus::exit_code(error.kind());
  }
}
