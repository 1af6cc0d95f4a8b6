#include "families/transpose.hpp"

const lab::enrol enrolled{LAB_NAME,
                          {
                              .title = "Transpose through a padded tile",
                              .idea = "one more column in shared memory ends the bank conflicts",
                              .contracts = {families::transpose()},
                              .baseline = "02_transpose_naive",
                          }};
