// How far a long work is: a bar that appears after a second on a terminal, or plain lines.
#pragma once

#include <chrono>
#include <string>

#include "gradus/core/context.hpp"
#include "terminal.hpp"

namespace gradus::cli {

class ProgressLine : public ProgressSink {
 public:
  // `mode` is auto, plain or none; auto draws only when standard error is a terminal.
  explicit ProgressLine(const std::string& mode);
  ~ProgressLine() override;
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void update(std::string_view stage, std::uint64_t done, std::uint64_t total) override;
  // Removes the bar, so that other lines can be written.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  enum class Mode { bar, plain, none };

  void draw(std::string_view stage, std::uint64_t done, std::uint64_t total);

  Mode mode_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = Clock::now();
  std::string stage_;
  bool drawn_ = false;
};

// "12 s", "3 min 20 s": what is left at the pace so far; empty when nothing can be said.
std::string time_left(double elapsed, std::uint64_t done, std::uint64_t total);

}  // namespace gradus::cli
