/* libpcap, reached through pointers that are loaded at first use.
 *
 * Linking libpcap would cost every start of the program a millisecond and nine more libraries, also
 * for `--help`. The pointers take their types from pcap.h, so the compiler still checks every call. */
#ifndef CPCAP_H
#define CPCAP_H

#include <pcap/pcap.h>

/* One entry for each function that is used: X(name without pcap_). */
#define LAN_PCAP_FUNCTIONS(X) \
  X(activate) X(breakloop) X(close) X(compile) X(create) X(datalink) X(dispatch) X(freecode) \
  X(get_selectable_fd) X(get_tstamp_precision) X(geterr) X(lib_version) X(offline_filter) \
  X(open_dead) X(set_buffer_size) X(set_datalink) X(set_immediate_mode) X(set_promisc) \
  X(set_snaplen) X(set_timeout) X(set_tstamp_precision) X(setfilter) X(setnonblock) X(stats) \
  X(statustostr)

struct lan_pcap {
#define LAN_PCAP_POINTER(name) __typeof__(&pcap_##name) name;
  LAN_PCAP_FUNCTIONS(LAN_PCAP_POINTER)
#undef LAN_PCAP_POINTER
};

/* The functions of libpcap, or null when it cannot be loaded; may be called from any thread. */
const struct lan_pcap *lan_pcap(void);

/* Why lan_pcap() gave null: the dynamic loader's words. Empty when it did not. */
const char *lan_pcap_load_error(void);

#endif
