#include "families/matmul.hpp"

const lab::enrol enrolled{LAB_NAME,
                          {
                              .title = "Matrix product with several outputs a thread",
                              .idea = "what a thread holds in registers it need not read from shared memory again",
                              .contracts = {families::matmul()},
                              .baseline = "07_matmul_tiled",
                          }};
