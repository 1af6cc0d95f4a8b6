#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

// What a launcher's host code has the device do, as a list that can be done again without that host code. All memory
// that it works on lies in one arena: the images of the launcher's arrays as in the shared files, then scratch memory
// that the launcher allocates. A tape is made in a runner that also holds the student's code, so it is believed
// nothing; what it does is judged by the answers.
namespace lab::replay {

constexpr std::size_t most_operations = 4096, most_names = 256, name_length = 4096, most_streams = 64;
constexpr std::uint64_t most_data = 4 << 20, most_bytes = 8 << 20, most_parameter_bytes = 32764;
constexpr std::uint64_t most_scratch = 4ull << 30, most_images = 1ull << 40, most_global = 1ull << 40;

/// What a launcher may set of a kernel, by CUDA's numbers: its most dynamic shared memory, that memory's share of L1,
/// and clusters of over eight blocks.
constexpr std::array<std::uint32_t, 3> settable{8, 9, 14};
constexpr std::uint64_t most_attribute = 1 << 20;

/// Where the arena is wished to be, so that addresses mean the same when the tape is played. Nothing else lies there.
constexpr std::uint64_t arena_address = 0x3000'0000'0000;

enum class action : std::uint32_t {
  launch,        ///< kernel `index`; its parameters are `bytes` bytes at `from`, laid out as the kernel wants them
  attribute,     ///< of kernel `index`: attribute `value` becomes `bytes`
  fill,          ///< `bytes` bytes at `to` become `value`
  copy,          ///< `bytes` bytes at `from` go to `to`
  record_event,  ///< event `index`, each once
  wait_event,    ///< the stream waits for event `index`, recorded before
  barrier,       ///< what follows waits for everything so far, whatever its stream
};
constexpr std::uint32_t actions = 7;

enum class memory_space : std::uint32_t {
  arena,
  global,  ///< the __device__ or __constant__ variable `global`
  data,    ///< bytes of the tape: host memory when it was recorded
};

struct place {
  memory_space in;
  std::uint32_t global;
  std::uint64_t offset;
};

struct extent {
  std::uint32_t x, y, z;
};

struct operation {
  action what;
  std::uint32_t stream;  ///< 0 is the default one
  std::uint32_t index, value;
  extent grid, block, cluster;  ///< of a launch; a cluster of zeros is none
  std::uint32_t shared;         ///< dynamic shared memory in bytes
  std::uint32_t cooperative;    ///< all blocks are resident together
  std::uint32_t programmatic;   ///< may begin before the launch in front of it has ended
  place to, from;
  std::uint64_t bytes;
};
static_assert(sizeof(operation) == 104 && std::has_unique_object_representations_v<operation>);

struct launch_recording {
  std::uint64_t address = arena_address;  ///< where the arena was
  std::uint64_t images = 0, scratch = 0;  ///< its bytes: the shared files' images, then the launcher's own
  std::uint32_t events = 0;
  std::vector<std::uint32_t> streams{};  ///< from stream 1 on: 1 if it does not wait for the default stream, else 0
  std::vector<std::string> kernels{}, globals{};  ///< mangled names
  std::vector<operation> operations{};
  std::vector<std::byte> data{};
};

/// A tape that no honest runner makes.
struct malformed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::vector<std::byte> to_bytes(const launch_recording& r);

/// Reads a tape that may be longer than its contents. @throws malformed, with what is wrong, where and how
launch_recording from_bytes(std::span<const std::byte> bytes);

/// Whether every number on the tape lies where it must. @throws malformed
void check(const launch_recording& r);

/// "2 launches of 1 kernel, 1 fill, 4096 bytes of scratch memory".
std::string summary(const launch_recording& r);

/// Turns each aligned word of a kernel's parameters that points into [from, from + bytes] to the same place past `to`.
void move_pointers(std::span<std::byte> parameters, std::uint64_t from, std::uint64_t bytes, std::uint64_t to);

}  // namespace lab::replay
