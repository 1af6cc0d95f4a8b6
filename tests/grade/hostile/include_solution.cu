// expect: compile_error
// Includes the reference solution by its path relative to lab.hpp.
#include "../../solutions/01_vector_add/kernel.cu"
