#include "judge/hazard_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <fstream>

namespace lab::judge {

namespace {

struct knowledge {
  std::string_view kind, space;  // an empty space stands for any
  judge::verdict verdict;
  std::string_view diagnosis, advice;
};

constexpr std::array known{
    knowledge{"race", "shared", verdict::race, "missing_barrier",
              "Put a __syncthreads() between the two accesses: the warps of a block run in any order until they meet."},
    knowledge{
        "race", "", verdict::race, "race",
        "Blocks run in any order and at the same time: give every element one writer, use an atomic operation, or "
        "split the work into two launches."},
    knowledge{"out_of_bounds", "global", verdict::out_of_bounds, "missing_guard",
              "Compare the index with the array's extent before the access: the last block is rarely full."},
    knowledge{"out_of_bounds", "", verdict::out_of_bounds, "shared_bounds",
              "Compare the index with the array's declared extents: each of its own, not just the total."},
    knowledge{"use_after_free", "", verdict::out_of_bounds, "use_after_free",
              "Free memory only when the last kernel that uses it has finished."},
    knowledge{"host_pointer", "", verdict::launch_error, "host_pointer",
              "A kernel sees device memory only: allocate with cudaMalloc and copy with cudaMemcpy."},
    knowledge{"device_pointer", "", verdict::crash, "device_pointer",
              "Host code must not read or write through a device pointer: copy with cudaMemcpy first."},
    knowledge{"uninitialized_read", "shared", verdict::uninitialized_read, "uninitialized_read",
              "Shared memory begins with garbage: store something into every element that is read, also past the edge "
              "of the data."},
    knowledge{"uninitialized_read", "", verdict::uninitialized_read, "uninitialized_read",
              "cudaMalloc clears nothing: store the first value with = before anything reads or adds to it."},
    knowledge{
        "misaligned", "", verdict::misaligned, "misaligned",
        "An access of 8 or 16 bytes needs an address that is a multiple of its size: check the row length and the "
        "offset."},
    knowledge{"divergent_barrier", "", verdict::divergent_barrier, "divergent_barrier",
              "Move the barrier out of the branch: threads without data may skip the work, but not the barrier."},
    knowledge{"invalid_sync_mask", "", verdict::divergent_barrier, "invalid_sync_mask",
              "The mask must name just the lanes that come to this call."},
    knowledge{"launch_error", "", verdict::launch_error, "bad_launch",
              "Check grid and block: nothing may be zero, and a block has at most 1024 threads."},
    knowledge{"schedule_dependent", "", verdict::nondeterministic, "nondeterministic",
              "Every order of blocks and warps is legal: look at the races that are reported with it, else at what "
              "depends on who comes first."},
    knowledge{"leak", "", verdict::pass, "leak", "Give every cudaMalloc its cudaFree."},
};

const knowledge& about(const hazard& h) {
  static constexpr knowledge unknown{"", "", verdict::crash, "", "Look at this line."};
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

verdict verdict_of(const hazard& h) { return about(h).verdict; }
std::string diagnosis_of(const hazard& h) { return std::string{about(h).diagnosis}; }
std::string advice_for(const hazard& h) { return std::string{about(h).advice}; }

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
