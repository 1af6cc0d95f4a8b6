// expect: protocol_violation
// Sends file descriptors until the judge has no free ones.
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>

#include "lab.hpp"

void vector_add(const int* a, const int* b, int* out, int n) {
  int files[200];
  for (int& file : files) file = 3;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof files)]{};
  char byte = 0;
  iovec what{&byte, 1};
  msghdr message{};
  message.msg_iov = &what;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* const c = CMSG_FIRSTHDR(&message);
  c->cmsg_level = SOL_SOCKET;
  c->cmsg_type = SCM_RIGHTS;
  c->cmsg_len = CMSG_LEN(sizeof files);
  std::memcpy(CMSG_DATA(c), files, sizeof files);
  while (sendmsg(3, &message, MSG_DONTWAIT) > 0) {
  }
  sleep(1);
}

void vector_add_host(const int* a, const int* b, int* out, int n) {}
