#pragma once

#include <string>

namespace lab::cli {

/// Reads keys from standard input. A terminal delivers each key at once, without echo. A pipe delivers the first
/// character of each line. The destructor restores the terminal, and so does a signal handler after a crash.
class keyboard {
 public:
  keyboard();
  keyboard(const keyboard&) = delete;
  keyboard& operator=(const keyboard&) = delete;
  ~keyboard();

  bool is_terminal() const { return terminal_; }

  /// The descriptor to poll, or -1 at the end of the input.
  int descriptor() const { return ended_ ? -1 : 0; }
  bool ended() const { return ended_; }

  /// The keys pressed since the last call, one character each. Blocks unless the descriptor is ready.
  std::string keys();

  /// Restores the terminal while this program is stopped (Ctrl-Z).
  void give_terminal_back();
  void take_terminal();

 private:
  bool terminal_, ended_ = false, at_line_start_ = true;
};

}  // namespace lab::cli
