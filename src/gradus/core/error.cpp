#include "gradus/core/error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "gradus/core/text.hpp"

namespace gradus {

std::string_view kind_name(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::check_failed: return "check_failed";
    case ErrorKind::usage: return "usage";
    case ErrorKind::bad_data: return "bad_data";
    case ErrorKind::missing_input: return "missing_input";
    case ErrorKind::service_lost: return "service_lost";
    case ErrorKind::internal: return "internal";
    case ErrorKind::limit: return "limit";
    case ErrorKind::cannot_create: return "cannot_create";
    case ErrorKind::io: return "io";
    case ErrorKind::interrupted: return "interrupted";
    case ErrorKind::suspended: return "suspended";
    case ErrorKind::numerical: return "numerical";
    case ErrorKind::permission: return "permission";
  }
  return "internal";
}

int exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::check_failed: return 1;
    case ErrorKind::usage: return 2;
    case ErrorKind::bad_data: return 65;
    case ErrorKind::missing_input: return 66;
    case ErrorKind::service_lost: return 69;
    case ErrorKind::internal: return 70;
    case ErrorKind::limit: return 71;
    case ErrorKind::cannot_create: return 73;
    case ErrorKind::io: return 74;
    case ErrorKind::interrupted: return 130;
    case ErrorKind::suspended: return 75;
    case ErrorKind::numerical: return 76;
    case ErrorKind::permission: return 77;
  }
  return 70;
}

Error::Error(ErrorKind kind, std::string where, std::string message, std::string hint)
    : kind_(kind), where_(std::move(where)), message_(std::move(message)), hint_(std::move(hint)) {
  // Names of files and columns may hold anything, also terminal escapes: print them harmless.
  const std::string place = where_.empty() ? "" : escape_controls(where_) + ": ";
  line_ = fmt::format("{}error[{}]: {}", place, kind_name(kind_), escape_controls(message_));
  if (!hint_.empty()) line_ += "; " + escape_controls(hint_);
}

Error::Error(const Error& other) = default;
Error::Error(Error&& other) noexcept = default;
Error& Error::operator=(const Error& other) = default;
Error& Error::operator=(Error&& other) noexcept = default;
Error::~Error() = default;

Error system_error(int error_number, const std::string& path, std::string_view doing) {
  ErrorKind kind = ErrorKind::io;
  if (error_number == ENOENT || error_number == ENOTDIR) kind = ErrorKind::missing_input;
  if (error_number == EACCES || error_number == EPERM) kind = ErrorKind::permission;
  if (error_number == ENOMEM) kind = ErrorKind::limit;
  return Error(kind, path, fmt::format("cannot {}: {}", doing, std::strerror(error_number)));
}

void assertion_failed(const char* condition, const char* file, int line) {
  const std::string place =
      fmt::format("{}:{}", std::filesystem::path(file).filename().string(), line);
  throw Error(ErrorKind::internal, place, fmt::format("this should hold: {}", condition),
              "this is a bug in Gradus; please report it with the command that you ran");
}

}  // namespace gradus
