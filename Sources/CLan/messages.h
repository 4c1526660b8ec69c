/* What recvmmsg needs for several messages at once. */
#ifndef LAN_MESSAGES_H
#define LAN_MESSAGES_H

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

struct lan_messages {
  unsigned count;
  struct mmsghdr *headers;
  struct iovec *parts;
  struct sockaddr_storage *sources;
  uint8_t *bytes;
  uint8_t *control; /* null where control_size is 0 */
  size_t control_size;
};

/* Room for count messages of up to size bytes each; -1 when memory is short, which leaves none. */
int lan_messages_allocate(
    struct lan_messages *messages, unsigned count, size_t size, size_t control_size);
void lan_messages_free(struct lan_messages *messages);
/* One recvmmsg without waiting: how many came, or -1 and errno. */
int lan_messages_receive(struct lan_messages *messages, int fd);

#endif
