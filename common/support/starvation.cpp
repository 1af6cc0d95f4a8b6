#include "support/starvation.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <sstream>
#include <string>
#include <utility>

namespace lab {

namespace fs = std::filesystem;

namespace {

// What follows "1234 (name) " in the line of a process or a thread: its name may hold anything.
std::istringstream stat_after_name(const fs::path& folder) {
  std::string text;
  std::getline(std::ifstream{folder / "stat"} >> std::ws, text);
  const auto end = text.rfind(')');
  return std::istringstream{end == text.npos ? "" : text.substr(end + 1)};
}

bool is_runnable(const fs::path& thread) {
  char state = 0;
  return stat_after_name(thread) >> state && state == 'R';
}

// In seconds, of a process and of the children it has waited for.
double ran_s(const fs::path& process) {
  auto stat = stat_after_name(process);
  std::string skipped;
  for (int field = 3; field < 14; ++field) stat >> skipped;  // proc(5) counts from 1, and the name is 2
  double ticks = 0, all = 0;
  for (int field = 14; field <= 17 && stat >> ticks; ++field) all += ticks;
  return all / static_cast<double>(sysconf(_SC_CLK_TCK));
}

constexpr int deepest = 8;  // a compiler's driver, the compiler

double all_without_a_core_s(pid_t thread) {
  double ran_ns = 0, waited_ns = 0;
  std::ifstream{"/proc/self/task/" + std::to_string(thread) + "/schedstat"} >> ran_ns >> waited_ns;
  return waited_ns / 1e9;
}

std::mutex idle_guard;
std::map<pid_t, double> idle_in_waits;  // what each thread waited for a core while it waited for a process
std::atomic<int> waits_now = 0;
std::atomic<double> starved_in_waits = 0;

}  // namespace

void starvation::look() {
  double ran = 0;
  const std::size_t alive_before = std::exchange(alive_, 0);
  changed_ = false;
  for (auto& [id, thread] : threads_) thread.runnable = false;  // unless it is still there
  look_at(process_, 0, ran);
  if (alive_ != alive_before) changed_ = true;
  if (first_) ran_before_ = ran;
  ran_ = std::max(ran_, ran);
  first_ = false;
}

// A thread that is new since the last look has waited since it began.
void starvation::look_at(pid_t process, int depth, double& ran) {
  const auto now = clock::now();
  const fs::path folder = "/proc/" + std::to_string(process);
  ran += ran_s(folder);
  std::error_code ended;
  for (const auto& thread : fs::directory_iterator{folder / "task", ended}) {
    const auto name = thread.path().filename().string();
    int id = 0;
    std::from_chars(name.data(), name.data() + name.size(), id);
    double ran_ns = 0, waited_ns = 0;
    if (!(std::ifstream{thread.path() / "schedstat"} >> ran_ns >> waited_ns)) continue;
    auto& one = threads_.try_emplace(id, thread_state{.since = now}).first->second;
    if (first_) one.before = waited_ns / 1e9;
    if (one.ran != ran_ns / 1e9 || one.waited != waited_ns / 1e9) one.since = now;
    if (one.since == now) changed_ = true;
    ++alive_;
    one.ran = ran_ns / 1e9;
    one.waited = waited_ns / 1e9;
    one.runnable = is_runnable(thread.path());
    if (!one.runnable) one.since = now;  // who wakes up has not waited while it slept
    std::ifstream children{thread.path() / "children"};
    for (pid_t next = 0; depth < deepest && children >> next;) look_at(next, depth + 1, ran);
  }
}

// With the wait that has not ended.
double starvation::thread_state::longest_wait() const {
  const std::chrono::duration<double> now = runnable ? clock::now() - since : clock::duration{};
  return waited - before + now.count();
}

double starvation::seconds() const {
  double longest = 0;
  for (const auto& [id, thread] : threads_) longest = std::max(longest, thread.longest_wait());
  return longest;
}

double starvation::not_run_s() const {
  const std::chrono::duration<double> passed = clock::now() - begin_;
  return std::max(0.0, passed.count() - cpu_s());
}

double without_a_core_s(pid_t thread) {
  const std::lock_guard lock{idle_guard};
  return all_without_a_core_s(thread) - idle_in_waits[thread];
}

counted_starvation::counted_starvation(pid_t process, counted_from from)
    : own_{process, from}, thread_{gettid()}, before_{all_without_a_core_s(thread_)} {
  ++waits_now;
  add();
}

counted_starvation::~counted_starvation() {
  --waits_now;
  const std::lock_guard lock{idle_guard};
  idle_in_waits[thread_] += all_without_a_core_s(thread_) - before_;
}

void counted_starvation::look() {
  own_.look();
  const double waited = all_without_a_core_s(thread_);
  if (own_.changed()) blind_ += waited - looked_;
  looked_ = waited;
  add();
}

void counted_starvation::add() {
  const double all = std::max(added_, seconds());
  starved_in_waits += (all - added_) / waits_now;
  added_ = all;
}

// Who has no core sees nothing of a process that begins and ends meanwhile. What a process ran was not spent waiting.
double counted_starvation::seconds() const {
  const double since_look = all_without_a_core_s(thread_) - looked_;
  const double unseen = std::min(blind_ + since_look, own_.not_run_s());
  return std::max(own_.seconds(), unseen);
}

double counted_starvation::of_all_waits() { return starved_in_waits; }

}  // namespace lab
