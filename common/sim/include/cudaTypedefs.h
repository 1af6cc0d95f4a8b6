#pragma once
// Types of functions of the driver that programs ask cudaGetDriverEntryPoint for. The simulator has one of them there.

#include "cuda.h"

using PFN_cuTensorMapEncodeTiled_v12000 = decltype(&cuTensorMapEncodeTiled);
using PFN_cuTensorMapEncodeTiled = PFN_cuTensorMapEncodeTiled_v12000;
