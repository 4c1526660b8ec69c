#define _GNU_SOURCE 1
#include "CLan.h"

#include <errno.h>
#include <linux/errqueue.h>
#include <linux/net_tstamp.h>
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>

#ifndef IP_BIND_ADDRESS_NO_PORT
#define IP_BIND_ADDRESS_NO_PORT 24
#endif
/* Linux 6.2; older kernels count from the first byte that is not acknowledged. */
#define LAN_STAMP_OPT_ID_TCP (1 << 16)

int lan_peer_options(int fd, int is_ipv6, int traffic_class, int undelayed) {
  int one = 1;
  if (undelayed && setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one) != 0) return -1;
  if (traffic_class < 0) return 0;
  return is_ipv6
             ? setsockopt(fd, IPPROTO_IPV6, IPV6_TCLASS, &traffic_class, sizeof traffic_class)
             : setsockopt(fd, IPPROTO_IP, IP_TOS, &traffic_class, sizeof traffic_class);
}

int lan_bind_address(int fd, const struct lan_endpoint *from) {
  int one = 1;
  /* The port is chosen at connect then, so that it can serve several peers. */
  (void)setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &one, sizeof one);
  return lan_bind(fd, from);
}

int lan_is_self_connected(int fd) {
  struct sockaddr_storage own, peer;
  socklen_t own_length = sizeof own, peer_length = sizeof peer;
  memset(&own, 0, sizeof own);
  memset(&peer, 0, sizeof peer);
  if (getsockname(fd, (struct sockaddr *)&own, &own_length) != 0) return 0;
  if (getpeername(fd, (struct sockaddr *)&peer, &peer_length) != 0) return 0;
  return own_length == peer_length && memcmp(&own, &peer, own_length) == 0;
}

int lan_close_by_reset(int fd) {
  struct linger now = {.l_onoff = 1, .l_linger = 0};
  return setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
}

int lan_unacknowledged(int fd) {
  int count = 0;
  return ioctl(fd, SIOCOUTQ, &count) == 0 ? count : -1;
}

int lan_tcp_read(int fd, struct lan_tcp *out) {
  struct tcp_info info;
  socklen_t length = sizeof info;
  memset(&info, 0, sizeof info);
  if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &length) != 0) return -1;
  out->rtt = info.tcpi_rtt;
  out->rtt_deviation = info.tcpi_rttvar;
  out->least_rtt = length >= offsetof(struct tcp_info, tcpi_min_rtt) + sizeof info.tcpi_min_rtt
                       ? info.tcpi_min_rtt
                       : UINT32_MAX;
  out->retransmits = info.tcpi_total_retrans;
  out->retransmits_in_vain = info.tcpi_retransmits;
  out->unacknowledged = info.tcpi_unacked;
  out->segment_size = info.tcpi_snd_mss;
  out->congestion_window = info.tcpi_snd_cwnd;
  return 0;
}

/* --- time stamps --------------------------------------------------------------------------- */

int lan_stamp_begin(int fd, int receives) {
  int flags = SOF_TIMESTAMPING_SOFTWARE | SOF_TIMESTAMPING_OPT_ID | SOF_TIMESTAMPING_OPT_TSONLY;
  if (receives) flags |= SOF_TIMESTAMPING_RX_SOFTWARE;
  int full = flags | LAN_STAMP_OPT_ID_TCP;
  if (setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPING, &full, sizeof full) == 0) return 0;
  return setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPING, &flags, sizeof flags);
}

ptrdiff_t lan_stamp_send(int fd, const void *bytes, size_t length, int acknowledgement_only) {
  union {
    char room[CMSG_SPACE(sizeof(uint32_t))];
    struct cmsghdr align;
  } control;
  memset(&control, 0, sizeof control);
  struct iovec part = {.iov_base = (void *)bytes, .iov_len = length};
  struct msghdr message = {.msg_iov = &part,
                           .msg_iovlen = 1,
                           .msg_control = control.room,
                           .msg_controllen = sizeof control.room};
  uint32_t flags = SOF_TIMESTAMPING_TX_ACK;
  if (!acknowledgement_only) flags |= SOF_TIMESTAMPING_TX_SCHED | SOF_TIMESTAMPING_TX_SOFTWARE;
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SO_TIMESTAMPING;
  header->cmsg_len = CMSG_LEN(sizeof flags);
  memcpy(CMSG_DATA(header), &flags, sizeof flags);
  return sendmsg(fd, &message, MSG_NOSIGNAL);
}

static int64_t stamp_time(const struct cmsghdr *header) {
  struct scm_timestamping stamp;
  memcpy(&stamp, CMSG_DATA(header), sizeof stamp);
  return (int64_t)stamp.ts[0].tv_sec * 1000000000 + stamp.ts[0].tv_nsec;
}

int lan_stamp_next(int fd, struct lan_stamp *out) {
  union {
    char room[512];
    struct cmsghdr align;
  } control;
  struct msghdr message = {.msg_control = control.room, .msg_controllen = sizeof control.room};
  ptrdiff_t got;
  do got = recvmsg(fd, &message, MSG_ERRQUEUE | MSG_DONTWAIT);
  while (got < 0 && errno == EINTR);
  if (got < 0) return 0;
  memset(out, 0, sizeof *out);
  for (struct cmsghdr *h = CMSG_FIRSTHDR(&message); h; h = CMSG_NXTHDR(&message, h)) {
    if (h->cmsg_level == SOL_SOCKET && h->cmsg_type == SCM_TIMESTAMPING) {
      out->time = stamp_time(h);
    } else if ((h->cmsg_level == SOL_IP && h->cmsg_type == IP_RECVERR) ||
               (h->cmsg_level == SOL_IPV6 && h->cmsg_type == IPV6_RECVERR)) {
      struct sock_extended_err error;
      memcpy(&error, CMSG_DATA(h), sizeof error);
      if (error.ee_origin != SO_EE_ORIGIN_TIMESTAMPING) continue;
      out->id = error.ee_data;
      out->kind = error.ee_info == SCM_TSTAMP_SCHED ? LAN_STAMP_SCHEDULED
                  : error.ee_info == SCM_TSTAMP_SND ? LAN_STAMP_SENT
                  : error.ee_info == SCM_TSTAMP_ACK ? LAN_STAMP_ACKNOWLEDGED
                                                    : LAN_STAMP_OTHER;
    }
  }
  return 1;
}

ptrdiff_t lan_stamp_receive(int fd, void *bytes, size_t room, int64_t *time) {
  union {
    char room[256];
    struct cmsghdr align;
  } control;
  struct iovec part = {.iov_base = bytes, .iov_len = room};
  struct msghdr message = {.msg_iov = &part,
                           .msg_iovlen = 1,
                           .msg_control = control.room,
                           .msg_controllen = sizeof control.room};
  *time = 0;
  ptrdiff_t got = recvmsg(fd, &message, 0);
  if (got <= 0) return got;
  for (struct cmsghdr *h = CMSG_FIRSTHDR(&message); h; h = CMSG_NXTHDR(&message, h))
    if (h->cmsg_level == SOL_SOCKET && h->cmsg_type == SCM_TIMESTAMPING) *time = stamp_time(h);
  return got;
}

static int64_t nanoseconds(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int64_t lan_clock_distance(int64_t *monotonic) {
  int64_t best = INT64_MAX, distance = 0;
  /* The closest of three readings: one may be interrupted in the middle. */
  for (int turn = 0; turn < 3; turn++) {
    int64_t before = nanoseconds(CLOCK_MONOTONIC);
    int64_t wall = nanoseconds(CLOCK_REALTIME);
    int64_t after = nanoseconds(CLOCK_MONOTONIC);
    if (after - before >= best) continue;
    best = after - before;
    distance = wall - (before + best / 2);
    *monotonic = after;
  }
  return distance;
}
