#pragma once

#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>

#include "lab/launcher_spec.hpp"
#include "protocol/launcher_call.hpp"

namespace lab::judge {

/// The inputs of calls. Launchers that draw the same arguments share them, because drawing a large array takes longer
/// than the sample that reads it. Several threads may ask at the same time.
class call_inputs {
 public:
  std::shared_ptr<const discarded_arrays> of(const launcher_spec& launcher, const problem_size& size,
                                             std::uint64_t seed);

 private:
  using arrays = std::shared_ptr<const discarded_arrays>;

  std::mutex guard_{};
  std::map<std::tuple<void (*)(), std::string, std::uint64_t>, std::shared_future<arrays>> drawn_{};
};

}  // namespace lab::judge
