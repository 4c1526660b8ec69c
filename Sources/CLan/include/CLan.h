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
/* --- event loop, processes, datagrams --------------------------------------------------------- */

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>

/* Moves the calling thread into the network namespace behind fd; -1 and errno like setns. */
int lan_setns_network(int fd);

/* The calling thread's effective capabilities as bits; -1 and errno like capget. */
int lan_effective_capabilities(uint64_t *bits);

/* Gives up all of the calling thread's capabilities but those in keep, for good: no program that it
 * executes gets them back either. -1 and errno like capset or prctl. */
int lan_keep_capabilities(uint64_t keep);

/* Ends the process by the default action of a signal, whatever was blocked or handled before. */
_Noreturn void lan_die_by_signal(int signal);

/* An address of either family; IPv4 stands in the first four bytes. */
struct lan_endpoint {
  uint8_t address[16];
  uint32_t scope; /* index of the interface for a link-local IPv6 address, else 0 */
  uint16_t port;  /* host order */
  uint8_t family; /* 4 or 6; 0 = none */
};

struct sockaddr_storage;
/* The address of a socket call as an endpoint; family 0 for any other family. */
void lan_endpoint_read(const struct sockaddr_storage *from, struct lan_endpoint *out);

/* One received datagram; bytes stay valid until the next receive into the same batch. */
struct lan_datagram {
  const uint8_t *bytes;
  size_t length;
  int64_t time; /* nanoseconds since 1970 by the kernel's stamp, 0 = none */
  struct lan_endpoint source;
  struct lan_endpoint destination; /* port 0: the caller knows the socket's own */
  uint32_t interface;
  int32_t hop_limit; /* -1 = the kernel did not say */
  uint8_t truncated;
};

struct lan_batch;

/* Room for count datagrams of up to size bytes each; null when memory is short. */
struct lan_batch *lan_batch_create(unsigned count, size_t size);
void lan_batch_free(struct lan_batch *batch);
/* One recvmmsg without waiting: how many came, or -1 and errno. */
int lan_batch_receive(struct lan_batch *batch, int fd);
/* The datagram at index of the last receive. */
const struct lan_datagram *lan_batch_at(const struct lan_batch *batch, unsigned index);

/* sendmsg with the outgoing interface (0 = the kernel's choice) and source address (family 0 = the
 * kernel's choice) in a control message; -1 and errno like sendmsg. */
ptrdiff_t lan_send(
    int fd, const void *bytes, size_t length, const struct lan_endpoint *to, uint32_t interface,
    const struct lan_endpoint *from);
int lan_bind(int fd, const struct lan_endpoint *to);
int lan_local_endpoint(int fd, struct lan_endpoint *out);
/* Joins or leaves a multicast group on one interface; -1 and errno like setsockopt. */
int lan_join(int fd, const struct lan_endpoint *group, uint32_t interface);
int lan_leave(int fd, const struct lan_endpoint *group, uint32_t interface);

/* --- end of event loop, processes, datagrams -------------------------------------------------- */

/* --- netlink ------------------------------------------------------------------------------- */

/* One received datagram; bytes stay valid until the next receive into the same batch. */
struct lan_netlink_datagram {
  const uint8_t *bytes;
  size_t length;
  uint32_t port; /* who sent it: 0 is the kernel */
  uint8_t truncated;
};

struct lan_netlink_batch;

/* Room for count datagrams of up to size bytes each; null when memory is short. */
struct lan_netlink_batch *lan_netlink_batch_create(unsigned count, size_t size);
void lan_netlink_batch_free(struct lan_netlink_batch *batch);
/* One recvmmsg without waiting: how many came, or -1 and errno. */
int lan_netlink_batch_receive(struct lan_netlink_batch *batch, int fd);
/* The datagram at index of the last receive. */
const struct lan_netlink_datagram *lan_netlink_batch_at(
    const struct lan_netlink_batch *batch, unsigned index);

/* A bound netlink socket that does not block, and its port; -1 and errno like socket or bind. */
int lan_netlink_open(int protocol, uint32_t *port);
/* Sets an option of level SOL_NETLINK; -1 and errno like setsockopt. */
int lan_netlink_set(int fd, int option, int value);
/* Sets the receive buffer beyond the system's limit where that is permitted, else within it. */
int lan_netlink_set_buffer(int fd, int bytes);
/* Sends to the kernel; -1 and errno like sendto. */
ptrdiff_t lan_netlink_send(int fd, const void *bytes, size_t length);
/* Lets a classic BPF program choose what the socket hears, 8 bytes of struct sock_filter to a number
 * (code, jt, jf, k from the lowest bits up); none for count 0. -1 and errno like setsockopt. */
int lan_netlink_filter(int fd, const uint64_t *program, unsigned count);

/* --- end of netlink ------------------------------------------------------------------------ */

/* --- texts --------------------------------------------------------------------------------- */

/* Takes the user's locale for characters and messages; 0 where it is not installed. */
int lan_locale_begin(void);
/* Takes C.UTF-8 for both, under which LANGUAGE still counts; 0 where there is none. */
int lan_locale_fall_back(void);
/* Says where a catalogue's translations are, to be given in UTF-8. */
int lan_catalog_open(const char *domain, const char *folder);
/* The translation of text, or text itself. */
const char *lan_catalog_text(const char *domain, const char *text);
/* A variable of the environment; null in a program with raised privileges. */
const char *lan_trusted_variable(const char *name);

/* --- end of texts -------------------------------------------------------------------------- */

/* --- probes -------------------------------------------------------------------------------- */

/* Begins to connect; -1 and errno like connect. */
int lan_connect(int fd, const struct lan_endpoint *to);
/* Takes the error that waits on a socket; 0 for none. */
int lan_pending_error(int fd);
/* The mark of what the socket sends; needs CAP_NET_ADMIN or CAP_NET_RAW. */
int lan_set_mark(int fd, uint32_t mark);
/* Lets the socket use one interface alone. */
int lan_bind_interface(int fd, const char *name);
/* Has errors that routers and the host itself report told at once. */
int lan_report_errors(int fd, int is_ipv6);

/* --- end of probes ------------------------------------------------------------------------- */

/* --- peer probe ---------------------------------------------------------------------------- */

/* TCP_NODELAY, and type of service or traffic class where that is not below 0; -1 and errno. */
int lan_peer_options(int fd, int is_ipv6, int traffic_class, int undelayed);
/* Binds to an address, leaving the port to connect; -1 and errno like bind. */
int lan_bind_address(int fd, const struct lan_endpoint *from);
/* Whether a socket is connected to itself. */
int lan_is_self_connected(int fd);
/* Has close reset the connection, which leaves no port in TIME_WAIT behind. */
int lan_close_by_reset(int fd);
/* Bytes that the peer has not acknowledged; -1 where the kernel does not say. */
int lan_unacknowledged(int fd);

/* What the kernel knows of a connection; times are microseconds. */
struct lan_tcp {
  uint32_t rtt;
  uint32_t rtt_deviation;
  uint32_t least_rtt; /* UINT32_MAX = none */
  uint32_t retransmits;
  uint32_t retransmits_in_vain; /* of what waits now, since the last acknowledgement */
  uint32_t unacknowledged;      /* segments */
  uint32_t segment_size;
  uint32_t congestion_window;
};
int lan_tcp_read(int fd, struct lan_tcp *out);

enum lan_stamp_kind {
  LAN_STAMP_OTHER,
  LAN_STAMP_SCHEDULED,   /* left TCP for the queue of the card */
  LAN_STAMP_SENT,        /* was handed to the card */
  LAN_STAMP_ACKNOWLEDGED /* the peer's kernel has all bytes up to this one */
};
/* A time stamp of CLOCK_REALTIME, about the byte with number id counted from lan_stamp_begin. */
struct lan_stamp {
  int64_t time;
  uint32_t id;
  enum lan_stamp_kind kind;
};
/* Has stamps of a connected socket reported, for what lan_stamp_send sends, and of what is received;
 * -1 and errno where the kernel has none. */
int lan_stamp_begin(int fd, int receives);
/* send that asks for stamps of its last byte. */
ptrdiff_t lan_stamp_send(int fd, const void *bytes, size_t length, int acknowledgement_only);
/* Takes the next stamp; 0 when there are no more. */
int lan_stamp_next(int fd, struct lan_stamp *out);
/* recv that tells when the last of the bytes came in; 0 for unknown. */
ptrdiff_t lan_stamp_receive(int fd, void *bytes, size_t room, int64_t *time);
/* CLOCK_REALTIME minus CLOCK_MONOTONIC, and the latter when that was read. */
int64_t lan_clock_distance(int64_t *monotonic);

/* --- end of peer probe --------------------------------------------------------------------- */

/* --- resolver ------------------------------------------------------------------------------ */

/* What the system's resolver is set to (resolv.conf(5) and RES_OPTIONS). */
struct lan_resolver {
  struct lan_endpoint servers[3];
  unsigned count;
  int timeout;  /* seconds that one server is waited for */
  int attempts; /* rounds over all servers */
  uint8_t uses_streams; /* TCP alone */
};
int lan_resolver_read(struct lan_resolver *out);
/* Sends one query to one server by the system's resolver, over UDP and once, and waits. The answer's
 * length (a refusal is its header alone), or -1 and errno. It blocks. */
ptrdiff_t lan_resolver_ask(
    const struct lan_endpoint *server, int seconds, const uint8_t *query, size_t length,
    uint8_t *answer, size_t room);
/* The same over TCP: the resolver's own would wait without end for a server that keeps silent. */
ptrdiff_t lan_resolver_ask_stream(
    const struct lan_endpoint *server, int seconds, const uint8_t *query, size_t length,
    uint8_t *answer, size_t room);

/* --- end of resolver ----------------------------------------------------------------------- */

/* --- peer server --------------------------------------------------------------------------- */

/* A TCP socket that listens at an address and does not block; an IPv6 one takes no IPv4. -1 and errno
 * like socket, bind or listen. */
int lan_peer_listen(const struct lan_endpoint *at);
/* The next connection, which does not block and sends small writes at once; -1 and errno like
 * accept4. */
int lan_peer_accept(int listener, struct lan_endpoint *peer);
/* Has the kernel find out within half a minute that the peer has vanished. */
void lan_peer_keep_alive(int fd);
/* Ends a connection: the peer gets end of stream behind what was sent, or a reset. */
void lan_peer_close(int fd, int resets);

/* What one turn at a connection came to. */
struct lan_peer_turn {
  size_t bytes;    /* taken from the peer */
  size_t sent;     /* sent to it */
  size_t rest;     /* bytes at the start of the buffer that were taken and could not be sent */
  int32_t error;   /* the errno that ends the connection, or 0 */
  uint8_t ended;   /* the peer sends no more */
  uint8_t blocked; /* the peer does not read what it gets back */
};
/* Sends back at most limit bytes of what has come, by way of a buffer.
 *
 * Bytes are taken from the kernel only once they were sent, so nothing is kept here for a peer that
 * does not read, and its sending comes to a halt by itself. The first two KiB of a turn cost one call
 * less and are taken at once, unless the turn is careful: a peer that does not read may leave as much
 * of them as a rest. */
void lan_peer_echo(
    int fd, uint8_t *buffer, size_t size, size_t limit, int is_careful,
    struct lan_peer_turn *turn);
/* Sends a rest; what is left of it is still to be sent. */
void lan_peer_send_rest(int fd, const uint8_t *bytes, size_t count, struct lan_peer_turn *turn);
/* Takes at most limit bytes and forgets them. */
void lan_peer_discard(int fd, size_t limit, struct lan_peer_turn *turn);
/* Takes bytes into a buffer, once. */
void lan_peer_receive(int fd, uint8_t *buffer, size_t size, struct lan_peer_turn *turn);
/* Sends one byte if there is room: 1, or 0; -1 and errno where the connection is broken. */
int lan_peer_send(int fd, uint8_t byte);

/* Raises the limit of open descriptors to at least wanted, as far as that is permitted. */
void lan_want_descriptors(unsigned wanted);

/* --- end of peer server -------------------------------------------------------------------- */

/* --- terminal ------------------------------------------------------------------------------ */

/* Has the terminal give each key at once and show none, until lan_terminal_restore or the end of the
 * process, also by a signal; -1 and errno where fd is no terminal. */
int lan_terminal_take(int fd, int hides_cursor);
/* Puts back what lan_terminal_take changed; may be called in a signal handler. */
void lan_terminal_restore(void);
/* The same for a program that dies, with what it drew below a hidden cursor. */
void lan_terminal_abandon(void);

/* --- end of terminal ----------------------------------------------------------------------- */

#endif
