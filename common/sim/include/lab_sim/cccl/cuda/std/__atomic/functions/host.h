#pragma once

// A thread of a kernel that reads an atomic object again and again waits for another one, which must run meanwhile.

#include "lab_sim/waiting.h"

#define __atomic_load(from, to, order) (__atomic_load(from, to, order), ::lab_sim::has_read(from, order))
#include_next <cuda/std/__atomic/functions/host.h>
#undef __atomic_load
