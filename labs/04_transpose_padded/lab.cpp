#include "families/transpose.hpp"

const lab::registration registered{
    LAB_NAME,
    {
        .title = "Transpose through a padded tile",
        .idea = "one more column in shared memory ends the bank conflicts",
        .launchers = {families::transpose(
            {families::coalesced_loads(), families::coalesced_stores(), families::no_bank_conflict()})},
        .baseline = "02_transpose_naive",
    }};
