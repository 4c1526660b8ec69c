#define _GNU_SOURCE 1
#include "CLan.h"

#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

int lan_connect(int fd, const struct lan_endpoint *to) {
  if (to->family == 4) {
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons(to->port)};
    memcpy(&v4.sin_addr, to->address, 4);
    return connect(fd, (const struct sockaddr *)&v4, sizeof v4);
  }
  struct sockaddr_in6 v6 = {
      .sin6_family = AF_INET6, .sin6_port = htons(to->port), .sin6_scope_id = to->scope};
  memcpy(&v6.sin6_addr, to->address, 16);
  return connect(fd, (const struct sockaddr *)&v6, sizeof v6);
}

int lan_pending_error(int fd) {
  int number = 0;
  socklen_t length = sizeof number;
  return getsockopt(fd, SOL_SOCKET, SO_ERROR, &number, &length) == 0 ? number : 0;
}

int lan_set_mark(int fd, uint32_t mark) {
  return setsockopt(fd, SOL_SOCKET, SO_MARK, &mark, sizeof mark);
}

int lan_bind_interface(int fd, const char *name) {
  return setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, name, (socklen_t)strlen(name) + 1);
}

int lan_report_errors(int fd, int is_ipv6) {
  int yes = 1;
  return is_ipv6 ? setsockopt(fd, IPPROTO_IPV6, IPV6_RECVERR, &yes, sizeof yes)
                 : setsockopt(fd, IPPROTO_IP, IP_RECVERR, &yes, sizeof yes);
}
