#include "gradus/report/folds_text.hpp"

#include <fmt/format.h>

#include "gradus/core/text.hpp"

namespace gradus::report {

std::string folds_text(const Folds& folds) {
  const std::size_t count = folds.size();
  switch (folds.how.scheme) {
    case FoldScheme::kfold: return counted(count, "random fold");
    case FoldScheme::stratified: return counted(count, "stratified fold");
    case FoldScheme::group:
      return fmt::format("{} by {}", counted(count, "fold"), folds.how.column);
    case FoldScheme::time:
      return fmt::format("{} in time, by {}", counted(count, "step"), folds.how.column);
    case FoldScheme::leave_one_out: return fmt::format("leave one out, {}", counted(count, "fold"));
    case FoldScheme::five_by_two: return fmt::format("{} times two halves", count / 2);
    case FoldScheme::bootstrap: return counted(count, "bootstrap sample");
    case FoldScheme::holdout: return counted(count, "random holdout");
  }
  return counted(count, "fold");
}

}  // namespace gradus::report
