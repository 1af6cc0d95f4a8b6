#include "sim/runtime/execution/worker_pool.hpp"

#include <cstdlib>
#include <system_error>
#include <thread>

namespace lab::sim {

// A limit of the user's threads counts those of other programs, too. Then fewer helpers do the work.
worker_pool::worker_pool(unsigned helpers) {
  try {
    for (; helpers_ < helpers; ++helpers_) std::thread{[this] { serve(); }}.detach();
  } catch (const std::system_error& error) {
    if (error.code() != std::errc::resource_unavailable_try_again) throw;
  }
}

void worker_pool::run(const std::function<void()>& part) {
  {
    const std::lock_guard lock{guard_};
    part_ = &part;
    wanted_ = helpers_;
  }
  wake_.notify_one();
  part();
  std::unique_lock lock{guard_};
  wanted_ = 0;
  done_.wait(lock, [this] { return busy_ == 0; });
}

void worker_pool::serve() {
  std::unique_lock lock{guard_};
  for (;;) {
    wake_.wait(lock, [this] { return wanted_ > 0; });
    const auto& part = *part_;
    ++busy_;
    if (--wanted_ > 0) wake_.notify_one();
    if (wanted_ > 1) wake_.notify_one();
    lock.unlock();
    part();
    lock.lock();
    wanted_ = 0;
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
