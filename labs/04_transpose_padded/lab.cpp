#include "families/transpose.hpp"

const lab::enrol enrolled{
    LAB_NAME,
    {
        .title = "Transpose through a padded tile",
        .idea = "one more column in shared memory ends the bank conflicts",
        .contracts = {families::transpose(
            {families::coalesced_loads(), families::coalesced_stores(), families::no_bank_conflict()})},
        .baseline = "02_transpose_naive",
    }};
