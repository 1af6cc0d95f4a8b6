#include "support/starvation.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <string>

namespace lab {

namespace fs = std::filesystem;

namespace {

// The state in "1234 (name) R ...", whose name may hold anything.
bool is_runnable(const fs::path& thread) {
  std::string text;
  std::getline(std::ifstream{thread / "stat"} >> std::ws, text);
  const auto end = text.rfind(')');
  return end != text.npos && end + 2 < text.size() && text[end + 2] == 'R';
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
  look_at(process_, 0);
  first_ = false;
}

// A thread that is new since the last look has waited since it began.
void starvation::look_at(pid_t process, int depth) {
  const auto now = clock::now();
  std::error_code ended;
  for (const auto& thread : fs::directory_iterator{"/proc/" + std::to_string(process) + "/task", ended}) {
    const auto name = thread.path().filename().string();
    int id = 0;
    std::from_chars(name.data(), name.data() + name.size(), id);
    double ran_ns = 0, waited_ns = 0;
    if (!(std::ifstream{thread.path() / "schedstat"} >> ran_ns >> waited_ns)) continue;
    auto& one = threads_.try_emplace(id, thread_state{.since = now}).first->second;
    if (first_) one.before = waited_ns / 1e9;
    if (one.ran != ran_ns / 1e9 || one.waited != waited_ns / 1e9) one.since = now;
    one.ran = ran_ns / 1e9;
    one.waited = waited_ns / 1e9;
    one.runnable = is_runnable(thread.path());
    std::ifstream children{thread.path() / "children"};
    for (pid_t next = 0; depth < deepest && children >> next;) look_at(next, depth + 1);
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

double without_a_core_s(pid_t thread) {
  const std::lock_guard lock{idle_guard};
  return all_without_a_core_s(thread) - idle_in_waits[thread];
}

counted_starvation::counted_starvation(pid_t process, counted_from from)
    : own_{process, from}, thread_{gettid()}, before_{all_without_a_core_s(thread_)} {
  starved_in_waits += seconds() / ++waits_now;
}

counted_starvation::~counted_starvation() {
  --waits_now;
  const std::lock_guard lock{idle_guard};
  idle_in_waits[thread_] += all_without_a_core_s(thread_) - before_;
}

void counted_starvation::look() {
  const double before = seconds();
  own_.look();
  starved_in_waits += std::max(0.0, seconds() - before) / waits_now;
}

double counted_starvation::of_all_waits() { return starved_in_waits; }

}  // namespace lab
