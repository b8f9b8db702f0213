// A library to be loaded before the command: opening a file whose name ends in `.bug` throws, as a
// mistake of ours in the middle of reading would. So the last resort of the command is tested as it
// is, without a door in the product.
#include <dlfcn.h>
#include <fcntl.h>

#include <cstdarg>
#include <stdexcept>
#include <string_view>

namespace {

int open_or_throw(const char* symbol, const char* path, int flags, unsigned mode) {
  if (std::string_view(path).ends_with(".bug")) throw std::logic_error("an injected bug");
  using Open = int (*)(const char*, int, ...);
  return reinterpret_cast<Open>(::dlsym(RTLD_NEXT, symbol))(path, flags, mode);
}

}  // namespace

extern "C" int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const unsigned mode = va_arg(rest, unsigned);
  va_end(rest);
  return open_or_throw("open", path, flags, mode);
}

extern "C" int open64(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const unsigned mode = va_arg(rest, unsigned);
  va_end(rest);
  return open_or_throw("open64", path, flags, mode);
}
