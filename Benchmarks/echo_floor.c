/* The least that echo over TCP costs, to compare with: blocking calls, one connection at a time.
 *   echo_floor server PORT               sends back what comes, until it is killed
 *   echo_floor trips ADDR PORT N SIZE    N round trips; a JSON line of microseconds
 *   echo_floor bulk ADDR PORT MEGABYTES  sends and reads back at the same time; a JSON line
 *   echo_floor idle ADDR PORT N          holds N connections until standard input ends
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static char room[1 << 18];

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int tcp(void) {
  int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;
  if (fd < 0) fail("socket");
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  return fd;
}

static int dial(const char *address, const char *port) {
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
  if (inet_pton(AF_INET, address, &to.sin_addr) != 1) fail(address);
  int fd = tcp();
  if (connect(fd, (struct sockaddr *)&to, sizeof to) != 0) fail("connect");
  return fd;
}

static void send_all(int fd, const char *bytes, ssize_t count) {
  while (count > 0) {
    ssize_t sent = write(fd, bytes, (size_t)count);
    if (sent <= 0) return;
    bytes += sent;
    count -= sent;
  }
}

static void serve(const char *port) {
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
  int listener = tcp();
  if (bind(listener, (struct sockaddr *)&at, sizeof at) != 0 || listen(listener, 64) != 0)
    fail("listen");
  for (;;) {
    int fd = accept(listener, NULL, NULL);
    if (fd < 0) fail("accept");
    ssize_t count;
    while ((count = read(fd, room, sizeof room)) > 0) send_all(fd, room, count);
    close(fd);
  }
}

static int by_size(const void *left, const void *right) {
  int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
  return a < b ? -1 : a > b;
}

static void trips(int fd, int count, int size) {
  int64_t *times = malloc((size_t)count * sizeof *times);
  if (!times) fail("malloc");
  for (int turn = -count / 20; turn < count; turn++) {
    int64_t start = now();
    send_all(fd, room, size);
    for (int got = 0; got < size;) {
      ssize_t part = read(fd, room, (size_t)(size - got));
      if (part <= 0) fail("read");
      got += (int)part;
    }
    if (turn >= 0) times[turn] = now() - start;
  }
  qsort(times, (size_t)count, sizeof *times, by_size);
  printf("{\"p50\":%.3f,\"p99\":%.3f}\n", (double)times[count / 2] / 1e3,
         (double)times[(int64_t)count * 99 / 100] / 1e3);
}

static void bulk(int fd, int64_t total) {
  int64_t out = 0, in = 0, start = now();
  fcntl(fd, F_SETFL, O_NONBLOCK);
  while (in < total) {
    struct pollfd ready = {fd, (short)(POLLIN | (out < total ? POLLOUT : 0)), 0};
    if (poll(&ready, 1, 10000) <= 0) fail("poll");
    if (ready.revents & POLLOUT) {
      int64_t rest = total - out;
      ssize_t sent = write(fd, room, rest < (int64_t)sizeof room ? (size_t)rest : sizeof room);
      if (sent > 0) out += sent;
      else if (errno != EAGAIN) fail("write");
    }
    if (ready.revents & ~POLLOUT) {
      ssize_t got = read(fd, room, sizeof room);
      if (got > 0) in += got;
      else if (got == 0 || errno != EAGAIN) fail("read");
    }
  }
  printf("{\"megabytesPerSecond\":%.1f}\n", (double)total / 1048.576 / ((double)(now() - start) / 1e6));
}

static void idle(const char *address, const char *port, int count) {
  struct rlimit limit = {(rlim_t)count + 64, (rlim_t)count + 64};
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0) fail("setrlimit");
  for (int turn = 0; turn < count; turn++) {
    int fd = dial(address, port);
    send_all(fd, "x", 1);
    if (read(fd, room, 1) != 1) fail("read");
  }
  printf("{\"connections\":%d}\n", count);
  fflush(stdout);
  while (read(0, room, sizeof room) > 0) {}
}

int main(int count, char **words) {
  if (count == 3 && strcmp(words[1], "server") == 0) serve(words[2]);
  else if (count == 6 && strcmp(words[1], "trips") == 0)
    trips(dial(words[2], words[3]), atoi(words[4]), atoi(words[5]));
  else if (count == 5 && strcmp(words[1], "bulk") == 0)
    bulk(dial(words[2], words[3]), atoll(words[4]) << 20);
  else if (count == 5 && strcmp(words[1], "idle") == 0)
    idle(words[2], words[3], atoi(words[4]));
  else {
    fprintf(stderr, "the words are at the top of the source\n");
    return 2;
  }
  return 0;
}
