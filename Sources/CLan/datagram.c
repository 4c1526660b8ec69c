#define _GNU_SOURCE 1
#include "CLan.h"
#include "messages.h"

#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

/* Room for the packet information, hop limit and time of either family. */
#define CONTROL_BYTES 256

struct lan_batch {
  struct lan_messages messages;
  struct lan_datagram *datagrams;
};

void lan_batch_free(struct lan_batch *batch) {
  if (!batch) return;
  lan_messages_free(&batch->messages);
  free(batch->datagrams);
  free(batch);
}

struct lan_batch *lan_batch_create(unsigned count, size_t size) {
  struct lan_batch *batch = calloc(1, sizeof *batch);
  if (!batch) return 0;
  batch->datagrams = calloc(count, sizeof *batch->datagrams);
  if (!batch->datagrams ||
      lan_messages_allocate(&batch->messages, count, size, CONTROL_BYTES) != 0) {
    lan_batch_free(batch);
    return 0;
  }
  return batch;
}

void lan_endpoint_read(const struct sockaddr_storage *from, struct lan_endpoint *out) {
  memset(out, 0, sizeof *out);
  if (from->ss_family == AF_INET) {
    const struct sockaddr_in *v4 = (const struct sockaddr_in *)from;
    memcpy(out->address, &v4->sin_addr, 4);
    out->port = ntohs(v4->sin_port);
    out->family = 4;
  } else if (from->ss_family == AF_INET6) {
    const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)from;
    memcpy(out->address, &v6->sin6_addr, 16);
    out->scope = v6->sin6_scope_id;
    out->port = ntohs(v6->sin6_port);
    out->family = 6;
  }
}

static socklen_t to_sockaddr(const struct lan_endpoint *from, struct sockaddr_storage *out) {
  memset(out, 0, sizeof *out);
  if (from->family == 4) {
    struct sockaddr_in *v4 = (struct sockaddr_in *)out;
    v4->sin_family = AF_INET;
    v4->sin_port = htons(from->port);
    memcpy(&v4->sin_addr, from->address, 4);
    return sizeof *v4;
  }
  struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)out;
  v6->sin6_family = AF_INET6;
  v6->sin6_port = htons(from->port);
  v6->sin6_scope_id = from->scope;
  memcpy(&v6->sin6_addr, from->address, 16);
  return sizeof *v6;
}

static void read_ipv4_control(const struct cmsghdr *c, struct lan_datagram *out) {
  if (c->cmsg_type == IP_PKTINFO) {
    struct in_pktinfo info;
    memcpy(&info, CMSG_DATA(c), sizeof info);
    out->destination.family = 4;
    memcpy(out->destination.address, &info.ipi_addr, 4);
    out->interface = (uint32_t)info.ipi_ifindex;
  } else if (c->cmsg_type == IP_TTL) {
    int value;
    memcpy(&value, CMSG_DATA(c), sizeof value);
    out->hop_limit = value;
  }
}

static void read_ipv6_control(const struct cmsghdr *c, struct lan_datagram *out) {
  if (c->cmsg_type == IPV6_PKTINFO) {
    struct in6_pktinfo info;
    memcpy(&info, CMSG_DATA(c), sizeof info);
    out->destination.family = 6;
    memcpy(out->destination.address, &info.ipi6_addr, 16);
    out->interface = (uint32_t)info.ipi6_ifindex;
  } else if (c->cmsg_type == IPV6_HOPLIMIT) {
    int value;
    memcpy(&value, CMSG_DATA(c), sizeof value);
    out->hop_limit = value;
  }
}

static void read_datagram(struct mmsghdr *header, struct lan_datagram *out) {
  struct msghdr *message = &header->msg_hdr;
  memset(out, 0, sizeof *out);
  out->bytes = message->msg_iov->iov_base;
  out->length = header->msg_len;
  out->hop_limit = -1;
  out->truncated = (message->msg_flags & MSG_TRUNC) != 0;
  lan_endpoint_read(message->msg_name, &out->source);
  for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c; c = CMSG_NXTHDR(message, c)) {
    if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_TIMESTAMPNS) {
      struct timespec stamp;
      memcpy(&stamp, CMSG_DATA(c), sizeof stamp);
      out->time = (int64_t)stamp.tv_sec * 1000000000 + stamp.tv_nsec;
    } else if (c->cmsg_level == IPPROTO_IP) {
      read_ipv4_control(c, out);
    } else if (c->cmsg_level == IPPROTO_IPV6) {
      read_ipv6_control(c, out);
    }
  }
}

int lan_batch_receive(struct lan_batch *batch, int fd) {
  int count = lan_messages_receive(&batch->messages, fd);
  for (int i = 0; i < count; i++) read_datagram(&batch->messages.headers[i], &batch->datagrams[i]);
  return count;
}

const struct lan_datagram *lan_batch_at(const struct lan_batch *batch, unsigned index) {
  return &batch->datagrams[index];
}

static void add_packet_info(
    struct msghdr *message, uint8_t family, uint32_t interface, const struct lan_endpoint *from) {
  struct cmsghdr *c = CMSG_FIRSTHDR(message);
  if (family == 4) {
    struct in_pktinfo info = {.ipi_ifindex = (int)interface};
    if (from && from->family == 4) memcpy(&info.ipi_spec_dst, from->address, 4);
    c->cmsg_level = IPPROTO_IP;
    c->cmsg_type = IP_PKTINFO;
    c->cmsg_len = CMSG_LEN(sizeof info);
    memcpy(CMSG_DATA(c), &info, sizeof info);
    message->msg_controllen = CMSG_SPACE(sizeof info);
  } else {
    struct in6_pktinfo info = {.ipi6_ifindex = interface};
    if (from && from->family == 6) memcpy(&info.ipi6_addr, from->address, 16);
    c->cmsg_level = IPPROTO_IPV6;
    c->cmsg_type = IPV6_PKTINFO;
    c->cmsg_len = CMSG_LEN(sizeof info);
    memcpy(CMSG_DATA(c), &info, sizeof info);
    message->msg_controllen = CMSG_SPACE(sizeof info);
  }
}

ptrdiff_t lan_send(
    int fd, const void *bytes, size_t length, const struct lan_endpoint *to, uint32_t interface,
    const struct lan_endpoint *from) {
  struct sockaddr_storage address;
  union {
    struct cmsghdr aligned;
    uint8_t bytes[CONTROL_BYTES];
  } control = {0};
  struct iovec part = {(void *)(uintptr_t)bytes, length};
  struct msghdr message = {.msg_name = &address, .msg_iov = &part, .msg_iovlen = 1};
  message.msg_namelen = to_sockaddr(to, &address);
  if (interface || (from && from->family)) {
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof control.bytes;
    add_packet_info(&message, to->family, interface, from);
  }
  return sendmsg(fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
}

int lan_bind(int fd, const struct lan_endpoint *to) {
  struct sockaddr_storage address;
  socklen_t length = to_sockaddr(to, &address);
  return bind(fd, (struct sockaddr *)&address, length);
}

int lan_local_endpoint(int fd, struct lan_endpoint *out) {
  struct sockaddr_storage address = {0};
  socklen_t length = sizeof address;
  if (getsockname(fd, (struct sockaddr *)&address, &length) != 0) return -1;
  lan_endpoint_read(&address, out);
  return 0;
}

static int membership(
    int fd, int option4, int option6, const struct lan_endpoint *group, uint32_t interface) {
  if (group->family == 4) {
    struct ip_mreqn request = {.imr_ifindex = (int)interface};
    memcpy(&request.imr_multiaddr, group->address, 4);
    return setsockopt(fd, IPPROTO_IP, option4, &request, sizeof request);
  }
  struct ipv6_mreq request = {.ipv6mr_interface = interface};
  memcpy(&request.ipv6mr_multiaddr, group->address, 16);
  return setsockopt(fd, IPPROTO_IPV6, option6, &request, sizeof request);
}

int lan_join(int fd, const struct lan_endpoint *group, uint32_t interface) {
  return membership(fd, IP_ADD_MEMBERSHIP, IPV6_JOIN_GROUP, group, interface);
}

int lan_leave(int fd, const struct lan_endpoint *group, uint32_t interface) {
  return membership(fd, IP_DROP_MEMBERSHIP, IPV6_LEAVE_GROUP, group, interface);
}
