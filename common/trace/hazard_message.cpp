#include "trace/hazard_message.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <fstream>

#include "diagnosis/explanation.hpp"
#include "sim/runtime/advice.hpp"

namespace lab::judge {

namespace {

struct knowledge {
  std::string_view kind, space;  // a space that is empty stands for all others
  verdict_kind verdict;
  std::string_view diagnosis, meaning, cause;
};

constexpr std::array known{
    knowledge{
        "race", "shared", verdict_kind::race, "missing_barrier",
        "Two threads of a block use one element of shared memory, one of them writes, and nothing says which comes "
        "first. The result may be right by luck, here or on one GPU, and wrong on the next.",
        "A tile is read before all have filled it, or filled anew while others still read it."},
    knowledge{"race", "", verdict_kind::race, "race",
              "Two threads use one element of global memory, one of them writes, and nothing says which comes first. "
              "Blocks run in any order and at the same time, and no barrier orders them.",
              "Several threads add to one element with += instead of atomicAdd, or two blocks write the same place."},
    knowledge{
        "out_of_bounds", "global", verdict_kind::out_of_bounds, "missing_guard",
        "A thread reads or writes outside an array in global memory. On a GPU that may go unnoticed, and spoil what "
        "lies there.",
        "The grid is rounded up to whole blocks, and the threads without an element are not stopped."},
    knowledge{"out_of_bounds", "", verdict_kind::out_of_bounds, "shared_bounds",
              "An index lies outside an array in shared or local memory. The access reaches whatever lies beside it.",
              "A tile is smaller than the block, or its two indices are exchanged."},
    knowledge{"use_after_free", "", verdict_kind::out_of_bounds, "use_after_free",
              "A kernel uses memory that was freed before it ran. That memory may hold another array by now.",
              "cudaFree stands in front of the last launch, or a pointer is used twice."},
    knowledge{"host_pointer", "", verdict_kind::launch_error, "host_pointer",
              "A kernel follows a pointer to host memory, which a GPU does not see.",
              "The host's array is passed to the kernel instead of the copy on the device."},
    knowledge{"device_pointer", "", verdict_kind::crash, "device_pointer",
              "Host code follows a pointer to device memory, which the CPU does not see.",
              "An array from cudaMalloc is indexed in the launcher, or a __device__ variable is used by name."},
    knowledge{
        "uninitialized_read", "shared", verdict_kind::uninitialized_read, "uninitialized_read",
        "A thread reads an element of shared memory that nobody has written. It holds what another block left there.",
        "Threads at the edge of the data skip the store into the tile, but the tile is read whole."},
    knowledge{"uninitialized_read", "constant", verdict_kind::uninitialized_read, "uninitialized_read",
              "A kernel reads an element of constant memory that the host has not filled.",
              "cudaMemcpyToSymbol is missing, failed, or was given a number of elements where it wants bytes."},
    knowledge{
        "uninitialized_read", "", verdict_kind::uninitialized_read, "uninitialized_read",
        "A thread reads memory that nobody has written. It holds what was there before, which may be zero by luck.",
        "out[i] += ... or atomicAdd on an output that was never set to zero."},
    knowledge{"misaligned", "", verdict_kind::misaligned, "misaligned",
              "An access of 8 or 16 bytes is at an address that is no multiple of its size. A GPU refuses it.",
              "A float* is viewed as float4* at an element that is no multiple of 4: rows whose length is not."},
    knowledge{
        "divergent_barrier", "", verdict_kind::divergent_barrier, "divergent_barrier",
        "Some threads of a block wait at a __syncthreads() that others never come to. On a GPU the kernel hangs or "
        "goes on with half of the data.",
        "The barrier stands inside an if, or in a loop that not all threads run equally often."},
    knowledge{"invalid_sync_mask", "", verdict_kind::divergent_barrier, "invalid_sync_mask",
              "A warp operation names lanes that do not come to it, or is called by a lane that it does not name.",
              "A shuffle with the full mask stands inside a branch that only some lanes take."},
    knowledge{"launch_error", "", verdict_kind::launch_error, "bad_launch",
              "CUDA refused to launch the kernel, or its run ended with an error. Its outputs mean nothing.",
              "A block of more than 1024 threads, a grid of zero blocks, or too much shared memory."},
    knowledge{"missing_synchronization", "", verdict_kind::race, "missing_synchronization",
              "Host code uses memory that a kernel or a copy may still be working on: launches and asynchronous copies "
              "return before their work is done.",
              "Managed or page-locked memory is read right after a launch or a cudaMemcpyAsync."},
    knowledge{
        "livelock", "", verdict_kind::timeout, "livelock",
        "A thread waits in a loop for a value that no thread that can run will ever write. On a GPU the kernel may "
        "never end.",
        "A block waits for another block, which may not start before this one has ended; or a lock that is never "
        "released."},
    knowledge{"constant_write", "", verdict_kind::out_of_bounds, "constant_write",
              "A kernel writes to a __constant__ variable, which kernels can only read.",
              "The result is stored into the constant array instead of the output, or a pointer leads there."},
    knowledge{"schedule_dependent", "", verdict_kind::nondeterministic, "nondeterministic",
              "The same program printed different results when blocks and warps ran in another order. Every order is "
              "legal, so none of the results can be relied on.",
              "A race, or a sum of floats whose order depends on the schedule."},
    knowledge{"leak", "", verdict_kind::pass, "leak",
              "Device memory was allocated and never freed. Each call takes more, until none is left.",
              "A cudaFree is missing, or an early return skips it."},
};

std::string_view about_space(const knowledge& k) {
  if (k.space == "shared") return "hazard in shared memory";
  if (k.space == "constant") return "hazard in constant memory";
  return k.space == "global" || k.kind == "race" ? "hazard in global memory" : "hazard";
}

const knowledge& about(const hazard& h) {
  static constexpr knowledge unknown{"", "", verdict_kind::crash, "", "", ""};
  for (const auto& k : known)
    if (k.kind == h.kind && (k.space.empty() || k.space == h.space)) return k;
  return unknown;
}

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t\r");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

std::string triple(const std::array<int, 3>& t) { return fmt::format("({})", fmt::join(t, ", ")); }

std::string who(const hazard& h) {
  if (h.kernel.empty() || h.kind == "launch_error") return "";
  auto text = fmt::format("  block {}, thread {}", triple(h.block), triple(h.thread));
  if (h.count > 1) text += fmt::format("; seen {} times", h.count);
  return text + "\n";
}

}  // namespace

verdict_kind verdict_of(const hazard& h) { return about(h).verdict; }
std::string diagnosis_of(const hazard& h) { return std::string{about(h).diagnosis}; }

std::string advice_for(const hazard& h) {
  const auto words = sim::advice_on(h.kind, h.space);
  return std::string{words.empty() ? "Look at this line." : words};
}

std::vector<explanation> hazard_explanations() {
  std::vector<explanation> all;
  for (const auto& k : known) {
    const auto advice = sim::advice_on(k.kind, k.space);
    all.push_back({k.kind, about_space(k), k.meaning, k.cause, advice});
    if (k.diagnosis == "shared_bounds") all.push_back({k.diagnosis, about_space(k), k.meaning, k.cause, advice});
  }
  return all;
}

std::string quoted_line(const std::filesystem::path& source, const std::string& file, int line) {
  if (line <= 0) return file;
  const auto place = fmt::format("{}:{}", file, line);
  if (source.filename() != file) return place;
  std::ifstream text{source};
  std::string found;
  for (int i = 0; i < line && std::getline(text, found); ++i) {
  }
  return text ? fmt::format("{}  {}", place, trimmed(found)) : place;
}

std::string describe(const hazard& h, const std::filesystem::path& source) {
  auto text = h.kind;
  if (!h.kernel.empty()) text += fmt::format(" in {}", h.kernel);
  if (!h.space.empty()) text += fmt::format(", {} memory", h.space);
  if (h.severity != "error") text += fmt::format(" ({})", h.severity);
  text += fmt::format("\n  {}\n", quoted_line(source, h.file, h.line));
  if (h.other_line > 0 && h.other_line != h.line)
    text += fmt::format("  {}\n", quoted_line(source, h.file, h.other_line));
  return text + fmt::format("  {}\n", h.message) + who(h) + fmt::format("  {}\n", advice_for(h));
}

}  // namespace lab::judge
