/* C that Swift cannot import: macros, GNU-only calls, variadics. _GNU_SOURCE stays out of this
 * header (it would split fd_set and friends from Glibc's module); it belongs in the .c files. */
#ifndef CLAN_H
#define CLAN_H

#include <getopt.h>
#include <stddef.h>
#include <stdint.h>

/* --- getopt ------------------------------------------------------------------------------- */
/* getopt_long keeps its state in globals, which Swift must not touch; this is the only door. */
struct lan_getopt {
  int next;          /* optind after the call */
  int offender;      /* optopt: the letter or `val` that an error is about, 0 for an unknown name */
  const char *value; /* optarg */
};
int lan_getopt_next(int argc, char **argv, const char *letters, const struct option *names,
                    int restart, struct lan_getopt *result);

#endif
