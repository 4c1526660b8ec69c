/* Sets the wall clock of one program back by an hour after 0.6 s, and forth by an hour after 1.2 s;
   loaded by LD_PRELOAD. The other clocks are left alone. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

int clock_gettime(clockid_t clock, struct timespec *time) {
  static int (*real)(clockid_t, struct timespec *);
  static struct timespec start;
  if (!real) {
    *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
    real(CLOCK_MONOTONIC, &start);
  }
  int result = real(clock, time);
  if (clock != CLOCK_REALTIME || result != 0) return result;
  struct timespec now;
  real(CLOCK_MONOTONIC, &now);
  double passed = now.tv_sec - start.tv_sec + (now.tv_nsec - start.tv_nsec) / 1e9;
  if (passed > 1.2) time->tv_sec += 3600;
  else if (passed > 0.6) time->tv_sec -= 3600;
  return result;
}
