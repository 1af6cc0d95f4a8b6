#include "families/matmul_bf16.hpp"

const lab::registration registered{LAB_NAME,
                                   {
                                       .title = "Matrix product on tensor cores",
                                       .idea = "a warp multiplies fragments of 16 x 16 elements with one instruction",
                                       .launchers = {families::matmul_bf16()},
                                       .least_capability = 80,
                                   }};
