/* The floors that `make bench` compares with, and its stop-watch.
 *
 *   floor loop FILE      pcap_next_ex over the file, nothing else
 *   floor walk FILE      finds the DNS message of each frame, decompresses every name and steps
 *                        over every record; prints how many messages and names there were
 *   floor meter COMMAND  runs the command with its output thrown away; prints wall nanoseconds,
 *                        peak resident kilobytes and exit status
 *
 * The stop-watch is C since a child inherits the peak memory of the process that started it.
 */
#define _GNU_SOURCE 1
#include <fcntl.h>
#include <pcap/pcap.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static unsigned u16(const uint8_t *p) { return (unsigned)p[0] << 8 | p[1]; }

/* The UDP payload of an Ethernet frame; NULL where there is none. */
static const uint8_t *payload(const uint8_t *p, size_t n, size_t *length) {
  const uint8_t *end = p + n;
  if (n < 14) return NULL;
  unsigned type = u16(p + 12);
  p += 14;
  while ((type == 0x8100 || type == 0x88a8) && end - p >= 4) type = u16(p + 2), p += 4;
  if (type == 0x0800) {
    if (end - p < 20 || p[9] != 17) return NULL;
    p += (p[0] & 15) * 4;
  } else if (type == 0x86dd) {
    if (end - p < 40 || p[6] != 17) return NULL;
    p += 40;
  } else {
    return NULL;
  }
  if (end - p < 8 || (u16(p) != 5353 && u16(p + 2) != 5353)) return NULL;
  size_t claimed = u16(p + 4);
  if (claimed < 8 || claimed > (size_t)(end - p)) return NULL;
  *length = claimed - 8;
  return p + 8;
}

/* Decompresses the name at `at` into `out`; the offset behind it, 0 for a bad one. */
static size_t name(const uint8_t *m, size_t n, size_t at, uint8_t *out) {
  size_t end = 0, used = 0, limit = at + 1;
  while (at < n) {
    unsigned c = m[at];
    if (c == 0) return end ? end : at + 1;
    if (c >= 0xc0) {
      if (at + 2 > n) return 0;
      size_t target = u16(m + at) & 0x3fff;
      if (target >= limit - 1) return 0;
      if (!end) end = at + 2;
      at = target, limit = target + 1;
    } else {
      if (c > 63 || at + 1 + c > n || used + 1 + c > 254) return 0;
      memcpy(out + used, m + at, c + 1);
      used += c + 1, at += c + 1;
    }
  }
  return 0;
}

/* The type's first name inside its data: offset in the data, or -1. */
static int name_inside(unsigned type) {
  switch (type) {
    case 2: case 5: case 12: case 47: return 0;
    case 33: return 6;
    default: return -1;
  }
}

static unsigned long names;

static int walk(const uint8_t *m, size_t n) {
  uint8_t out[256];
  if (n < 12) return 0;
  size_t at = 12;
  for (unsigned i = u16(m + 4); i; i--) {
    if (!(at = name(m, n, at, out)) || at + 4 > n) return 0;
    names++, at += 4;
  }
  for (unsigned i = u16(m + 6) + u16(m + 8) + u16(m + 10); i; i--) {
    if (!(at = name(m, n, at, out)) || at + 10 > n) return 0;
    unsigned type = u16(m + at), length = u16(m + at + 8);
    names++, at += 10;
    if (at + length > n) return 0;
    int inside = name_inside(type);
    if (inside >= 0 && (unsigned)inside < length && name(m, n, at + inside, out)) names++;
    at += length;
  }
  return 1;
}

static int read_file(const char *path, int walks) {
  char error[PCAP_ERRBUF_SIZE];
  pcap_t *p = pcap_open_offline(path, error);
  if (!p) return fprintf(stderr, "%s\n", error), 1;
  struct pcap_pkthdr *header;
  const u_char *bytes;
  unsigned long frames = 0, messages = 0;
  while (pcap_next_ex(p, &header, &bytes) == 1) {
    size_t length;
    const uint8_t *message;
    frames++;
    if (walks && (message = payload(bytes, header->caplen, &length))) messages += walk(message, length);
  }
  pcap_close(p);
  printf("%lu %lu %lu\n", frames, messages, names);
  return 0;
}

static int meter(char **command) {
  struct timespec start, end;
  struct rusage usage;
  int status;
  clock_gettime(CLOCK_MONOTONIC, &start);
  pid_t child = fork();
  if (child == 0) {
    int null = open("/dev/null", O_RDWR);
    dup2(null, 0), dup2(null, 1), dup2(null, 2);
    execvp(command[0], command);
    _exit(127);
  }
  if (child < 0 || wait4(child, &status, 0, &usage) < 0) return perror("meter"), 1;
  clock_gettime(CLOCK_MONOTONIC, &end);
  long long nanoseconds =
      (end.tv_sec - start.tv_sec) * 1000000000LL + (end.tv_nsec - start.tv_nsec);
  printf("%lld %ld %d\n", nanoseconds, usage.ru_maxrss,
         WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 3 && !strcmp(argv[1], "loop")) return read_file(argv[2], 0);
  if (argc == 3 && !strcmp(argv[1], "walk")) return read_file(argv[2], 1);
  if (argc > 2 && !strcmp(argv[1], "meter")) return meter(argv + 2);
  fputs("usage: floor loop|walk FILE, floor meter COMMAND…\n", stderr);
  return 64;
}
