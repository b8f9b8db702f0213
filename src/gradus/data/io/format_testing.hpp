// Shared by the tests of the formats: a parse that fails, and where.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "gradus/core/error.hpp"
#include "gradus/data/io/formats.hpp"

namespace gradus::io {

struct Failure {
  ErrorKind kind = ErrorKind::internal;
  std::string where;
  std::string message;
};

// What `work` throws; a work that does not fail is a failure of the test.
template <class Work>
Failure failure_of(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return {error.kind(), error.where(), error.message()};
  }
  ADD_FAILURE() << "no error was thrown";
  return {};
}

}  // namespace gradus::io
