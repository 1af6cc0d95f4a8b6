#pragma once

#include <optional>

#include "lab_sim/types.h"

namespace lab::sim {

inline bool same_size(const dim3& a, const dim3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

/// The blocks of a cluster that the kernel's __cluster_dims__ names; one if it names none. The address is null if the
/// launch does not say which of several kernels of this name it means, as with template arguments that are deduced.
/// Nothing if these name clusters of different sizes.
std::optional<dim3> cluster_of_kernel(const void* kernel, const char* name);

}  // namespace lab::sim
