#pragma once

namespace lab::lockdown {

/// What a program has to do: a compiler starts others and makes files executable; a kernel only computes in threads.
enum class trade { compiler, kernel };

/// Refuses every system call that this trade does not need and that could reach another process, the network or the
/// machine's settings; in all threads, for good. @throws std::system_error where the kernel has no seccomp
void restrict_system_calls(trade t);

}  // namespace lab::lockdown
