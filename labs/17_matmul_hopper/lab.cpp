#include "families/matmul_bf16.hpp"

const lab::registration registered{LAB_NAME,
                                   {
                                       .title = "Matrix product by asynchronous copies and products",
                                       .idea = "one warpgroup keeps the copy engine busy, two others the tensor cores",
                                       .launchers = {families::matmul_bf16()},
                                       .baseline = "16_matmul_tensor_cores",
                                       .least_capability = 90,
                                   }};
