#define _GNU_SOURCE 1
#include "messages.h"

#include <stdlib.h>
#include <string.h>

void lan_messages_free(struct lan_messages *messages) {
  free(messages->headers);
  free(messages->parts);
  free(messages->sources);
  free(messages->bytes);
  free(messages->control);
  memset(messages, 0, sizeof *messages);
}

int lan_messages_allocate(
    struct lan_messages *messages, unsigned count, size_t size, size_t control_size) {
  memset(messages, 0, sizeof *messages);
  messages->count = count;
  messages->control_size = control_size;
  messages->headers = calloc(count, sizeof *messages->headers);
  messages->parts = calloc(count, sizeof *messages->parts);
  messages->sources = calloc(count, sizeof *messages->sources);
  /* Not cleared: pages that no message needs stay untouched. */
  messages->bytes = malloc(count * size);
  if (control_size) messages->control = calloc(count, control_size);
  if (!messages->headers || !messages->parts || !messages->sources || !messages->bytes ||
      (control_size && !messages->control)) {
    lan_messages_free(messages);
    return -1;
  }
  for (unsigned i = 0; i < count; i++) {
    messages->parts[i] = (struct iovec){messages->bytes + i * size, size};
    struct msghdr *header = &messages->headers[i].msg_hdr;
    header->msg_iov = &messages->parts[i];
    header->msg_iovlen = 1;
    header->msg_name = &messages->sources[i];
    if (control_size) header->msg_control = messages->control + i * control_size;
  }
  return 0;
}

int lan_messages_receive(struct lan_messages *messages, int fd) {
  for (unsigned i = 0; i < messages->count; i++) {
    struct msghdr *header = &messages->headers[i].msg_hdr;
    header->msg_namelen = sizeof messages->sources[i];
    header->msg_controllen = messages->control_size;
    header->msg_flags = 0;
  }
  return recvmmsg(fd, messages->headers, messages->count, MSG_DONTWAIT, 0);
}
