// All or nothing: the one way in which Gradus writes files.
//
// Bytes go to a hidden temporary file beside the destination; only `commit` makes them visible, by
// one rename after everything was written, synced and closed without an error. Until then, and
// after any failure, the destination is what it was, and no temporary stays behind.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "gradus/core/overwrite.hpp"

namespace gradus {

// Where output goes; `-` is standard output. A symbolic link stays and its target is replaced; the
// mode of a replaced file is kept; pipes and devices are written straight through.
//
//   OutputFile out("scores.csv", Overwrite::refuse);   // fails here if it cannot work
//   out.write("row,score\n");
//   out.commit();
class OutputFile {
 public:
  // Fails early, before any long work: a directory that is absent or read-only, a destination that
  // exists and must not be replaced.
  OutputFile(std::string path, Overwrite overwrite);
  ~OutputFile();  // without commit: removes the temporary
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view text);
  void write(std::span<const std::byte> bytes);
  // Hands what was written to the system, so that a full disk is known before commit.
  void flush();
  // Flushes, syncs, closes and renames. An error leaves the old file and no temporary; the one that
  // can come later (the directory could not be synced) says that the new file is in place. After
  // commit there is nothing left to write to.
  void commit();
  const std::string& path() const { return path_; }

 private:
  struct State;
  std::string path_;
  std::unique_ptr<State> state_;
};

}  // namespace gradus
