// An open file descriptor with one owner, and system calls that carry on after a signal.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <utility>

namespace gradus {

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (is_open()) ::close(number_);
  }

  bool is_open() const { return number_ >= 0; }
  int number() const { return number_; }

  // Closes and reports what the system held back: 0, or the errno of a write that failed late.
  // Linux has released the number also when a signal came in between, so that is no error.
  int close() {
    if (!is_open()) return 0;
    const int result = ::close(std::exchange(number_, -1));
    return result == 0 || errno == EINTR ? 0 : errno;
  }

 private:
  int number_ = -1;
};

// Repeats a call that a signal interrupted; the result is -1 with errno for any other failure.
template <class Call>
auto uninterrupted(Call call) {
  auto result = call();
  while (result == -1 && errno == EINTR) result = call();
  return result;
}

}  // namespace gradus
