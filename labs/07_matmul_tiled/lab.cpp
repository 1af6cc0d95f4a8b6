#include "families/matmul.hpp"

const lab::enrol enrolled{LAB_NAME,
                          {
                              .title = "Matrix product by tiles",
                              .idea = "a block stages tiles of both matrices in shared memory and uses each 32 times",
                              .contracts = {families::matmul()},
                              .baseline = "05_matmul_naive",
                          }};
