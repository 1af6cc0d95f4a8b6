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

// The descriptors that came with a message, -1 where none did.
std::array<int, 2> descriptors_of(msghdr& message) {
  std::array<int, 2> all{-1, -1};
  for (cmsghdr* c = CMSG_FIRSTHDR(&message); c; c = CMSG_NXTHDR(&message, c))
    if (c->cmsg_type == SCM_RIGHTS && c->cmsg_len == CMSG_LEN(sizeof all))
      std::memcpy(all.data(), CMSG_DATA(c), sizeof all);
  return all;
}

}  // namespace

mapping::mapping(int descriptor, std::size_t bytes, bool writable) : bytes_{bytes} {
  void* at = mmap(nullptr, bytes, writable ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, descriptor, 0);
  close(descriptor);
  if (at == MAP_FAILED) fail("mapping a shared file");
  data_ = static_cast<std::byte*>(at);
}

mapping::mapping(mapping&& other) noexcept
    : data_{std::exchange(other.data_, nullptr)}, bytes_{std::exchange(other.bytes_, 0)} {}

mapping& mapping::operator=(mapping&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

mapping::~mapping() {
  if (data_) munmap(data_, bytes_);
}

std::optional<incoming> receive() {
  incoming next{};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(2 * sizeof(int))> control{};
  iovec where{&next.request, sizeof next.request};
  msghdr message{};
  message.msg_iov = &where;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  const ssize_t got = recvmsg(protocol::socket_descriptor, &message, MSG_CMSG_CLOEXEC);
  if (got < 0) fail("waiting for a request");
  if (got == 0) return std::nullopt;
  if (got != sizeof next.request) throw std::runtime_error("a request of the wrong size");
  const auto [in, out] = descriptors_of(message);
  const auto& r = next.request;
  const auto longer = [&](protocol::command c) { return r.file_bytes + (r.what == c ? r.recording_bytes : 0); };
  if (in >= 0) next.in = mapping{in, longer(protocol::command::replay), false};
  if (out >= 0) next.out = mapping{out, longer(protocol::command::record), true};
  return next;
}

void send(const void* message, std::size_t bytes) {
  if (::send(protocol::socket_descriptor, message, bytes, MSG_NOSIGNAL) != static_cast<ssize_t>(bytes))
    fail("sending a message");
}

}  // namespace lab::runner
