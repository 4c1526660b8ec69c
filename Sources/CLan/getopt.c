#include "CLan.h"

int lan_getopt_next(int argc, char **argv, const char *letters, const struct option *names,
                    int restart, struct lan_getopt *result) {
  if (restart) optind = 0; /* glibc: forget a scan that was left in the middle */
  opterr = 0;
  optarg = NULL;
  int found = getopt_long(argc, argv, letters, names, NULL);
  result->next = optind;
  result->offender = optopt;
  result->value = optarg;
  return found;
}
