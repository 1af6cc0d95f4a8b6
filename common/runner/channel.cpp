#include "runner/channel.hpp"

#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace lab::runner {

namespace {

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

// The two descriptors in a message, -1 if it carries none.
std::array<int, 2> descriptors_of(msghdr& message) {
  std::array<int, 2> descriptors{-1, -1};
  for (cmsghdr* header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header))
    if (header->cmsg_type == SCM_RIGHTS && header->cmsg_len == CMSG_LEN(sizeof descriptors))
      std::memcpy(descriptors.data(), CMSG_DATA(header), sizeof descriptors);
  return descriptors;
}

}  // namespace

mapping::mapping(int descriptor, std::size_t bytes, bool writable) : bytes_{bytes} {
  const int protection = writable ? PROT_READ | PROT_WRITE : PROT_READ;
  void* address = mmap(nullptr, bytes, protection, MAP_SHARED | MAP_POPULATE, descriptor, 0);
  if (address == MAP_FAILED) {
    close(descriptor);
    fail("mapping a shared file");
  }
  descriptor_ = descriptor;
  data_ = static_cast<std::byte*>(address);
}

mapping::mapping(mapping&& other) noexcept
    : descriptor_{std::exchange(other.descriptor_, -1)},
      data_{std::exchange(other.data_, nullptr)},
      bytes_{std::exchange(other.bytes_, 0)} {}

mapping& mapping::operator=(mapping&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

mapping::~mapping() {
  if (data_) munmap(data_, bytes_), close(descriptor_);
}

std::optional<incoming_request> receive() {
  incoming_request next{};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(2 * sizeof(int))> control{};
  iovec buffer{&next.request, sizeof next.request};
  msghdr message{};
  message.msg_iov = &buffer;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  const ssize_t received = recvmsg(protocol::socket_descriptor, &message, MSG_CMSG_CLOEXEC);
  if (received < 0) fail("waiting for a request");
  if (received == 0) return std::nullopt;
  if (received != sizeof next.request) throw std::runtime_error("a request has the wrong size");
  const auto [in, out] = descriptors_of(message);
  const auto& request = next.request;
  const auto bytes_with_recording = [&](protocol::command command) {
    return request.file_bytes + (request.what == command ? request.recording_bytes : 0);
  };
  if (in >= 0) next.in = mapping{in, bytes_with_recording(protocol::command::replay), false};
  if (out >= 0 && request.discards)
    close(out);
  else if (out >= 0)
    next.out = mapping{out, bytes_with_recording(protocol::command::record), true};
  return next;
}

void send(const void* message, std::size_t bytes) {
  if (::send(protocol::socket_descriptor, message, bytes, MSG_NOSIGNAL) != static_cast<ssize_t>(bytes))
    fail("sending a message");
}

}  // namespace lab::runner
