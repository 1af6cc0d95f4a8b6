#include "cli/watch/watch_loop.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>

#include <array>
#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

#include "build/kernel_cache.hpp"
#include "cli/explain.hpp"
#include "cli/lab_choice.hpp"
#include "cli/progress/lab_sequence.hpp"
#include "cli/progress/progress.hpp"
#include "cli/shared_commands.hpp"
#include "cli/watch/file_watch.hpp"
#include "cli/watch/keyboard.hpp"
#include "support/installation.hpp"
#include "support/signals.hpp"
#include "support/task.hpp"
#include "text/text_file.hpp"

namespace lab::cli {

namespace {

using clock = std::chrono::steady_clock;

class watcher {
 public:
  explicit watcher(const common_flags& flags)
      : flags_{flags}, out_{false, flags.no_color}, lab_{flags.which.empty() ? nullptr : &chosen_lab(flags.which)} {}

  int run();

 private:
  void begin(const entry& lab);
  void start_check();
  void start_profile();
  void wait();
  void take_signal();
  void take_keys();
  void press(char key);
  void start_next_lab();
  void ask_for_solution();
  void show_solution();
  void explain_verdict();
  void finish();
  void prompt();

  common_flags flags_;
  terminal out_;
  const entry* lab_;
  signals signals_{SIGINT, SIGTERM, SIGHUP, SIGTSTP};
  keyboard keyboard_;  // after the signals, because no signal may arrive between the destructors of the two
  std::optional<file_watch> file_;
  std::optional<task> running_;
  clock::time_point check_start_{};
  std::string waiting_keys_;
  bool checking_ = false, over_ = false, solution_asked_ = false;
  int code_ = passed;
};

std::filesystem::path kernel_of(const entry& lab) { return judge::starter_of(lab).source; }

void watcher::begin(const entry& lab) {
  remember_current(lab.name);
  lab_ = &lab;
  flags_.which = lab.name;
  file_.emplace(kernel_of(lab));
  start_check();
}

void watcher::start_check() {
  running_.reset();
  judge::remove_abandoned_builds();
  if (keyboard_.is_terminal()) fmt::print("\033[H\033[2J");
  solution_asked_ = false;
  out_.print(fmt::format("{}: {}\nwatching labs/{}/kernel.cu; the lesson is README.md in the same folder",
                         out_.bold(lab_->name), lab_->definition.idea, lab_->name));
  check_start_ = clock::now();
  checking_ = true;
  running_.emplace([this] {
    signals_.restore();
    int code = passed;
    judge::check_options options;
    fill(options, flags_);
    check_all(chosen_jobs(flags_), options, out_, code, advice::none);
    return code;
  });
}

void watcher::start_profile() {
  checking_ = false;
  running_.emplace([this] {
    signals_.restore();
    int code = passed;
    profile(flags_, code);
    return code;
  });
}

void watcher::finish() {
  const auto code = running_->ended();
  if (!code) return;
  running_.reset();
  if (checking_) {
    code_ = *code;
    const std::chrono::duration<double> taken = clock::now() - check_start_;
    out_.print(fmt::format("{:.1f} s from save to verdict", taken.count()));
  }
  prompt();
}

void watcher::prompt() {
  const bool done = checking_ && code_ == passed;
  out_.print(fmt::format("\n{}{}", progress_bar(out_), done ? "; press n for the next lab" : ""));
  std::string keys;
  for (const std::string name : {"hint", "next", "list", "profile", "explain", "solution", "check", "quit"})
    keys += fmt::format("{}{} {}", keys.empty() ? "" : "  ", out_.bold(name.substr(0, 1)), name);
  out_.print_row(keys, 0);
}

void watcher::start_next_lab() {
  const auto next = lab_after(*lab_);
  if (next.lab) begin(*next.lab);
  if (!next.skipped.empty()) out_.print(why_skipped(next));
  if (next.lab) return;
  out_.print(recall(lab_->name).passed ? after_the_last_lab(next) : "You have passed all other labs.");
  prompt();
}

void watcher::ask_for_solution() {
  if (!exists(lab::here().root / "solutions")) return out_.print("This course has no solutions.");
  solution_asked_ = true;
  out_.print(fmt::format("{}Show the solution? Press {} or {}.",
                         recall(lab_->name).passed ? "" : "You have not passed this lab yet. ", out_.bold("y"),
                         out_.bold("n")));
}

void watcher::show_solution() {
  out_.print(fmt::format("solutions/{0}/kernel.cu; solutions/{0}/README.md explains it\n", lab_->name));
  out_.print_unbroken(lab::read_whole(judge::solution_of(*lab_).source));
}

// Explains the result of the last check, which is in its saved document.
void watcher::explain_verdict() {
  const auto found = last_failure(*lab_, std::string{word(chosen_backend(flags_))});
  out_.print(found.empty() ? "The last check reported no failure to explain." : explanation_of(found));
}

void watcher::press(char key) {
  if (std::exchange(solution_asked_, false)) {
    if (key == 'y') return show_solution();
    if (key == 'n') return prompt();
  }
  switch (key) {
    case 'h':
      return show_hint(lab_->name, 0);
    case 'n':
      return start_next_lab();
    case 'l':
      return print_labs(out_, lab_);
    case 'p':
      return start_profile();
    case 'e':
      return explain_verdict();
    case 's':
      return ask_for_solution();
    case 'c':
      return start_check();
    case 'q':
      over_ = true;
      return;
    default:
      if (static_cast<unsigned char>(key) > ' ') prompt();
  }
}

// On a terminal, q and n take effect during a check. Keys from a pipe wait for the end of the check.
void watcher::take_keys() {
  waiting_keys_ += keyboard_.keys();
  if (!keyboard_.is_terminal()) return;
  if (keyboard_.ended() || waiting_keys_.find('q') != std::string::npos) over_ = true;
  if (running_ && waiting_keys_.ends_with('n')) running_.reset();
}

void watcher::take_signal() {
  const int number = signals_.next();
  if (number == 0) return;
  if (number == SIGTSTP) {
    keyboard_.give_terminal_back();
    raise(SIGSTOP);
    return keyboard_.take_terminal();
  }
  code_ = 128 + number;
  over_ = true;
}

void watcher::wait() {
  std::array<pollfd, 4> on{{{signals_.descriptor(), POLLIN, 0},
                            {keyboard_.descriptor(), POLLIN, 0},
                            {file_->descriptor(), POLLIN, 0},
                            {running_ ? running_->descriptor() : -1, POLLIN, 0}}};
  poll(on.data(), on.size(), file_->patience_ms());
  take_signal();
  if (on[1].revents != 0) take_keys();
  if (over_) return;
  if (running_) finish();
  if (file_->saved()) start_check();
}

int watcher::run() {
  if (!lab_) {
    const auto next = current_lab();
    if (!next.skipped.empty()) out_.print(why_skipped(next));
    if (!next.lab)
      return out_.print(after_the_last_lab(next) + " To work on a lab again, name it, for example: ./lab watch 04"),
             passed;
    lab_ = next.lab;
  }
  flags_.backend = word(chosen_backend(flags_));
  begin(*lab_);
  while (!over_) {
    wait();
    while (!over_ && !running_ && !waiting_keys_.empty()) {
      const char key = waiting_keys_.front();
      waiting_keys_.erase(0, 1);
      try {
        press(key);
      } catch (const std::exception& e) {
        out_.print(e.what());
      }
    }
    if (!running_ && waiting_keys_.empty() && keyboard_.ended()) over_ = true;
  }
  return code_;
}

}  // namespace

int watch(const common_flags& flags) { return watcher{flags}.run(); }

}  // namespace lab::cli
