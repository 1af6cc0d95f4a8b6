#include "families/transpose.hpp"

const lab::enrol enrolled{LAB_NAME,
                          {
                              .title = "Transpose, naive",
                              .idea = "a two-dimensional grid: the loads are coalesced, the stores scattered",
                              .contracts = {families::transpose({families::coalesced_loads()})},
                          }};
