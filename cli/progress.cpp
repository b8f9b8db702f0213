#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "gradus/core/text.hpp"

namespace gradus::cli {
namespace {

constexpr double kPatience = 1.0;   // seconds before the bar appears
constexpr double kBarPause = 0.1;   // between two drawings
constexpr double kLinePause = 5.0;  // between two plain lines
constexpr std::size_t kBarWidth = 24;

double seconds_since(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

void put(const std::string& text) {
  // A terminal that cannot be written to shows no progress; the work goes on.
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace

std::string time_left(double elapsed, std::uint64_t done, std::uint64_t total) {
  if (done == 0 || total <= done) return {};
  const double left = elapsed * static_cast<double>(total - done) / static_cast<double>(done);
  if (left < 60) return fmt::format("{:.0f} s left", std::max(left, 1.0));
  if (left < 3600) return fmt::format("{:.0f} min left", left / 60);
  return fmt::format("{:.1f} h left", left / 3600);
}

ProgressLine::ProgressLine(const std::string& mode) : mode_(Mode::none) {
  if (mode == "plain") mode_ = Mode::plain;
  if (mode == "auto" && is_terminal(STDERR_FILENO)) mode_ = Mode::bar;
}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::clear() {
  if (drawn_) put("\r\x1b[K");
  drawn_ = false;
}

void ProgressLine::update(std::string_view stage, std::uint64_t done, std::uint64_t total) {
  if (mode_ == Mode::none) return;
  // What stands behind the colon is news about the same stage: `tuning: best accuracy 0.95`.
  const std::string_view name = stage.substr(0, stage.find(": "));
  if (name != stage_) {
    stage_ = name;
    start_ = Clock::now();
  }
  if (seconds_since(start_) < kPatience) return;
  if (seconds_since(last_) < (mode_ == Mode::bar ? kBarPause : kLinePause)) return;
  last_ = Clock::now();
  draw(stage, done, total);
}

void ProgressLine::draw(std::string_view stage, std::uint64_t done, std::uint64_t total) {
  std::string line = escape_controls(stage);
  if (total > 0) {
    const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
    const auto full = static_cast<std::size_t>(share * kBarWidth);
    if (mode_ == Mode::bar) {
      std::string bar;
      for (std::size_t i = 0; i < kBarWidth; ++i) bar += i < full ? "█" : "░";
      line += "  " + bar;
    }
    line +=
        fmt::format("  {:3.0f} %  {}", share * 100, time_left(seconds_since(start_), done, total));
  } else {
    line += fmt::format("  {}", done);
  }
  put(mode_ == Mode::bar ? "\r\x1b[K" + line : line + "\n");
  drawn_ = mode_ == Mode::bar;
}

}  // namespace gradus::cli
