#include "gradus/evaluate/tune_journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include "gradus/core/error.hpp"
#include "gradus/core/read_file.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {

constexpr std::uint64_t kLargestJournal = std::uint64_t{1} << 32U;

// Whole lines only: what stands behind the last line break was torn off by a kill.
std::string whole_lines(const std::string& text) {
  const std::size_t end = text.rfind('\n');
  return end == std::string::npos ? std::string() : text.substr(0, end + 1);
}

}  // namespace

TuneJournal::TuneJournal(std::string path, const Value& identity) : path_(std::move(path)) {
  file_ = Descriptor(uninterrupted(
      [&] { return ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666); }));
  if (!file_.is_open()) throw system_error(errno, path_, "open the journal");
  if (uninterrupted([&] { return ::flock(file_.number(), LOCK_EX | LOCK_NB); }) != 0) {
    throw Error(ErrorKind::limit, path_, "another search is using this journal",
                "wait for it, or give each search a journal of its own");
  }
  const std::string bytes = read_whole_file(path_, kLargestJournal);
  const std::string text = whole_lines(bytes);
  if (text.size() < bytes.size() &&
      uninterrupted([&] { return ::ftruncate(file_.number(), static_cast<off_t>(text.size())); }) !=
          0) {
    throw system_error(errno, path_, "cut the torn end off");
  }
  if (text.empty()) {
    Value header = object({{"gradus_journal", 1}});
    for (const auto& [name, value] : identity.as_object()) header[name] = value;
    write_line(header);
    return;
  }
  check_identity(text.substr(0, text.find('\n')), identity);
  read(text);
  found_ = results_.size();
}

void TuneJournal::check_identity(const std::string& line, const Value& identity) const {
  const Value header = parse_json(line, path_ + ":1");
  if (!header.is_object() || header.find("gradus_journal") == nullptr) {
    throw Error(ErrorKind::usage, path_, "this file is no journal of a search",
                "choose another name: it would be appended to");
  }
  for (const auto& [name, value] : identity.as_object()) {
    const Value* there = header.find(name);
    if (there != nullptr && *there == value) continue;
    throw Error(ErrorKind::usage, path_,
                fmt::format("the journal belongs to another search: its {} is {}, here it is {}",
                            name, there == nullptr ? "unknown" : to_json(*there), to_json(value)),
                "use another file, or repeat the command that began it");
  }
}

void TuneJournal::read(const std::string& text) {
  std::size_t number = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = text.find('\n', at);
    ++number;
    if (number > 1) {
      const std::string where = fmt::format("{}:{}", path_, number);
      const Value line = parse_json(text.substr(at, end - at), where);
      if (!line.is_object() || line.find("key") == nullptr || line.find("score") == nullptr) {
        throw Error(ErrorKind::bad_data, where, "expected a finished fold with key and score");
      }
      Result result;
      if (line.at("score").is_number()) result.score = line.at("score").as_number();
      if (const Value* failure = line.find("failure")) result.failure = failure->as_string();
      results_[line.at("key").as_string()] = std::move(result);
    }
    at = end + 1;
  }
}

std::optional<TuneJournal::Result> TuneJournal::find(const std::string& key) const {
  const std::lock_guard lock(guard_);
  const auto found = results_.find(key);
  return found == results_.end() ? std::nullopt : std::optional(found->second);
}

void TuneJournal::append(const std::string& key, const Result& result, const Value& about) {
  Value line = about;
  line["score"] = result.score ? Value(*result.score) : Value();
  if (!result.failure.empty()) line["failure"] = result.failure;
  line["key"] = key;
  const std::lock_guard lock(guard_);
  write_line(line);
  results_[key] = result;
}

void TuneJournal::write_line(const Value& value) {
  const std::string line = to_json(value) + "\n";
  const ssize_t written =
      uninterrupted([&] { return ::write(file_.number(), line.data(), line.size()); });
  if (written < 0) throw system_error(errno, path_, "write to the journal");
  if (static_cast<std::size_t>(written) < line.size()) {
    throw Error(ErrorKind::io, path_, "the journal could be written only in part",
                "make room on the disk; the torn line is left out when the search goes on");
  }
  if (uninterrupted([&] { return ::fdatasync(file_.number()); }) != 0 && errno != EINVAL) {
    throw system_error(errno, path_, "sync the journal");
  }
}

}  // namespace gradus
