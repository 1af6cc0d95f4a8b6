#pragma once

// How threads of kernels, and of the host, wait for each other by reading memory again and again.

namespace lab_sim {

/// What the thread waits for has not happened yet. Lets others run.
void waits_on();
/// What the thread has waited for has happened. That orders what other threads of the block did before.
void has_waited();
/// The thread has read an atomic object, in this order of the compiler's. Lets others run now and then if it reads the
/// same object all the time.
void has_read(const volatile void* object, int order);

}  // namespace lab_sim
