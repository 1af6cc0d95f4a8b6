#pragma once

#include <algorithm>
#include <cmath>
#include <iterator>

#include "launch.hpp"

// The time that a product is expected to take by a form of the kernel.
namespace ring_kernel {

// Microseconds, fitted to the times of 5866 products on an H200, each by all plans that may be its fastest.
// report/record_plans.py takes such times as `lab bench` does, on another GPU too, and report/fit_plans.py fits these
// constants to them.
constexpr double in_pieces = 0.326;         // the rate at which c is stored if its rows are no whole vectors
constexpr double large_in_pieces = 0.38;    // the same if L2 does not keep it
constexpr double start = 1.28;              // of any launch: the first tiles come from memory
constexpr double cycle = 0.000673;          // of the tensor cores
constexpr double arrival = 0.00093;         // of 128 bytes in shared memory, by TMA
constexpr double copied_arrival = 0.00213;  // the same, copied by threads
constexpr double copy = 0.000148;           // a thread's copy
constexpr double by_registers = 0.674;      // a step whose rows begin anywhere
constexpr double line = 0.000664;           // a row of a box, for one multiprocessor
constexpr double line_of_all = 0.00132;     // the same if all multiprocessors ask L2 for them
// So many times as long for boxes' rows that begin at multiples of only 16, 32 or 64 bytes, and so are in two lines of
// L2, in as many sectors or in one more: of a and of b, for all multiprocessors and for one.
struct straddling {
  double a, b, a_one, b_one;
};
constexpr straddling whole_lines = {1, 1, 1, 1};
constexpr straddling straddles[] = {{2.16, 2.43, 2.01, 2.22}, {1.1, 1.95, 1.55, 1.08}, {1.32, 1.46, 1.37, 1.14}};
constexpr double apart = 1.37;             // so many times as long for all, if blocks are at different steps
constexpr double crowded = 0.00609;        // for each block beyond `calm` that asks for the same lines of a, if in two
constexpr int calm = 40, crowd = 105;      // and no more beyond `crowd`
constexpr double same_line = 0.00192;      // a row of b of which a line of L2 has several, for each row of tiles
constexpr double same_two = 0.16;          // so much of it more, if in two lines
constexpr double short_rows = 0.00103;     // for each row of a, beyond the first, of which so many begin in 128 bytes
constexpr double least = 0.133;            // a step of any tile
constexpr double twice = 1.89;             // the step of two blocks of a multiprocessor
constexpr double overlapped = 0.666;       // the stores of two, beside one after the other
constexpr double alone = 0.119;            // the start of blocks that load by registers, more than of others
constexpr double second = 0.574;           // the second piece of a block whose steps are in two tiles
constexpr double clearing = 0.603;         // the launch that clears tiles
constexpr double added = 4.15e6;           // bytes of sums added in a microsecond
constexpr double added_in_parts = 1.4;     // so many times as long if rows of c are no whole sectors
constexpr double added_by_ones = 1.19;     // and if they are no whole vectors
constexpr double widening = 2.94;          // the launch that copies to wider rows
constexpr double copied = 2.8e6;           // bytes read and written by it in a microsecond
constexpr double cached = 3.74e7;          // bytes of a and b that L2 keeps
constexpr double missed = 0.0147;          // the part of the tiles that come from memory, if they are more and shared
constexpr double end_by_registers = 0.45;  // the end of a tile, if threads load by registers
constexpr double storing = 8.45e-5;        // an element of a tile
constexpr double turned_longer = 1.44;     // so many times as long, if turned
constexpr double ending = 0.481;           // the end of a tile, without its stores
constexpr double stored_by_all = 2.46e7;   // bytes of c that all multiprocessors store in a microsecond, together
constexpr double turned_by_all = 3.75e7;   // the same of turned tiles
constexpr double part_sectors = 6.17;      // so many times as long if rows of c are no whole sectors
constexpr double no_vectors = 0.896;       // and if they are no whole vectors
constexpr double by_crews = 1.2;           // so much of it is left of a tile that is not the last, with two crews
constexpr double filling = 1.87;           // of the ring: more than of any launch
constexpr double meeting = 0.166;          // the start and the end of a cluster
constexpr double first_bytes = 0.782;      // so many times the time in which memory has each block's first step
// So many times as long as by all this, by each form: whole tiles, and shared ones.
constexpr double of_form[][2] = {
    {0.937, 0.973}, {0.934, 0.956}, {0.893, 0.917}, {0.905, 0.943}, {0.918, 0.98},  {0.952, 0.97},  {0.992, 0.907},
    {0.942, 0.988}, {0.935, 0.872}, {0.935, 0.896}, {0.936, 0.909}, {1.06, 0.972},  {0.982, 1.07},  {0.957, 1.07},
    {1.01, 1.04},   {0.949, 0.994}, {0.997, 1.04},  {0.931, 1.06},  {0.914, 1.04},  {0.962, 1.09},  {0.94, 1.09},
    {0.993, 1.09},  {1.02, 1.06},   {1.01, 1.02},   {0.973, 1.03},  {0.973, 0.981}, {0.929, 0.932}, {0.956, 1},
    {0.963, 1},     {0.947, 0.962}, {0.98, 1.03},   {0.932, 0.931}, {0.969, 0.96},  {0.953, 1.03},  {0.88, 0.855},
    {1.03, 1.03},   {0.98, 1.03},   {0.884, 0.919}, {1.01, 1.04},   {0.943, 1.01},  {0.938, 0.95},  {1, 1.01},
    {0.993, 1.01},  {0.974, 0.999}, {0.977, 1.02},  {0.926, 0.969}, {0.941, 0.969}, {0.951, 0.975}, {0.942, 1.03},
    {0.947, 0.95},  {0.953, 0.995}, {0.897, 1.01},  {0.891, 0.933}, {0.943, 0.999}, {0.9, 0.999}};
static_assert(std::size(of_form) == forms_count);
// Products in a microsecond that the power allows for long, whichever the form: not fitted. Of forms that are expected
// to take as long the first is taken, the solution's: 1.04 times as fast at 4096 x 4096 x 4096, 1.05 at 8192 x 8192 x
// 8192.
constexpr int sustained = 350'000'000;

// Bytes of memory in a microsecond.
inline double moved() {
  static const double rate = [] {
    int device = 0, kilohertz = 0, bits = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&kilohertz, cudaDevAttrMemoryClockRate, device);
    cudaDeviceGetAttribute(&bits, cudaDevAttrGlobalMemoryBusWidth, device);
    const double most = 2e-3 * kilohertz * bits / 8;  // two transfers a cycle
    return most > 0 ? 0.83 * most : 2.79e6;
  }();
  return rate;
}

struct sizes {
  int n, m, p;
  bool operator==(const sizes&) const = default;

  double of_a() const { return double(n) * m; }
  double of_b() const { return double(m) * p; }
  double products() const { return of_a() * p; }
  /// The time to read a and b, and to write c at so large a part of memory's rate.
  double through_memory(double rate) const { return (2 * (of_a() + of_b()) + 4.0 * n * p / rate) / moved(); }
};

// What the addresses allow.
struct alignment {
  int bytes_of_a, bytes_of_b;  // their rows begin at multiples of so many, at most 16
  bool vectors_c;              // its rows begin at multiples of 16 bytes
  bool operator==(const alignment&) const = default;

  bool tma_a() const { return bytes_of_a == 16; }  // TMA takes it as it is
  bool tma_b() const { return bytes_of_b == 16; }
  bool copies() const { return bytes_of_a >= 4 && bytes_of_b >= 4; }  // threads can copy them past their registers
};

// The part of a matrix's boxes' rows, which are 128 bytes, that lie in two lines of L2. A row of the matrix begins in a
// line where the greatest power of two that divides the width lets it.
inline double in_two_lines(int width) { return 1 - double(std::min(width & -width, depth)) / depth; }

// What such rows cost.
inline const straddling& straddles_of(int width, bool wide) {
  const int greatest = width & -width;
  return wide || greatest >= depth ? whole_lines : straddles[greatest >= 32 ? 2 : greatest >= 16 ? 1 : 0];
}

// The time to widen rows.
inline double copies_of(const plan& how, const sizes& s) {
  return how.widened() ? widening + 4 * (how.wide_a * s.of_a() + how.wide_b * s.of_b()) / copied : 0;
}

// The time of works that are done at the same time: a little more than the longest, if others take nearly as long.
template <class... T>
double together(T... times) {
  return std::sqrt(std::sqrt((... + (times * times * times * times))));
}

// The same if one hardly delays the other.
template <class... T>
double longest(T... times) {
  return std::sqrt(together(times * times...));
}

// What a step of a tile takes: products, loads, and all of it.
struct step_times {
  double products, loads;
  double all() const { return together(products, loads); }
};

// A step of a tile, if so large a part of the multiprocessors is busy, and L2 is asked for so many times as much.
inline step_times step_of(const plan& how, const sizes& s, const alignment& at, int tile_rows, double busy,
                          double asked = 1) {
  const form_facts& of = forms[how.form];
  if (of.from == source::by_registers) return {least, by_registers};
  const double in_two_b = how.wide_b ? 0 : in_two_lines(s.p);
  const auto &of_a = straddles_of(s.m, how.wide_a), &of_b = straddles_of(s.p, how.wide_b);
  const double lines_a = double(of.rows) / of.team_cols, lines_b = double(of.loaded_cols) / of.team_rows;
  const double for_one = (lines_a * of_a.a_one + lines_b * of_b.b_one) * line;
  // Short rows of b are many in a line, for which all blocks ask: 8192 x 8568 x 8 by tiles of 64 took 79 us, not 50.
  const double blocks = std::min(tile_rows * of.team_rows, few_tiles::multiprocessors()) / of.team_rows;
  const double hot = same_line * blocks * depth / s.p * (1 + same_two * in_two_b);
  const double boxes = of.rows + of.loaded_cols;
  const double loads = (lines_a * of_a.a + lines_b * of_b.b) * busy * line_of_all * asked;
  const double products = together(of.cycles * cycle, least);
  if (of.from == source::by_tma) return {products, together(boxes * arrival, for_one, loads, hot)};
  const double copies = 128. * of.rows / at.bytes_of_a + 128. * of.loaded_cols / at.bytes_of_b;
  return {products, together(boxes * copied_arrival, copies * copy, loads, hot)};
}

// The end of a tile, if so many multiprocessors store at the same time, and each has so many blocks.
inline double end_of(const form_facts& of, const sizes& s, double storing_at_once, double each) {
  if (of.from == source::by_registers) return end_by_registers;
  const double elements = of.rows * of.cols;
  const double own = storing * elements * (of.turned ? turned_longer : 1) * (s.p % 4 == 0 ? 1 : no_vectors);
  const double longer = s.p % 8 == 0 ? 1 : s.p % 4 == 0 ? part_sectors : no_vectors;
  const double rate = (of.turned ? turned_by_all : stored_by_all) / (each > 1 ? 2 * overlapped : 1);
  return ending + together(own, 4 * elements * storing_at_once / rate * longer);
}

// The elements of a and b that come from memory more than once. Blocks with parts of tiles are at different steps. So
// they share nothing that L2 does not keep: 1103 x 15977 x 2345 took twice as long as with whole tiles on an H100, 1280
// x 12288 x 6144 1.6 times on an H200. With one row or column of tiles, one matrix is read once.
inline double fetched_again(const form_facts& of, const sizes& s, const schedule& all) {
  if (all.splits > 0 || 2 * (s.of_a() + s.of_b()) <= cached || of.team > 1) return 0;
  return missed * all.shared_out() * all.steps * depth *
         (of.rows * (all.tile_cols > 1) + of.cols * (all.tile_rows > 1));
}

// The launch, until the first tiles have come: each block's from memory.
inline double beginning(const form_facts& of, double busy) {
  const double bytes = 2. * depth * (of.rows / of.team_cols + of.loaded_cols / of.team_rows);
  return start + filling + first_bytes * bytes * busy / moved() + (of.from == source::by_registers ? alone : 0) +
         (of.team > 1 ? meeting : 0);
}

// Whole tiles of a block, without the end of the last. The next tile's loads go on while one is stored, and its
// products, too, if there is another crew.
inline double whole_tiles(const form_facts& of, int turns, double products, double loads, double end) {
  const double first = together(products, loads);
  const double next = of.crews > 1 ? together(products, loads, by_crews * end) : together(products + end, loads);
  return first + (turns - 1) * std::max(first, next);
}

// The part of memory's rate at which c goes there. Of the two others the second is for one that L2 does not keep.
inline double stored_at(const sizes& s, double pieces, double large_pieces) {
  return s.p % 4 == 0 ? 1 : 4.0 * s.n * s.p > cached ? large_pieces : pieces;
}

inline double time_of_ring(const plan& how, const sizes& s, const alignment& at) {
  const form_facts& of = forms[how.form];
  const auto all = schedule_for(of, s.n, s.m, s.p, how.turns, how.blocks);
  const double multiprocessors = few_tiles::multiprocessors(), blocks = double(how.blocks) * of.team;
  const double busy = std::min(blocks, multiprocessors), part = busy / multiprocessors;
  const double each = std::min<double>(of.at_a_time, std::ceil(blocks / multiprocessors));  // of a multiprocessor
  const double longer = each > 1 ? twice : 1, end = end_of(of, s, busy, each);
  const double bytes = 2 * (s.of_a() + s.of_b());
  const double from_memory = how.widened() && bytes < cached ? 0 : bytes / moved();
  double time = beginning(of, busy);
  if (how.turns > 0) {
    const step_times step = step_of(how, s, at, all.tile_rows, part);
    const double steps = all.steps * longer;
    double whole = whole_tiles(of, how.turns, steps * step.products, steps * step.loads, end);
    // The tiles of a last turn may be so few that each has a multiprocessor to itself.
    const double last = double(all.whole()) * of.team - (how.turns - 1) * blocks;
    if (each > 1 && last <= multiprocessors) whole -= steps * step.all() * (1 - 1 / twice);
    time += longest(whole, from_memory) + end;
  }
  if (const int shared = all.shared_out(); shared > 0) {
    // The steps at which blocks are: not if a tile has a whole number of equal parts.
    const bool differ = !all.splits && (all.one_more > 0 || all.steps % all.share != 0);
    const int share = all.splits ? tiles_along(all.steps, all.splits) : all.share + (all.one_more > 0);
    const double steps = share * longer * step_of(how, s, at, all.tile_rows, part, differ ? apart : 1).all();
    const double again = 2 * fetched_again(of, s, all) / moved();
    const double parts = how.blocks + (differ ? shared : 0);
    time += longest(steps, (how.turns > 0 ? 0 : from_memory) + again) + end + (differ ? second : 0);
    const double by_pieces = s.p % 8 == 0 ? 1 : s.p % 4 == 0 ? added_in_parts : added_by_ones;
    time += clearing + 4.0 * of.rows * of.cols * of.team * parts / added * by_pieces;
  }
  // All blocks ask for the same lines of a at the same time: 16 x 2000 x 5000 took 1.4 times as long as expected.
  if (of.from == source::by_tma && !how.wide_a && s.m % depth != 0 && how.turns <= 1)
    time += crowded * (std::clamp(all.tile_cols, calm, crowd) - calm);
  if (s.m < depth) time += short_rows * (double(depth) / s.m - 1);
  time = together(time * of_form[how.form][all.shared_out() > 0],
                  start + s.through_memory(stored_at(s, in_pieces, large_in_pieces)));
  return std::max(time, s.products() / sustained) + copies_of(how, s);
}

}  // namespace ring_kernel
