#include "families/transpose.hpp"

namespace {

lab::launcher_spec coalesced_stores() {
  const char* why =
      "Neighbouring threads (threadIdx.x) must store neighbouring elements: let threadIdx.x count the rows of `in`, "
      "which are the columns of `out`.";
  auto launcher = families::transpose({families::coalesced_stores(3.67, why), families::few_threads(5.1)});
  launcher.name = "transpose_coalesced_stores";
  launcher.improves_on = "transpose";
  return launcher;
}

const lab::registration registered{
    LAB_NAME,
    {
        .title = "Transpose, naive",
        .idea = "a two-dimensional grid, and two mappings: coalesced loads or coalesced stores",
        .launchers = {families::transpose({families::few_threads(2.07)}), coalesced_stores()},
        .stages = {{"coalesced loads", {"transpose"}}, {"coalesced stores", {"transpose_coalesced_stores"}}},
    }};

}  // namespace
