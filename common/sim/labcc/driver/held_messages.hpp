#pragma once

#include <string>

namespace lab::sim {

/// Keeps what this process and its children write to standard error, until it is shown or dropped.
class held_messages {
 public:
  held_messages();
  held_messages(const held_messages&) = delete;
  held_messages& operator=(const held_messages&) = delete;
  ~held_messages();
  /// Whether there is a message. False if they cannot be kept, but are shown at once.
  bool any() const;
  /// The messages so far; empty if they cannot be kept.
  std::string text() const;
  /// Shows the messages when this object ends.
  void show() { shown_ = true; }
  /// The descriptor that they go to.
  int original() const { return original_ < 0 ? 2 : original_; }

 private:
  int original_ = -1, file_ = -1;
  bool shown_ = false;
};

}  // namespace lab::sim
