#include "cli/watch/watch_loop.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>

#include <array>
#include <chrono>

#include "build/build.hpp"
#include "cli/explain.hpp"
#include "cli/progress/course.hpp"
#include "cli/progress/progress.hpp"
#include "cli/shared_commands.hpp"
#include "cli/watch/file_watch.hpp"
#include "cli/watch/keyboard.hpp"
#include "cli/watch/signals.hpp"
#include "cli/watch/task.hpp"
#include "text/text_file.hpp"

namespace lab::cli {

namespace {

using clock = std::chrono::steady_clock;

class watcher {
 public:
  explicit watcher(const flags& f)
      : flags_{f}, show_{false, f.no_color}, lab_{f.which.empty() ? current_lab() : &find(f.which)} {}

  int run();

 private:
  void begin(const entry& lab);
  void start_check();
  void start_profile();
  void wait();
  void take_signal();
  void take_keys();
  void press(char key);
  void go_on();
  void show_solution();
  void explain_verdict();
  void finish();
  void prompt();

  flags flags_;
  terminal show_;
  const entry* lab_;
  signals signals_{SIGINT, SIGTERM, SIGHUP, SIGTSTP};
  keyboard keyboard_;  // after the signals, so that none can come between its end and theirs
  std::optional<file_watch> file_;
  std::optional<task> running_;
  clock::time_point begun_{};
  std::string waiting_keys_;
  bool checking_ = false, over_ = false, solution_asked_ = false;
  int code_ = passed;
};

std::filesystem::path kernel_of(const entry& lab) { return judge::starter_of(lab).source; }

void watcher::begin(const entry& lab) {
  lab_ = &lab;
  flags_.which = lab.name;
  remember_current(lab.name);
  file_.emplace(kernel_of(lab));
  start_check();
}

void watcher::start_check() {
  running_.reset();
  judge::remove_abandoned_builds();
  if (keyboard_.is_terminal()) fmt::print("\033[H\033[2J");
  show_.print(fmt::format("{}: {}\nwatching labs/{}/kernel.cu; its lesson is README.md beside it",
                          show_.bold(lab_->name), lab_->definition.idea, lab_->name));
  begun_ = clock::now();
  checking_ = true;
  running_.emplace([this] {
    signals_.restore();
    int code = passed;
    judge::check_options o;
    fill(o, flags_);
    check_all(chosen_jobs(flags_), o, show_, code, advice::none);
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
    const std::chrono::duration<double> taken = clock::now() - begun_;
    show_.print(fmt::format("{:.1f} s from save to verdict", taken.count()));
  }
  prompt();
}

void watcher::prompt() {
  const auto key = [&](const char* letter) { return show_.bold(letter); };
  const bool done = checking_ && code_ == passed;
  show_.print(fmt::format("\n{}{}\n{} hint  {} next  {} list  {} profile  {} explain  {} solution  {} check  {} quit",
                          progress_bar(show_), done ? "; n goes on to the next lab" : "", key("h"), key("n"), key("l"),
                          key("p"), key("e"), key("s"), key("c"), key("q")));
}

void watcher::go_on() {
  if (const auto* next = lab_after(*lab_)) return begin(*next);
  show_.print("There is no other lab to do. ./lab report shows how fast your kernels are.");
  prompt();
}

void watcher::show_solution() {
  const bool may = recall(lab_->name).passed || solution_asked_;
  solution_asked_ = !may;
  if (!may) return show_.print("You have not passed this lab yet. Press s once more if you want to see its solution.");
  show_.print(fmt::format("solutions/{0}/kernel.cu; solutions/{0}/README.md says why it works\n\n{1}", lab_->name,
                          lab::read_whole(judge::solution_of(*lab_).source)));
}

// What the last check came to, from the document that it has kept.
void watcher::explain_verdict() {
  const auto found = last_finding(*lab_, std::string{word(chosen_backend(flags_))});
  show_.print(found.empty() ? "The last check has found nothing to explain." : explanation_of(found));
}

void watcher::press(char key) {
  if (key != 's') solution_asked_ = false;
  switch (key) {
    case 'h':
      return show_hint(lab_->name, 0);
    case 'n':
      return go_on();
    case 'l':
      return print_course(show_, lab_);
    case 'p':
      return start_profile();
    case 'e':
      return explain_verdict();
    case 's':
      return show_solution();
    case 'c':
      return start_check();
    case 'q':
      over_ = true;
      return;
    default:
      if (static_cast<unsigned char>(key) > ' ') prompt();
  }
}

// On a terminal q and n do not wait for a check; a script's keys come in their turn.
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
    show_.print("You have passed every lab. Name one to work on it again: ./lab watch 04");
    return passed;
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
      } catch (const usage_error& e) {
        show_.print(e.what());
      }
    }
    if (!running_ && waiting_keys_.empty() && keyboard_.ended()) over_ = true;
  }
  return code_;
}

}  // namespace

int watch(const flags& f) { return watcher{f}.run(); }

}  // namespace lab::cli
