#include "families/transpose.hpp"

const lab::registration registered{LAB_NAME,
                                   {
                                       .title = "Transpose, naive",
                                       .idea = "a two-dimensional grid: the loads are coalesced, the stores scattered",
                                       .launchers = {families::transpose({families::few_threads(2.07)})},
                                   }};
