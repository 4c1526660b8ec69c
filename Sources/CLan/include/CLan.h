/* C that Swift cannot import: macros, GNU-only calls, variadics. _GNU_SOURCE stays out of this
 * header (it would split fd_set and friends from Glibc's module); it belongs in the .c files. */
#ifndef CLAN_H
#define CLAN_H

#include <getopt.h>
#include <stddef.h>
#include <stdint.h>

#endif
