#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

// The messages between the judge and a runner, over a SOCK_SEQPACKET socket that the runner finds as descriptor 3.
// Array data travel in two shared files handed over with the request (SCM_RIGHTS): `in`, sealed and read-only, holds
// the image of every array argument, guard zones and poison included; `out`, as large, takes the images as they are
// after the call. The judge alone makes inputs, poison and verdicts; the runner knows no expected value.
namespace lab::protocol {

constexpr int socket_descriptor = 3;
constexpr std::size_t most_slots = 24, most_libraries = 8, most_samples = 64, symbol_length = 192, text_length = 1024;

enum class slot_kind : std::uint8_t { array, scalar };

/// One launcher argument: a scalar by value, or an array at [offset, offset + guard + bytes + guard) of both files.
struct slot {
  slot_kind kind;
  std::uint8_t element;    ///< lab::element
  std::uint8_t reads;      ///< the launcher may read it
  std::uint8_t writes;     ///< the launcher may write it
  std::uint8_t blank;      ///< left as allocated before the call, not filled from `in`
  std::uint64_t offset;    ///< of the image, guard zones included
  std::uint64_t guard;     ///< bytes of guard zone at either end, a multiple of 256
  std::uint64_t bytes;     ///< of the payload between the zones
  std::uint8_t value[16];  ///< of a scalar
};

enum class command : std::uint32_t {
  call,     ///< one call of libraries[0] on fresh buffers; images come back in `out`
  measure,  ///< warm-up, then `repeats` rounds of one timed call of each library; the images of libraries[0] come back
  ceiling,  ///< `repeats` timed copies of `file_bytes` bytes from device memory to device memory; no files
  record,   ///< one call of libraries[0]; behind the images `out` gets a tape of what it had the device do
  /// Plays the tape behind the images in `in` with the device code libraries[0], timed, L2 cold; no student's host code
  /// is loaded. Of this and of `record`: if `text` of the answer says something, it says why that cannot be.
  replay,
};

struct request {
  std::uint64_t nonce;
  command what;
  std::uint32_t libraries;                ///< how many take part
  std::uint32_t library[most_libraries];  ///< which of the shared objects on the runner's command line
  char symbol[symbol_length];
  std::uint32_t host_pointers;  ///< the launcher takes host memory and copies by itself
  std::uint32_t slots;
  protocol::slot slot[most_slots];
  std::uint32_t repeats, copies;  ///< measure: calls go round `copies` sets of buffers
  std::uint32_t with_copies;      ///< measure: times upload, call and download together
  std::uint64_t file_bytes;       ///< of `in` and of `out`
  std::uint32_t untrusted;        ///< replay: not where kernels can reach the host's memory
  std::uint64_t recording_bytes;  ///< more behind them: of `out` for `record`, of `in` for `replay`
};

enum class status : std::uint32_t {
  done,
  missing_symbol,  ///< the library does not load or lacks the symbol; `text` says which
  launch_error,    ///< the runtime reported an error after the call; `text` names it
  out_of_memory,
  infra_error,  ///< the runner could not do its work
};

/// What the GPU ran at, right after the last timed call; zeros where nobody knows.
struct gpu_state {
  float multiprocessor_mhz, memory_mhz, watts;
};

struct reply {
  std::uint64_t nonce;
  status what;
  char text[text_length];
  std::uint32_t samples;                             ///< of each library
  float milliseconds[most_libraries][most_samples];  ///< in the order of request::library
  protocol::gpu_state gpu;                           ///< of `measure`
  std::uint32_t head_start;                          ///< of `measure`: the host's launches are not in the times
};

/// What the runner computes on.
struct device {
  char name[128];
  std::uint64_t memory_bytes, free_bytes, l2_bytes;
  std::uint32_t multiprocessors, major, minor, runtime;  ///< compute capability; CUDA's version, 13000 for 13.0
};

/// Sent once, unasked, when the runner has started its device: `done`, or why it could not.
struct greeting {
  status what;
  char text[text_length];
  protocol::device device;
};

static_assert(std::is_trivially_copyable_v<request> && std::is_trivially_copyable_v<reply>);
static_assert(std::is_trivially_copyable_v<greeting>);

}  // namespace lab::protocol
