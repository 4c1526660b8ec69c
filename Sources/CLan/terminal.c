#define _GNU_SOURCE 1
#include "CLan.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

static struct termios saved;
static int terminal = -1;
static volatile sig_atomic_t taken, cursor_hidden;

static void with_attributes(const struct termios *attributes) {
  sigset_t only, before;
  /* A process in the background would be stopped for touching the terminal. */
  sigemptyset(&only);
  sigaddset(&only, SIGTTOU);
  sigprocmask(SIG_BLOCK, &only, &before);
  tcsetattr(terminal, TCSANOW, attributes);
  sigprocmask(SIG_SETMASK, &before, 0);
}

void lan_terminal_restore(void) {
  int number = errno;
  if (taken) {
    taken = 0;
    with_attributes(&saved);
    if (cursor_hidden) (void)!write(terminal, "\033[?25h", 6);
    cursor_hidden = 0;
  }
  errno = number;
}

void lan_terminal_abandon(void) {
  /* A picture that hides the cursor has it at its first line. */
  if (taken && cursor_hidden) (void)!write(terminal, "\r\033[J", 4);
  lan_terminal_restore();
}

/* What was done about signals before; a runtime may have handlers that tell of a crash. */
static struct sigaction earlier[NSIG];

static void restore_and_die(int number, siginfo_t *info, void *context) {
  (void)context;
  lan_terminal_abandon();
  sigaction(number, &earlier[number], 0);
  /* A fault comes again where the handler returns to. */
  if (info->si_code <= 0) raise(number);
}

/* Signals that end a program which does nothing about them; one that is ignored stays so. */
static void prepare_for_the_end(void) {
  static const int deadly[] = {SIGHUP, SIGINT,  SIGQUIT, SIGILL, SIGTRAP, SIGABRT,
                               SIGBUS, SIGFPE, SIGSEGV, SIGTERM, SIGPIPE};
  for (unsigned i = 0; i < sizeof deadly / sizeof *deadly; i++) {
    struct sigaction new = {.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK};
    new.sa_sigaction = restore_and_die;
    struct sigaction *old = &earlier[deadly[i]];
    if (sigaction(deadly[i], 0, old) == 0 &&
        ((old->sa_flags & SA_SIGINFO) || old->sa_handler != SIG_IGN))
      sigaction(deadly[i], &new, 0);
  }
  atexit(lan_terminal_restore);
}

int lan_terminal_take(int fd, int hides_cursor) {
  static int prepared;
  struct termios raw;
  if (taken) return 0;
  if (tcgetattr(fd, &saved) != 0) return -1;
  terminal = fd;
  if (!prepared) prepare_for_the_end();
  prepared = 1;
  raw = saved;
  raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  taken = 1;
  with_attributes(&raw);
  if (hides_cursor && write(fd, "\033[?25l", 6) == 6) cursor_hidden = 1;
  return 0;
}
