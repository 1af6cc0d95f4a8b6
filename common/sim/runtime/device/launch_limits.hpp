#pragma once

#include <optional>
#include <string>

#include "cuda_runtime_api.h"
#include "lab_sim/device.h"
#include "lab_sim/launch.h"

namespace lab::sim {

/// Checks a launch against the limits of the device. The error detail says why it is refused.
cudaError_t check_launch(const lab_sim::config& where, const lab_sim::kernel_call& call);

/// Refuses a launch; `about` as in trace::refused(). Returns the error.
cudaError_t refuse_launch(cudaError_t error, const lab_sim::kernel_call& call, const std::string& why,
                          const char* about = "");

/// The most bytes of dynamic shared memory that a launch of this kernel may ask for: 48 KB, or what was set.
std::size_t dynamic_shared_limit(const void* kernel);
void set_dynamic_shared_limit(const void* kernel, std::size_t bytes);

/// Lets clusters of this kernel have more blocks than every GPU of compute capability 9.0 allows.
void allow_large_clusters(const void* kernel, bool allowed);
/// The most blocks that a cluster of this kernel may have.
std::size_t largest_cluster(const void* kernel);

/// The blocks of a cluster that the kernel's __cluster_dims__ names, else those that its launch names. Nothing if it is
/// not known which of several kernels is meant (cluster_of_kernel).
std::optional<dim3> cluster_of(const lab_sim::config& where, const void* kernel, const char* name = nullptr);

}  // namespace lab::sim
