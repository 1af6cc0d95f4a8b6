#pragma once

#include <string>

namespace lab::cli {

/// The keys that a person presses. On a terminal each key counts at once and is not shown; from a pipe the first
/// character of each line counts. The terminal is as it was when this object is gone, also after a crash.
class keyboard {
 public:
  keyboard();
  keyboard(const keyboard&) = delete;
  keyboard& operator=(const keyboard&) = delete;
  ~keyboard();

  bool is_terminal() const { return terminal_; }

  /// What to poll for input, or -1 after its end.
  int descriptor() const { return ended_ ? -1 : 0; }
  bool ended() const { return ended_; }

  /// Takes what has come since, one character for each key. To be called when the descriptor is ready, or it waits.
  std::string keys();

  /// While somebody else has the terminal (Ctrl-Z), it is as it was.
  void give_terminal_back();
  void take_terminal();

 private:
  bool terminal_, ended_ = false, at_line_start_ = true;
};

}  // namespace lab::cli
