#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <type_traits>

// The messages between judge and runner, over a SOCK_SEQPACKET socket that is the runner's descriptor 3. Array data are
// in two shared files that come with a request (SCM_RIGHTS). `in` is sealed and read-only; it holds every array
// argument as a guarded array: the payload between two guard zones. `out` has the same size and takes the guarded
// arrays after the call. Only the judge makes inputs, poison and verdicts; the runner knows no expected value.
namespace lab::protocol {

constexpr int socket_descriptor = 3;
constexpr std::size_t most_slots = 24, most_libraries = 8, most_samples = 64, symbol_length = 192, text_length = 1024;

enum class slot_kind : std::uint8_t { array, scalar };

/// One launcher argument: a scalar by value, or a guarded array at [offset, offset + guard + bytes + guard) of both
/// files.
struct slot {
  slot_kind kind;
  std::uint8_t element;    ///< lab::element
  std::uint8_t reads;      ///< the launcher may read it
  std::uint8_t writes;     ///< the launcher may write it
  std::uint8_t blank;      ///< not filled from `in` before the call
  std::uint64_t offset;    ///< of the guarded array
  std::uint64_t guard;     ///< bytes of each guard zone: a multiple of 256, and one element more to misalign an array
  std::uint64_t bytes;     ///< of the payload
  std::uint8_t value[16];  ///< of a scalar
};

enum class command : std::uint32_t {
  call,     ///< calls libraries[0] once on newly allocated arrays; the guarded arrays come back in `out`
  measure,  ///< warms up, then times one call of each library per round; the arrays of libraries[0] come back
  loop,     ///< times many calls of libraries[0] in a row by the host's clock, without events, `repeats` calls a time
  /// Calls libraries[0] `repeats` times, untimed. A profiler around the runner sees these calls and no others.
  profiled,
  ceiling,  ///< times copies of `file_bytes` bytes from device memory to device memory; comes without files
  record,   ///< calls libraries[0] once; `out` takes a launch recording behind the guarded arrays
  /// Replays the recording behind the guarded arrays in `in`, timed and with L2 cold. libraries[0] is device code: no
  /// student's host code is loaded. For this and for `record`, a text in the reply says why it is impossible.
  replay,
};

struct request {
  std::uint64_t nonce;
  command what;
  std::uint32_t library_count;
  std::uint32_t libraries[most_libraries];  ///< numbers of shared objects on the runner's command line
  char symbol[symbol_length];
  std::uint32_t host_pointers;  ///< the launcher takes host memory and copies it itself
  std::uint32_t slot_count;
  slot slots[most_slots];
  std::uint32_t repeats, copies;  ///< measure: rounds; sets of arguments that the calls use in turn
  std::uint32_t with_copies;      ///< measure: a time includes the transfers to and from the device
  std::uint32_t rest_us;          ///< measure, loop, profiled: the device rests before each timed call or loop
  std::uint64_t file_bytes;       ///< of the guarded arrays in `in` and in `out`
  std::uint32_t pooled;           ///< all arrays lie in one allocation of device memory, as in the file
  std::uint32_t discards;         ///< call: no array comes back, and `out` stays empty
  std::uint32_t untrusted;        ///< replay: refused on a machine where kernels can access host memory
  std::uint64_t recording_bytes;  ///< behind the arrays: in `out` for `record`, in `in` for `replay`
};

enum class status : std::uint32_t {
  done,
  missing_symbol,  ///< the library does not load or lacks the symbol, which `text` names
  launch_error,    ///< the runtime reported an error after the call, which `text` names
  out_of_memory,
  infra_error,  ///< the runner itself failed
};

/// The device waits no longer than this for the host. A launcher that waits for the device would never return
/// otherwise.
constexpr std::chrono::milliseconds hold_limit{20};

/// Whether the device waited until the host had queued a call, so that its time does not include launch overhead.
enum class head_start : std::uint32_t {
  none,      ///< the device did not wait
  complete,  ///< it waited until the host had queued everything
  timed_out  ///< it waited, but the host took longer than the limit, as it does when the launcher synchronises
};

/// Clocks and power of the GPU right after the last timed call; zeros if unknown.
struct gpu_state {
  float multiprocessor_mhz, memory_mhz, watts;
};

struct reply {
  std::uint64_t nonce;
  status what;
  char text[text_length];
  std::uint32_t samples;                             ///< per library
  float milliseconds[most_libraries][most_samples];  ///< in the order of request::libraries
  gpu_state gpu;                                     ///< of `measure`
  head_start head_starts[most_libraries];            ///< of `measure`: the worst of each library's samples
};

/// The device that the runner uses.
struct device_properties {
  char name[128];
  std::uint64_t memory_bytes, free_bytes, l2_bytes;
  std::uint32_t multiprocessors, major, minor, runtime;  ///< compute capability; CUDA's version, 13000 for 13.0
};

/// The runner's first message, without a request: `done` when its device is ready, or why it is not.
struct greeting {
  status what;
  char text[text_length];
  device_properties device;
};

static_assert(std::is_trivially_copyable_v<request> && std::is_trivially_copyable_v<reply>);
static_assert(std::is_trivially_copyable_v<greeting>);

}  // namespace lab::protocol
