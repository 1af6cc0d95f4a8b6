#include "sim/runtime/execution/worker_pool.hpp"

#include <cstdlib>
#include <thread>

namespace lab::sim {

worker_pool::worker_pool(unsigned helpers) : helpers_{helpers} {
  for (unsigned i = 0; i < helpers; ++i) std::thread{[this] { serve(); }}.detach();
}

void worker_pool::run(const std::function<void()>& part) {
  {
    const std::lock_guard lock{guard_};
    part_ = &part;
    ++round_;
  }
  wake_.notify_all();
  part();
  std::unique_lock lock{guard_};
  part_ = nullptr;
  done_.wait(lock, [this] { return busy_ == 0; });
}

void worker_pool::serve() {
  std::uint64_t seen = 0;
  for (;;) {
    std::unique_lock lock{guard_};
    wake_.wait(lock, [&] { return round_ != seen; });
    seen = round_;
    if (!part_) continue;
    const auto& part = *part_;
    ++busy_;
    lock.unlock();
    part();
    lock.lock();
    if (--busy_ == 0) done_.notify_one();
  }
}

namespace {

unsigned wanted_threads() {
  const char* const chosen = std::getenv("LAB_SIM_THREADS");
  const int count = chosen ? std::atoi(chosen) : static_cast<int>(std::thread::hardware_concurrency());
  return count < 1 ? 1 : static_cast<unsigned>(count);
}

}  // namespace

worker_pool& workers() {
  static auto* const the = new worker_pool{wanted_threads() - 1};  // its threads never end
  return *the;
}

}  // namespace lab::sim
