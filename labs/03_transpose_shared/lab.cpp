#include "families/transpose.hpp"

const lab::registration registered{
    LAB_NAME,
    {
        .title = "Transpose through shared memory",
        .idea = "a tile in shared memory and a barrier make both loads and stores coalesced",
        .launchers = {families::transpose({families::coalesced_loads(2.28),
                                           families::coalesced_stores_from_the_tile(2.86),
                                           families::few_threads(7.83)})},
        .baseline = "02_transpose_naive",
    }};
