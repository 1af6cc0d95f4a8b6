#include "families/matmul.hpp"

const lab::registration registered{
    LAB_NAME,
    {
        .title = "Matrix product with register tiles, vectors and two buffers",
        .idea = "128 results a thread, 16 bytes a load, and the next tiles on their way meanwhile",
        .launchers = {families::matmul()},
        .baseline = "13_matmul_work_per_thread",
    }};
