// Work that is stopped and hands out what is whole by then: trees, rounds, passes.
//
// A learner that gives `partial` asks its context between two units of work. Until the first unit
// is whole there is nothing to hand out, and a stop is an error as everywhere. From then on the
// work ends at the next question, and nothing that is under way is broken off: parallel loops and
// single fits do not look at the token any more.
//
//   while (rounds < most && !context.ends_here("round", rounds, most)) ++rounds, add_tree();
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace gradus {

class PartialWork {
 public:
  // How far the work was when it ended.
  struct End {
    std::string unit = {};  // "round"; empty: it was not stopped
    std::uint64_t done = 0;
    std::uint64_t planned = 0;
  };

  // A unit is whole: there is something to hand out.
  void begin() {
    const std::lock_guard lock(guard_);
    begun_ = true;
  }
  bool begun() const {
    const std::lock_guard lock(guard_);
    return begun_;
  }

  void end_with(std::string_view unit, std::uint64_t done, std::uint64_t planned) {
    const std::lock_guard lock(guard_);
    end_ = {std::string(unit), done, planned};
  }
  End end() const {
    const std::lock_guard lock(guard_);
    return end_;
  }

 private:
  mutable std::mutex guard_;
  bool begun_ = false;
  End end_;
};

}  // namespace gradus
