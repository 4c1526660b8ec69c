#define _GNU_SOURCE 1
#include "CLan.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

/* How often a turn goes round before other connections have theirs. */
#define ROUNDS 16
/* What is taken at once at the beginning of a turn: the messages of a tester are not larger. */
#define LITTLE 2048

static void set(int fd, int level, int option, int value) {
  setsockopt(fd, level, option, &value, sizeof value);
}

int lan_peer_listen(const struct lan_endpoint *at) {
  int family = at->family == 4 ? AF_INET : AF_INET6;
  int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return -1;
  set(fd, SOL_SOCKET, SO_REUSEADDR, 1);
  /* A telnet client marks bytes as urgent; they are bytes like others. */
  set(fd, SOL_SOCKET, SO_OOBINLINE, 1);
  if (family == AF_INET6) set(fd, IPPROTO_IPV6, IPV6_V6ONLY, 1);
  /* Connections inherit it. */
  set(fd, IPPROTO_TCP, TCP_NODELAY, 1);
  if (lan_bind(fd, at) == 0 && listen(fd, SOMAXCONN) == 0) return fd;
  int number = errno;
  close(fd);
  errno = number;
  return -1;
}

int lan_peer_accept(int listener, struct lan_endpoint *peer) {
  struct sockaddr_storage address = {0};
  socklen_t length = sizeof address;
  int fd = accept4(
      listener, (struct sockaddr *)&address, &length, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (fd >= 0) lan_endpoint_read(&address, peer);
  return fd;
}

void lan_peer_keep_alive(int fd) {
  set(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
  set(fd, IPPROTO_TCP, TCP_KEEPIDLE, 10);
  set(fd, IPPROTO_TCP, TCP_KEEPINTVL, 5);
  set(fd, IPPROTO_TCP, TCP_KEEPCNT, 3);
  set(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, 25000);
}

void lan_peer_close(int fd, int resets) {
  if (resets) {
    struct linger none = {.l_onoff = 1, .l_linger = 0};
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &none, sizeof none);
  } else {
    /* Closing with unread bytes resets; what goes out before that is the end of the stream. */
    shutdown(fd, SHUT_WR);
  }
  close(fd);
}

/* Whether a call that failed ends the connection; else there is nothing to be had now. */
static int is_fatal(struct lan_peer_turn *turn) {
  if (errno == EAGAIN || errno == EINTR) return 0;
  turn->error = errno;
  return 1;
}

static void forget(int fd, uint8_t *buffer, size_t count) {
  while (count > 0) {
    ssize_t got = recv(fd, buffer, count, MSG_DONTWAIT | MSG_TRUNC);
    if (got <= 0 && errno != EINTR) return;
    if (got > 0) count -= (size_t)got;
  }
}

/* Takes a little and sends it back; false where the turn is over. */
static int echo_little(
    int fd, uint8_t *buffer, size_t room, struct lan_peer_turn *turn) {
  ssize_t got = recv(fd, buffer, room, MSG_DONTWAIT);
  if (got <= 0) {
    turn->ended = got == 0;
    if (got < 0) is_fatal(turn);
    return 0;
  }
  turn->bytes = (size_t)got;
  ssize_t sent = send(fd, buffer, (size_t)got, MSG_DONTWAIT | MSG_NOSIGNAL);
  if (sent < 0 && is_fatal(turn)) return 0;
  turn->sent = sent < 0 ? 0 : (size_t)sent;
  turn->rest = turn->bytes - turn->sent;
  turn->blocked = turn->rest > 0;
  if (turn->blocked) memmove(buffer, buffer + turn->sent, turn->rest);
  return !turn->blocked && turn->bytes == room;
}

void lan_peer_echo(
    int fd, uint8_t *buffer, size_t size, size_t limit, int is_careful,
    struct lan_peer_turn *turn) {
  memset(turn, 0, sizeof *turn);
  size_t little = limit < LITTLE ? limit : LITTLE;
  if (!is_careful && little > 0 && little <= size && !echo_little(fd, buffer, little, turn)) return;
  for (int round = 0; round < ROUNDS && turn->bytes < limit; round++) {
    size_t room = limit - turn->bytes < size ? limit - turn->bytes : size;
    ssize_t got = recv(fd, buffer, room, MSG_DONTWAIT | MSG_PEEK);
    if (got < 0) {
      is_fatal(turn);
      return;
    }
    if (got == 0) {
      turn->ended = 1;
      return;
    }
    ssize_t sent = send(fd, buffer, (size_t)got, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0) {
      turn->blocked = !is_fatal(turn);
      return;
    }
    forget(fd, buffer, (size_t)sent);
    turn->bytes += (size_t)sent;
    turn->sent += (size_t)sent;
    turn->blocked = sent < got;
    if (turn->blocked || (size_t)got < room) return;
  }
}

void lan_peer_send_rest(int fd, const uint8_t *bytes, size_t count, struct lan_peer_turn *turn) {
  memset(turn, 0, sizeof *turn);
  ssize_t sent = send(fd, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL);
  if (sent < 0)
    is_fatal(turn);
  else
    turn->sent = (size_t)sent;
  turn->rest = count - turn->sent;
  turn->blocked = turn->rest > 0;
}

void lan_peer_discard(int fd, size_t limit, struct lan_peer_turn *turn) {
  memset(turn, 0, sizeof *turn);
  for (int round = 0; round < ROUNDS && turn->bytes < limit; round++) {
    size_t room = limit - turn->bytes < 1 << 20 ? limit - turn->bytes : 1 << 20;
    /* The kernel copies nothing: the pointer is not used. */
    ssize_t got = recv(fd, 0, room, MSG_DONTWAIT | MSG_TRUNC);
    if (got < 0) {
      is_fatal(turn);
      return;
    }
    if (got == 0) {
      turn->ended = 1;
      return;
    }
    turn->bytes += (size_t)got;
    if ((size_t)got < room) return;
  }
}

void lan_peer_receive(int fd, uint8_t *buffer, size_t size, struct lan_peer_turn *turn) {
  memset(turn, 0, sizeof *turn);
  ssize_t got = recv(fd, buffer, size, MSG_DONTWAIT);
  if (got < 0)
    is_fatal(turn);
  else if (got == 0)
    turn->ended = 1;
  else
    turn->bytes = (size_t)got;
}

int lan_peer_send(int fd, uint8_t byte) {
  ssize_t sent = send(fd, &byte, 1, MSG_DONTWAIT | MSG_NOSIGNAL);
  if (sent < 0) return errno == EAGAIN || errno == EINTR ? 0 : -1;
  return (int)sent;
}

void lan_want_descriptors(unsigned wanted) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted) return;
  limit.rlim_cur = wanted < limit.rlim_max ? wanted : limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}
