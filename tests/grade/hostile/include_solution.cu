// expect: compile_error
// Includes the reference solution, by its place beside the folder of lab.hpp.
#include "../../solutions/01_vector_add/kernel.cu"
