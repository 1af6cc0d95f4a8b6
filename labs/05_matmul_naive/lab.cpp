#include "families/matmul.hpp"

const lab::registration registered{
    LAB_NAME,
    {
        .title = "Matrix product, one thread an element",
        .idea = "each thread reads a whole row and a whole column, which its neighbours read too",
        .launchers = {families::matmul()},
    }};
