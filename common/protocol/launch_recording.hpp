#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

// The operations of one launcher call on the device, as a list that can be replayed without the launcher's host code.
// All memory that they use lies in one arena: first the guarded arrays as in the shared files, then scratch memory that
// the launcher allocates. A recording is made in a process that also runs the student's code, so the judge trusts
// nothing in it: it checks every number and judges the outputs of the replay (docs/design/timing-without-host-code.md).
namespace lab::replay {

constexpr std::size_t most_operations = 4096, most_names = 256, name_length = 4096, most_streams = 64;
constexpr std::uint64_t most_data = 4 << 20, most_bytes = 8 << 20, most_parameter_bytes = 32764;
constexpr std::uint64_t most_scratch = 4ull << 30, most_array_bytes = 1ull << 40, most_global = 1ull << 40;

/// The function attributes that a launcher may set, by CUDA's numbers: the limit of dynamic shared memory, the shared
/// memory carveout, and clusters of more than eight blocks.
constexpr std::array<std::uint32_t, 3> settable{8, 9, 14};
constexpr std::uint64_t most_attribute = 1 << 20;

/// The arena's preferred address, which nothing else uses, so that pointers stay valid in the replay.
constexpr std::uint64_t arena_address = 0x3000'0000'0000;

enum class action : std::uint32_t {
  launch,        ///< kernel `index`; its parameters are `bytes` bytes at `from`, in the kernel's own layout
  attribute,     ///< of kernel `index`: sets attribute `value` to `bytes`
  fill,          ///< sets `bytes` bytes at `to` to `value`
  copy,          ///< copies `bytes` bytes from `from` to `to`
  record_event,  ///< event `index`; each event is recorded once
  wait_event,    ///< the stream waits for event `index`, which an earlier operation records
  barrier,       ///< later operations of all streams wait for all earlier ones
};
constexpr std::uint32_t actions = 7;

enum class memory_area : std::uint32_t {
  arena,
  global,  ///< the __device__ or __constant__ variable `global`
  data,    ///< bytes in the recording, copied from host memory
};

struct memory_location {
  memory_area area;
  std::uint32_t global;
  std::uint64_t offset;
};

struct extent {
  std::uint32_t x, y, z;
};

struct operation {
  action what;
  std::uint32_t stream;  ///< 0 is the default stream
  std::uint32_t index, value;
  extent grid, block, cluster;  ///< of a launch; a cluster of zeros means none
  std::uint32_t shared;         ///< dynamic shared memory in bytes
  std::uint32_t cooperative;    ///< a cooperative launch: all blocks are resident together
  std::uint32_t programmatic;   ///< programmatic stream serialization: may begin before the previous launch has ended
  memory_location to, from;
  std::uint64_t bytes;
};
static_assert(sizeof(operation) == 104 && std::has_unique_object_representations_v<operation>);

struct launch_recording {
  std::uint64_t address = arena_address;  ///< of the arena when it was recorded
  std::uint64_t array_bytes = 0;          ///< of the arena: the guarded arrays
  std::uint64_t scratch_bytes = 0;        ///< of the arena: the launcher's own allocations
  std::uint32_t events = 0;
  std::vector<std::uint32_t> streams{};           ///< from stream 1 on: 1 for a non-blocking stream, else 0
  std::vector<std::string> kernels{}, globals{};  ///< mangled names
  std::vector<operation> operations{};
  std::vector<std::byte> data{};
};

/// An honest runner makes no such recording.
struct malformed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::vector<std::byte> to_bytes(const launch_recording& recording);

/// Reads a recording; the bytes may be longer than it. @throws malformed naming the operation and its defect
launch_recording from_bytes(std::span<const std::byte> bytes);

/// Checks every number of the recording against its range. @throws malformed
void check(const launch_recording& recording);

/// "2 launches of 1 kernel, 1 fill, 4096 bytes of scratch memory".
std::string summary(const launch_recording& recording);

/// Moves pointers with the arena: every aligned word of a kernel's parameters that points into [from, from + bytes]
/// then points to the same offset from `to`.
void move_pointers(std::span<std::byte> parameters, std::uint64_t from, std::uint64_t bytes, std::uint64_t to);

}  // namespace lab::replay
