// What can go wrong, as a value that every front (command, Python, report) can translate.
//
// The library never prints and never exits: it throws Error for mistakes of the user, the data or
// the machine, and asserts for its own. An Error names the place (`file:line:column`, or
// `--parameter`), says what was allowed and what was found, and gives a hint on what to do next.
//
//   throw Error(ErrorKind::bad_data, "iris.csv:7:3", "expected a number, got \"abc\"",
//               "declare the column nominal with --nominal petal_width");
#pragma once

#include <exception>
#include <string>
#include <string_view>

namespace gradus {

enum class ErrorKind {
  check_failed,   // a check or verification found a difference
  usage,          // a wrong parameter, flag or call
  bad_data,       // the input data or model file is not what it claims to be
  missing_input,  // a file that should be read does not exist
  service_lost,   // a server or another process went away
  internal,       // a bug of ours
  limit,          // a stated limit of memory, size or time was reached
  cannot_create,  // the output cannot be created
  io,             // reading or writing failed half way
  interrupted,    // the user asked to stop; nothing is kept
  suspended,      // the user asked to stop; the work so far is kept
  numerical,      // the arithmetic cannot give a finite answer
  permission      // the operating system said no
};

// The stable word for a kind, printed as `error[word]`.
std::string_view kind_name(ErrorKind kind);

// The documented exit code of the command for a kind (sysexits where one fits).
int exit_code(ErrorKind kind);

class Error : public std::exception {
 public:
  Error(ErrorKind kind, std::string where, std::string message, std::string hint = {});
  // In error.cpp, so that the hundreds of places that throw do not each compile them.
  Error(const Error& other);
  Error(Error&& other) noexcept;
  Error& operator=(const Error& other);
  Error& operator=(Error&& other) noexcept;
  ~Error() override;

  ErrorKind kind() const noexcept { return kind_; }
  const std::string& where() const noexcept { return where_; }
  const std::string& message() const noexcept { return message_; }
  const std::string& hint() const noexcept { return hint_; }

  // `where: error[kind]: message; hint` in one line.
  const char* what() const noexcept override { return line_.c_str(); }

 private:
  ErrorKind kind_;
  std::string where_;
  std::string message_;
  std::string hint_;
  std::string line_;
};

// Turns an errno value of a failed call on `path` into the kind a user can act on.
Error system_error(int error_number, const std::string& path, std::string_view doing);

[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);

}  // namespace gradus

// For our own mistakes only: a violated invariant ends in Error{internal}, in every build.
#define GRADUS_ASSERT(condition) \
  ((condition) ? void(0) : ::gradus::assertion_failed(#condition, __FILE__, __LINE__))
