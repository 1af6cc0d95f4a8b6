#include "support/interruptible.hpp"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>

#include <array>
#include <optional>

#include "support/signals.hpp"
#include "support/task.hpp"
#include "support/temporary_folder.hpp"

namespace lab {

int run_interruptible(const std::function<int(const std::filesystem::path& folder)>& function) {
  signals arrived{SIGINT, SIGTERM,
                  SIGHUP};  // before the folder, so that no signal ends this process without removing it
  const temporary_folder folder{"work"};
  std::optional<task> running;
  running.emplace([&] {
    arrived.restore();
    setenv("TMPDIR", folder.path().c_str(), 1);
    return function(folder.path());
  });
  while (true) {
    std::array<pollfd, 2> on{{{arrived.descriptor(), POLLIN, 0}, {running->descriptor(), POLLIN, 0}}};
    poll(on.data(), on.size(), -1);
    if (const int number = arrived.next(); number != 0) return running.reset(), 128 + number;
    if (const auto code = running->ended()) return *code;
  }
}

}  // namespace lab
