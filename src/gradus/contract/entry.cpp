#include "gradus/contract/entry.hpp"

#include <cxxabi.h>

#include <cstdlib>

namespace gradus {

std::string unqualified_name(const std::type_info& type) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(type.name(), nullptr, nullptr, &status), &std::free);
  const std::string name = status == 0 ? text.get() : type.name();
  const std::size_t colon = name.rfind(':');
  return colon == std::string::npos ? name : name.substr(colon + 1);
}

}  // namespace gradus
