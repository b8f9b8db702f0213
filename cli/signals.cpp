#include "signals.hpp"

#include <sys/time.h>
#include <unistd.h>

#include <cmath>
#include <csignal>

namespace gradus::cli {
namespace {

CancelToken token;
volatile std::sig_atomic_t asked_to_stop = 0;
volatile std::sig_atomic_t time_is_up = 0;
volatile std::sig_atomic_t writing_output = 0;

extern "C" void stop_handler(int) {
  if (asked_to_stop != 0 && writing_output == 0) _exit(130);
  asked_to_stop = 1;
  token.request();
}

extern "C" void timeout_handler(int) {
  time_is_up = 1;
  token.request();
}

void handle(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(signal, &action, nullptr);
}

}  // namespace

void install_signal_handlers() {
  handle(SIGINT, stop_handler);
  handle(SIGTERM, stop_handler);
  handle(SIGPIPE, SIG_IGN);
  handle(SIGXFSZ, SIG_IGN);
}

UndisturbedOutput::UndisturbedOutput(const std::string& path) {
  writing_output = path == "-" ? 0 : 1;
}
UndisturbedOutput::~UndisturbedOutput() { writing_output = 0; }

void start_timeout(double seconds) {
  handle(SIGALRM, timeout_handler);
  const double whole = std::floor(seconds);
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(whole);
  timer.it_value.tv_usec = static_cast<suseconds_t>((seconds - whole) * 1e6);
  setitimer(ITIMER_REAL, &timer, nullptr);
}

const CancelToken& cancel_token() { return token; }
bool timed_out() { return time_is_up != 0 && asked_to_stop == 0; }

}  // namespace gradus::cli
