#include "terminal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "gradus/core/atomic_file.hpp"
#include "gradus/core/text.hpp"
#include "gradus/core/value.hpp"

namespace gradus::cli {
namespace {

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

bool wants_colour(When when) {
  if (when != When::automatic) return when == When::always;
  const char* term = std::getenv("TERM");
  const bool dumb = term != nullptr && std::string_view(term) == "dumb";
  return !is_set("NO_COLOR") && !dumb && is_terminal(STDOUT_FILENO);
}

std::size_t terminal_width() {
  constexpr std::size_t kUsual = 100;
  constexpr std::size_t kLeast = 40;
  constexpr std::size_t kMost = 140;
  winsize size{};
  const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= kLeast;
  return known ? std::min<std::size_t>(size.ws_col, kMost) : kUsual;
}

}  // namespace

bool is_terminal(int descriptor) { return isatty(descriptor) == 1; }

void secure_standard_streams() {
  // Opened the wrong way round on purpose: reading a closed input, or writing to a closed output,
  // must fail as it would have.
  const int modes[] = {O_WRONLY, O_RDONLY, O_WRONLY};
  for (int descriptor = 0; descriptor < 3; ++descriptor) {
    const bool closed = fcntl(descriptor, F_GETFD) == -1 && errno == EBADF;
    if (closed && open("/dev/null", modes[descriptor]) == -1) std::_Exit(71);
  }
}

void print_result(std::string_view text) {
  OutputFile out("-", Overwrite::replace);
  out.write(text);
  out.commit();
}

void complain(std::string_view line) {
  const std::string text = std::string(line) + "\n";
  std::string_view rest = text;
  while (!rest.empty()) {
    const ssize_t written = write(STDERR_FILENO, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

void warn(const Speech& speech, const std::vector<std::string>& warnings) {
  if (speech.quiet) return;
  for (const std::string& warning : warnings) complain("warning: " + escape_controls(warning));
}

std::string error_line(const Error& error, bool as_json) {
  if (!as_json) return error.what();
  return to_json(object({{"error", object({{"kind", kind_name(error.kind())},
                                           {"where", escape_controls(error.where())},
                                           {"message", escape_controls(error.message())},
                                           {"hint", escape_controls(error.hint())},
                                           {"exit", exit_code(error.kind())}})}}));
}

report::TextStyle style_of(const Speech& speech) {
  return {.width = terminal_width(),
          .colour = wants_colour(speech.colour) ? report::Colour::yes : report::Colour::no};
}

}  // namespace gradus::cli
