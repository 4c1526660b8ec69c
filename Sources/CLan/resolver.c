#define _GNU_SOURCE 1
#include "CLan.h"

#include <arpa/nameser.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <resolv.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static void from_v4(struct lan_endpoint *out, const struct sockaddr_in *in) {
  out->family = 4;
  out->port = ntohs(in->sin_port);
  memcpy(out->address, &in->sin_addr, 4);
}

static void from_v6(struct lan_endpoint *out, const struct sockaddr_in6 *in) {
  out->family = 6;
  out->port = ntohs(in->sin6_port);
  out->scope = in->sin6_scope_id;
  memcpy(out->address, &in->sin6_addr, 16);
}

int lan_resolver_read(struct lan_resolver *out) {
  struct __res_state state;
  memset(&state, 0, sizeof state);
  memset(out, 0, sizeof *out);
  if (res_ninit(&state) != 0) return -1;
  for (int i = 0; i < state.nscount && out->count < MAXNS; i++) {
    struct lan_endpoint *server = &out->servers[out->count];
    /* IPv6 servers stand in the extension, where the old list has a hole. */
    if (state.nsaddr_list[i].sin_family == AF_INET) {
      from_v4(server, &state.nsaddr_list[i]);
    } else if (state._u._ext.nsaddrs[i] != NULL) {
      from_v6(server, state._u._ext.nsaddrs[i]);
    } else {
      continue;
    }
    out->count++;
  }
  out->timeout = state.retrans;
  out->attempts = state.retry;
  out->uses_streams = (state.options & RES_USEVC) != 0;
  res_nclose(&state);
  return 0;
}

/* Makes the state ask one server alone. */
static int use_server(res_state state, const struct lan_endpoint *server) {
  for (int i = 0; i < MAXNS; i++) {
    free(state->_u._ext.nsaddrs[i]);
    state->_u._ext.nsaddrs[i] = NULL;
    state->_u._ext.nssocks[i] = -1;
  }
  memset(state->nsaddr_list, 0, sizeof state->nsaddr_list);
  state->nscount = 1;
  state->_u._ext.nscount = 0;
  if (server->family == 4) {
    struct sockaddr_in *v4 = &state->nsaddr_list[0];
    v4->sin_family = AF_INET;
    v4->sin_port = htons(server->port);
    memcpy(&v4->sin_addr, server->address, 4);
    return 0;
  }
  /* Freed by res_nclose. */
  struct sockaddr_in6 *v6 = calloc(1, sizeof *v6);
  if (v6 == NULL) return -1;
  v6->sin6_family = AF_INET6;
  v6->sin6_port = htons(server->port);
  v6->sin6_scope_id = server->scope;
  memcpy(&v6->sin6_addr, server->address, 16);
  state->_u._ext.nsaddrs[0] = v6;
  state->_u._ext.nscount = 1;
  return 0;
}

static int64_t milliseconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* True for the header of a response to the query. */
static int is_response(const uint8_t *answer, const uint8_t *query) {
  return answer[0] == query[0] && answer[1] == query[1] && (answer[2] & 0x80) != 0;
}

/* The resolver gives no response that it would try another server for, but leaves it in the buffer:
 * FORMERR, SERVFAIL, NOTIMP, REFUSED, and a bare referral (neither AA nor RA). */
static int is_refusal(const uint8_t *answer) {
  switch (answer[3] & 0x0F) {
  case 1: case 2: case 4: case 5: return 1;
  case 0: return (answer[2] & 0x04) == 0 && (answer[3] & 0x80) == 0;
  default: return 0;
  }
}

ptrdiff_t lan_resolver_ask(
    const struct lan_endpoint *server, int seconds, const uint8_t *query, size_t length,
    uint8_t *answer, size_t room) {
  struct __res_state state;
  memset(&state, 0, sizeof state);
  if (length < HFIXEDSZ || room < HFIXEDSZ || room > INT32_MAX || length > INT32_MAX) {
    errno = EINVAL;
    return -1;
  }
  if (res_ninit(&state) != 0) return -1;
  memset(answer, 0, HFIXEDSZ);
  int64_t due = milliseconds_now() + (int64_t)seconds * 1000;
  ptrdiff_t result = -1;
  if (use_server(&state, server) == 0) {
    state.retrans = seconds;
    state.retry = 1;
    /* A stream would be waited for without end; the caller has its own. */
    state.options = RES_INIT | RES_RECURSE | RES_IGNTC;
    state.pfcode = 0;
    result = res_nsend(&state, query, (int)length, answer, (int)room);
  }
  int number = errno;
  res_nclose(&state);
  if (result >= HFIXEDSZ) return result;
  int has_come = is_response(answer, query);
  if (has_come && is_refusal(answer)) {
    /* How long it was is not known: all behind the header is left out. */
    memset(answer + 4, 0, HFIXEDSZ - 4);
    return HFIXEDSZ;
  }
  /* What ended the waiting early was too short for a header. */
  errno = has_come && milliseconds_now() < due - 100 ? EBADMSG : number;
  return -1;
}

/* Waits until fd is ready or the deadline has come; -1 and ETIMEDOUT then. */
static int wait_for(int fd, short events, int64_t deadline) {
  for (;;) {
    int64_t left = deadline - milliseconds_now();
    struct pollfd entry = {.fd = fd, .events = events};
    int count = left <= 0 ? 0 : poll(&entry, 1, (int)left);
    if (count > 0) return 0;
    if (count == 0) {
      errno = ETIMEDOUT;
      return -1;
    }
    if (errno != EINTR) return -1;
  }
}

static int write_all(int fd, const uint8_t *bytes, size_t length, int64_t deadline) {
  while (length > 0) {
    ssize_t count = send(fd, bytes, length, MSG_NOSIGNAL);
    if (count < 0 && errno != EAGAIN && errno != EINTR) return -1;
    if (count < 0 && wait_for(fd, POLLOUT, deadline) != 0) return -1;
    if (count > 0) {
      bytes += count;
      length -= (size_t)count;
    }
  }
  return 0;
}

static int read_all(int fd, uint8_t *bytes, size_t length, int64_t deadline) {
  while (length > 0) {
    ssize_t count = recv(fd, bytes, length, 0);
    if (count == 0) {
      errno = ECONNRESET;
      return -1;
    }
    if (count < 0 && errno != EAGAIN && errno != EINTR) return -1;
    if (count < 0 && wait_for(fd, POLLIN, deadline) != 0) return -1;
    if (count > 0) {
      bytes += count;
      length -= (size_t)count;
    }
  }
  return 0;
}

static ptrdiff_t converse(
    int fd, const struct lan_endpoint *server, int64_t deadline, const uint8_t *query,
    size_t length, uint8_t *answer, size_t room) {
  if (lan_connect(fd, server) != 0 && errno != EINPROGRESS) return -1;
  if (wait_for(fd, POLLOUT, deadline) != 0) return -1;
  int failure = lan_pending_error(fd);
  if (failure != 0) {
    errno = failure;
    return -1;
  }
  /* One segment where it fits: some servers do not wait for the rest (RFC 7766 section 8). */
  uint8_t framed[2 + 512];
  if (length > sizeof framed - 2) {
    errno = EMSGSIZE;
    return -1;
  }
  framed[0] = (uint8_t)(length >> 8);
  framed[1] = (uint8_t)length;
  memcpy(framed + 2, query, length);
  if (write_all(fd, framed, length + 2, deadline) != 0) return -1;
  uint8_t size[2];
  if (read_all(fd, size, 2, deadline) != 0) return -1;
  size_t expected = (size_t)size[0] << 8 | size[1];
  if (expected < HFIXEDSZ || expected > room) {
    errno = EBADMSG;
    return -1;
  }
  return read_all(fd, answer, expected, deadline) == 0 ? (ptrdiff_t)expected : -1;
}

ptrdiff_t lan_resolver_ask_stream(
    const struct lan_endpoint *server, int seconds, const uint8_t *query, size_t length,
    uint8_t *answer, size_t room) {
  int family = server->family == 4 ? AF_INET : AF_INET6;
  int fd = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return -1;
  int64_t deadline = milliseconds_now() + (int64_t)seconds * 1000;
  ptrdiff_t result = converse(fd, server, deadline, query, length, answer, room);
  int number = errno;
  close(fd);
  errno = number;
  return result;
}
