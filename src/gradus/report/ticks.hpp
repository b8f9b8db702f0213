// Where the marks of an axis stand: at multiples of 1, 2 or 5 times a power of ten.
#pragma once

#include <string>
#include <vector>

namespace gradus::report {

struct Scale {
  double low = 0;  // ends of the axis
  double high = 1;
  std::vector<double> ticks;
  std::vector<std::string> labels;  // as many digits as the step needs, the same for all
  bool logarithmic = false;

  // Where a value lies, 0 being the low end and 1 the high end.
  double place(double value) const;
};

// Marks about `wanted` in number. `exact`: the ends are those given and not the next mark.
enum class Ends { exact, rounded };
Scale make_scale(double low, double high, int wanted, Ends ends);

// Marks at powers of ten, or at 1, 2 and 5 times them when there are few; `low` is above 0.
Scale make_log_scale(double low, double high);

}  // namespace gradus::report
