#define _GNU_SOURCE 1
#include "CLan.h"
#include "messages.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/netlink.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef SOL_NETLINK
#define SOL_NETLINK 270
#endif

struct lan_netlink_batch {
  struct lan_messages messages;
  struct lan_netlink_datagram *datagrams;
};

void lan_netlink_batch_free(struct lan_netlink_batch *batch) {
  if (!batch) return;
  lan_messages_free(&batch->messages);
  free(batch->datagrams);
  free(batch);
}

struct lan_netlink_batch *lan_netlink_batch_create(unsigned count, size_t size) {
  struct lan_netlink_batch *batch = calloc(1, sizeof *batch);
  if (!batch) return 0;
  batch->datagrams = calloc(count, sizeof *batch->datagrams);
  if (!batch->datagrams || lan_messages_allocate(&batch->messages, count, size, 0) != 0) {
    lan_netlink_batch_free(batch);
    return 0;
  }
  return batch;
}

int lan_netlink_batch_receive(struct lan_netlink_batch *batch, int fd) {
  int count = lan_messages_receive(&batch->messages, fd);
  for (int i = 0; i < count; i++) {
    const struct mmsghdr *header = &batch->messages.headers[i];
    const struct sockaddr_nl *source = header->msg_hdr.msg_name;
    struct lan_netlink_datagram *out = &batch->datagrams[i];
    out->bytes = header->msg_hdr.msg_iov->iov_base;
    out->length = header->msg_len;
    out->truncated = (header->msg_hdr.msg_flags & MSG_TRUNC) != 0;
    out->port = header->msg_hdr.msg_namelen == sizeof *source ? source->nl_pid : ~0u;
  }
  return count;
}

const struct lan_netlink_datagram *lan_netlink_batch_at(
    const struct lan_netlink_batch *batch, unsigned index) {
  return &batch->datagrams[index];
}

static void close_keeping_errno(int fd) {
  int number = errno;
  close(fd);
  errno = number;
}

int lan_netlink_open(int protocol, uint32_t *port) {
  int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, protocol);
  if (fd < 0) return -1;
  struct sockaddr_nl own = {.nl_family = AF_NETLINK};
  socklen_t length = sizeof own;
  if (bind(fd, (struct sockaddr *)&own, sizeof own) != 0 ||
      getsockname(fd, (struct sockaddr *)&own, &length) != 0) {
    close_keeping_errno(fd);
    return -1;
  }
  *port = own.nl_pid;
  return fd;
}

int lan_netlink_set(int fd, int option, int value) {
  return setsockopt(fd, SOL_NETLINK, option, &value, sizeof value);
}

int lan_netlink_set_buffer(int fd, int bytes) {
  if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof bytes) == 0) return 0;
  return setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
}

ptrdiff_t lan_netlink_send(int fd, const void *bytes, size_t length) {
  struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};
  return sendto(fd, bytes, length, 0, (struct sockaddr *)&kernel, sizeof kernel);
}

int lan_netlink_filter(int fd, const uint64_t *program, unsigned count) {
  if (count == 0) {
    int none = 0;
    return setsockopt(fd, SOL_SOCKET, SO_DETACH_FILTER, &none, sizeof none);
  }
  struct sock_filter *steps = calloc(count, sizeof *steps);
  if (!steps) return -1;
  for (unsigned i = 0; i < count; i++) {
    steps[i] = (struct sock_filter){
        .code = (uint16_t)program[i],
        .jt = (uint8_t)(program[i] >> 16),
        .jf = (uint8_t)(program[i] >> 24),
        .k = (uint32_t)(program[i] >> 32)};
  }
  struct sock_fprog whole = {.len = (unsigned short)count, .filter = steps};
  int result = setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &whole, sizeof whole);
  int number = errno;
  free(steps);
  errno = number;
  return result;
}
