#include "trace/shared_update.hpp"

#include "catch.hpp"

using lab::judge::updates_one_element;

namespace {

bool updates(std::string_view line) { return updates_one_element(line, line); }

}  // namespace

TEST_CASE("a line that loads and stores one element is an update") {
  for (const auto* line :
       {"bins[b] = bins[b] + 1;", "  if (bin >= 0) mine[bin] += 1;  // count", "counter[0]++;", "++bins[bin_of(x[i])];",
        "c[row * p + col] += sum;", "total += value;", "*total = *total + v;"}) {
    INFO(line);
    CHECK(updates(line));
  }
}

TEST_CASE("a line that loads a neighbour's element, or only stores, is no update") {
  for (const auto* line :
       {"s[t] += s[t + half];", "sums[threadIdx.y][threadIdx.x] += sums[threadIdx.y + half][threadIdx.x];",
        "tile[y][x] = a[i];", "out[0] = 1;", "atomicAdd(&bins[b], 1);", "if (s[t] == 1) return;", ""}) {
    INFO(line);
    CHECK_FALSE(updates(line));
  }
}

TEST_CASE("a load into a variable and a store of it to the same element are an update in two lines") {
  CHECK(updates_one_element("const int old = mine[bin];", "mine[bin] = old + 1;"));
  CHECK(updates_one_element("mine[bin] = old + 1;", "const int old = bin >= 0 ? mine[bin] : 0;"));
  CHECK_FALSE(updates_one_element("mine[bin] = 0;", "atomicAdd(&mine[bin], 1);"));
  CHECK_FALSE(updates_one_element("tile[y][x] = a[i];", "const float v = tile[y][x];"));
  CHECK_FALSE(updates_one_element("tile[y][x] = a[i];", "sum += tile[y][k];"));
  CHECK_FALSE(updates_one_element("if (k < n) staged[k] = x[k];",
                                  "for (int k = threadIdx.x; k < n; k += lanes) sum += row[k] * staged[k];"));
  CHECK_FALSE(updates_one_element("const int next = s[t + 1];", "s[t] = next;"));
}
