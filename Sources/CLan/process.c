#define _GNU_SOURCE 1
#include "CLan.h"

#include <linux/capability.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int lan_setns_network(int fd) { return setns(fd, CLONE_NEWNET); }

int lan_effective_capabilities(uint64_t *bits) {
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  struct __user_cap_data_struct data[2];
  if (syscall(SYS_capget, &header, data) != 0) return -1;
  *bits = (uint64_t)data[1].effective << 32 | data[0].effective;
  return 0;
}

int lan_keep_capabilities(uint64_t keep) {
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  struct __user_cap_data_struct data[2];
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  if (syscall(SYS_capget, &header, data) != 0) return -1;
  for (int i = 0; i < 2; i++) {
    data[i].permitted &= (uint32_t)(keep >> (32 * i));
    data[i].effective &= data[i].permitted;
    data[i].inheritable = 0; /* the kernel takes them out of the ambient set as well */
  }
  return (int)syscall(SYS_capset, &header, data);
}

void lan_die_by_signal(int number) {
  sigset_t only;
  lan_terminal_abandon();
  signal(number, SIG_DFL);
  sigemptyset(&only);
  sigaddset(&only, number);
  raise(number);
  pthread_sigmask(SIG_UNBLOCK, &only, 0);
  _exit(128 + number); /* a signal whose default is to do nothing */
}
