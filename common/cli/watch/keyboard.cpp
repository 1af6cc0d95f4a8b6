#include "cli/watch/keyboard.hpp"

#include <signal.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace lab::cli {

namespace {

// Global, because a signal handler takes no further argument.
termios before{};
volatile sig_atomic_t changed = 0;
pid_t terminal_owner = 0;

void restore() {
  if (!changed) return;
  changed = 0;
  tcsetattr(STDIN_FILENO, TCSANOW, &before);
}

void on_crash(int number) {
  if (getpid() == terminal_owner) restore();  // a forked check may crash while its watcher runs on
  raise(number);                              // runs the default action, because of SA_RESETHAND
}

void restore_after_crash() {
  terminal_owner = getpid();
  struct sigaction action {};
  action.sa_handler = on_crash;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER);
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGQUIT, SIGPIPE})
    sigaction(number, &action, nullptr);
}

}  // namespace

keyboard::keyboard() : terminal_{isatty(STDIN_FILENO) == 1} {
  if (terminal_) restore_after_crash();
  take_terminal();
}

keyboard::~keyboard() { give_terminal_back(); }

void keyboard::take_terminal() {
  if (!terminal_ || changed || tcgetattr(STDIN_FILENO, &before) != 0) return;
  auto raw = before;
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  changed = 1;
  tcsetattr(STDIN_FILENO, TCSANOW, &raw);
}

void keyboard::give_terminal_back() { restore(); }

std::string keyboard::keys() {
  std::array<char, 256> chunk{};
  const auto got = read(STDIN_FILENO, chunk.data(), chunk.size());
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return {};
  if (got <= 0) ended_ = true;
  std::string all;
  for (ssize_t i = 0; i < got; ++i) {
    const char c = chunk[static_cast<std::size_t>(i)];
    if (terminal_ && c == '\004') ended_ = true;  // Ctrl-D
    if ((terminal_ || at_line_start_) && c != '\n') all += c;
    at_line_start_ = c == '\n';
  }
  return all;
}

}  // namespace lab::cli
