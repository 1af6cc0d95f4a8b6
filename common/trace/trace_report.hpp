#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace lab::judge {

/// Something a kernel did that CUDA does not allow or promise, at one place of its source.
struct hazard {
  std::string kind{}, severity{};  ///< "race", "out_of_bounds" ...; "error", "warning" or "info"
  std::string kernel{}, file{}, space{}, message{};
  int line = 0, other_line = 0;  ///< 0 if unknown
  std::string other_file{};      ///< of the access that it collides with; empty stands for `file`
  std::array<int, 3> block{}, thread{};
  std::uint64_t count = 1;  ///< how often

  bool error() const { return severity == "error"; }
};

/// All accesses of one kind that one source line made in one launch. Requests are instructions of a warp.
struct line_traffic {
  std::string file{};
  int line = 0;
  std::string op{}, space{};  ///< "load", "store" or "atomic"; "global" or "shared"
  std::uint64_t requests = 0, sectors = 0, sectors_ideal = 0, wavefronts = 0, wavefronts_ideal = 0, bank_conflicts = 0;
  double most_sectors_per_request =
      0;  ///< of the line's worst access; a full warp of 16-byte accesses is four requests
  /// Of a sample's shared loads: as many as remain where nvcc merges neighboring loads. The wavefronts of its global
  /// loads, as the banks of L1 serve them.
  std::uint64_t merged_wavefronts = 0, merged_requests = 0;
  std::uint64_t lanes = 0;        ///< active ones, summed over the requests
  std::uint64_t cache_lines = 0;  ///< of a sample's global accesses: 128-byte lines, summed over the requests
  std::string sample{};           ///< JSON: the addresses of one warp, as the simulator writes them; empty from a GPU

  bool is(std::string_view wanted_op, std::string_view wanted_space) const {
    return op == wanted_op && space == wanted_space;
  }
};

/// Adds what one more access did to the entry of its line and kind.
void add_to(std::vector<line_traffic>& lines, const line_traffic& access);

/// A line of the source that a launch executed, and what it does there.
struct place_in_source {
  std::string file{};
  int line = 0;
  std::string op{}, space{};  ///< "load", "store", "atomic" or "barrier"; a barrier has no space
  bool repeated = false;      ///< also in a second or later iteration of a loop
};

/// The different sectors of one allocation that the traced blocks of a launch accessed.
struct memory_footprint {
  std::uint64_t allocation = 0, bytes = 0;  ///< which one, and its size
  std::uint64_t loaded_sectors = 0, stored_sectors = 0;
  std::uint64_t sectors_loaded_by_each_block = 0;  ///< a sector counts once for each block that loads it
};

/// Atomics of one source line in one launch.
struct atomic_traffic {
  std::string space{};
  std::uint64_t requests = 0, lanes = 0, addresses = 0;  ///< addresses: different ones, summed over the requests
};

/// One launch of a kernel; `metrics` under Nsight Compute's names.
struct launch {
  std::string kernel{};
  std::array<int, 3> grid{}, block{};
  std::map<std::string, double> metrics{};
  std::vector<line_traffic> lines{};
  std::uint64_t block_barriers = 0, global_atomics = 0, shared_atomics = 0;  ///< atomics: one for each lane
  double occupancy = 0;                                                      ///< theoretical, from 0 to 1
  std::uint64_t concurrent = 1;             ///< this launch and the earlier ones that may run at the same time
  double waves = 0;                         ///< how often the grid's blocks fill the simulated device; 0 from a GPU
  std::string device{};                     ///< that device; empty from a GPU
  std::uint64_t lanes = 0, requests = 0;    ///< active lanes, summed over the requests of all accesses
  std::vector<place_in_source> executed{};  ///< empty from a GPU
  std::uint64_t blocks_run = 0;             ///< fewer than the grid has if a sample was traced
  std::uint64_t shared_bytes = 0;           ///< of a block
  std::uint64_t box_bytes = 0;              ///< read by the copy engine (TMA), for no line's request; 0 from a GPU
  std::uint64_t matrix_products = 0;        ///< of warps on tensor cores; 0 from a GPU
  std::uint64_t busiest_atomics = 0;        ///< the most atomics at one address of global memory
  std::uint64_t busiest_slice_atomics = 0;  ///< the most atomics in 512 bytes, which one slice of L2 holds
  std::uint64_t grid_barriers = 0;
  std::vector<atomic_traffic> atomics{};
  std::vector<memory_footprint> memory{};  ///< only of a sample
};

/// What copies and fills moved, in bytes, and the allocations that the host can access, too.
struct copied_bytes {
  std::uint64_t to_host = 0, written = 0, host_memory = 0;
};

/// What the simulator saw of a traced program.
struct trace_report {
  std::vector<launch> launches{};
  std::vector<hazard> hazards{};
  std::size_t kept = 0;  ///< allocations, streams and events that static variables hold for the next call
  copied_bytes copies{};
};

/// Reads the simulator's JSON. @throws nlohmann::json::exception if it is something else
trace_report parse_report(const std::string& text);

nlohmann::json to_json(const hazard& found);
nlohmann::json to_json(const launch& launched);

}  // namespace lab::judge
