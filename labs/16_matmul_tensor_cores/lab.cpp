#include "families/matmul_bf16.hpp"

const lab::enrol enrolled{LAB_NAME,
                          {
                              .title = "Matrix product on tensor cores",
                              .idea = "a warp multiplies fragments of 16 x 16 elements with one instruction",
                              .contracts = {families::matmul_bf16()},
                              .backends = {"cuda"},
                              .least_capability = 80,
                          }};
