// What a search has finished, in a file that survives a kill: one line of JSON per fold.
//
// The first line says what the scores belong to (data, folds, learner, measure); a journal of
// something else is refused. Each further line is appended by one write and synced before the next
// fold begins to count, so that a killed search leaves whole lines and at most one torn end, which
// is cut off. A search is a pure function of its scores: run again with its journal, it takes the
// same decisions without fitting what is there.
//
//   TuneJournal journal("iris.journal", object({{"learner", "ridge"}, …}));
//   if (auto known = journal.find(key)) … else journal.append(key, result, settings);
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "gradus/core/descriptor.hpp"
#include "gradus/core/value.hpp"

namespace gradus {

class TuneJournal {
 public:
  struct Result {
    std::optional<double> score = {};  // nothing: undefined, or failed
    std::string failure = {};
  };

  // Makes the file, or goes on with it. Error{usage} when it belongs to something else,
  // Error{limit} when another process is using it, Error{bad_data} with the line when it is
  // damaged.
  TuneJournal(std::string path, const Value& identity);

  std::optional<Result> find(const std::string& key) const;
  // From any thread. `about` is for people: the settings and the fold.
  void append(const std::string& key, const Result& result, const Value& about);

  // Results that were in the file when it was opened.
  std::size_t found() const { return found_; }
  const std::string& path() const { return path_; }

 private:
  void read(const std::string& text);
  void check_identity(const std::string& line, const Value& identity) const;
  void write_line(const Value& value);

  std::string path_;
  Descriptor file_;
  mutable std::mutex guard_;
  std::map<std::string, Result> results_;
  std::size_t found_ = 0;
};

}  // namespace gradus
