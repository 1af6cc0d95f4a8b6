#include "families/transpose.hpp"

const lab::registration registered{
    LAB_NAME,
    {
        .title = "Transpose through a padded tile",
        .idea = "one more column in shared memory ends the bank conflicts",
        .launchers = {families::transpose({families::coalesced_loads(2.02),
                                           families::coalesced_stores_from_the_tile(6.54),
                                           families::few_bank_conflicts(), families::few_threads(16.5)})},
        .baseline = "02_transpose_naive",
    }};
