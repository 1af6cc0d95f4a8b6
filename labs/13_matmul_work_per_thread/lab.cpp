#include "families/matmul.hpp"

const lab::registration registered{
    LAB_NAME,
    {
        .title = "Matrix product with several outputs a thread",
        .idea = "what a thread holds in registers it need not read from shared memory again",
        .launchers = {families::matmul()},
        .baseline = "07_matmul_tiled",
    }};
