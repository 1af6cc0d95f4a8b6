#pragma once

namespace lab::lockdown {

/// A compiler starts programs and makes files executable. A kernel only computes, in threads. With a GPU, its driver
/// may choose the cores of its own threads.
enum class program_kind { compiler, kernel, gpu_kernel };

/// Refuses the system calls that this kind of program does not need and that could reach another process, the network
/// or the machine's settings. Applies to all threads, permanently. @throws std::system_error if Linux has no seccomp
void restrict_system_calls(program_kind kind);

}  // namespace lab::lockdown
