#pragma once

#include "curand.h"
#include "lab_sim/libraries/curand_distributions.h"
#include "lab_sim/libraries/curand_philox.h"
#include "lab_sim/libraries/curand_xorwow.h"

// Random numbers in kernels. Each state gives the same numbers as on a GPU.

#include "lab_sim/libraries/curand_lacks.h"
