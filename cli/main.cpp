// The gradus command: words in, an exit code out. Everything that can go wrong ends here, in one
// line on standard error and the documented code.
#include <algorithm>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "gradus/core/error.hpp"
#include "gradus/core/hash.hpp"
#include "gradus/data/io/passwords.hpp"
#include "gradus/version.hpp"
#include "signals.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace gradus::cli {
namespace {

// Known before the command line is parsed, because parsing itself may fail.
bool wants_json_errors(const std::vector<std::string>& words) {
  const auto flag = std::find(words.begin(), words.end(), "--errors");
  const bool apart = flag != words.end() && flag + 1 != words.end() && *(flag + 1) == "json";
  return apart || std::find(words.begin(), words.end(), "--errors=json") != words.end();
}

Error as_limit(const Error& error) {
  if (!timed_out()) return error;
  if (error.kind() == ErrorKind::suspended) {
    return Error(ErrorKind::limit, "--timeout", "the time is up; what is finished is kept",
                 error.hint());
  }
  if (error.kind() != ErrorKind::interrupted) return error;
  return Error(ErrorKind::limit, "--timeout", "the time is up; nothing was written",
               "give it more time, or use fewer rows");
}

// The same bug has the same number, so that reports about it find each other.
Error with_report_id(const Error& error) {
  if (error.kind() != ErrorKind::internal) return error;
  Hasher hasher;
  hasher.add(std::string_view(kVersion));
  hasher.add(std::string_view(error.where()));
  hasher.add(std::string_view(error.message()));
  return Error(error.kind(), error.where(), error.message(),
               error.hint() + " (report id " + hasher.hex().substr(0, 12) + ")");
}

Error caught() {
  try {
    throw;
  } catch (const Error& error) {
    return as_limit(error);
  } catch (const std::bad_alloc&) {
    return Error(ErrorKind::limit, "", "there is not enough memory",
                 "use fewer rows or columns, or a machine with more memory");
  } catch (const std::exception& error) {
    return Error(ErrorKind::internal, "", error.what(),
                 "this is a bug in Gradus; please report it with the command that you ran");
  } catch (...) {
    return Error(ErrorKind::internal, "", "something unknown was thrown",
                 "this is a bug in Gradus; please report it with the command that you ran");
  }
}

int run(std::vector<std::string> words) {
  for (std::string& word : words) word = io::take_password(std::move(word));
  try {
    run_command(words);
    return 0;
  } catch (...) {
    const Error error = with_report_id(caught());
    complain(error_line(error, wants_json_errors(words)));
    return exit_code(error.kind());
  }
}

}  // namespace
}  // namespace gradus::cli

int main(int count, char** words) {
  gradus::cli::secure_standard_streams();
  gradus::cli::install_signal_handlers();
  return gradus::cli::run({words + std::min(count, 1), words + count});
}
