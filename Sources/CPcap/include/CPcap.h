/* libpcap, reached through pointers that are loaded at first use (see CPcap.c). */
#ifndef CPCAP_H
#define CPCAP_H

#include <pcap/pcap.h>

#endif
