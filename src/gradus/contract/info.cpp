#include "gradus/contract/info.hpp"

namespace gradus {

std::string_view task_word(Task task) {
  constexpr std::string_view kWords[] = {"classification", "regression", "clustering"};
  return kWords[static_cast<std::size_t>(task)];
}

std::string_view encoding_word(Encoding encoding) {
  constexpr std::string_view kWords[] = {"one_hot", "dummy", "ordinal", "target"};
  return kWords[static_cast<std::size_t>(encoding)];
}

}  // namespace gradus
