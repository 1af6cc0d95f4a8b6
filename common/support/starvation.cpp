#include "support/starvation.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
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

}  // namespace

void starvation::look() {
  const auto now = clock::now();
  std::error_code ended;
  for (const auto& thread : fs::directory_iterator{"/proc/" + std::to_string(process_) + "/task", ended}) {
    const auto name = thread.path().filename().string();
    int id = 0;
    std::from_chars(name.data(), name.data() + name.size(), id);
    double ran_ns = 0, waited_ns = 0;
    if (!(std::ifstream{thread.path() / "schedstat"} >> ran_ns >> waited_ns)) continue;
    auto& one = threads_[id];
    if (first_) one.before = waited_ns / 1e9;
    if (one.ran != ran_ns / 1e9 || one.waited != waited_ns / 1e9) one.since = now;
    one.ran = ran_ns / 1e9;
    one.waited = waited_ns / 1e9;
    one.runnable = is_runnable(thread.path());
  }
  first_ = false;
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

}  // namespace lab
