#define _GNU_SOURCE 1
#include "CPcap.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static struct lan_pcap functions;
static const struct lan_pcap *loaded;
static char load_error[256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  /* The name with the ABI's number: the plain libpcap.so comes with the development package only. */
  void *library = dlopen("libpcap.so.0.8", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    snprintf(load_error, sizeof load_error, "%s", dlerror());
    /* Other distributions number it so; the error stays the one about Debian's name. */
    library = dlopen("libpcap.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    load_error[0] = 0;
  }
#define LAN_PCAP_LOAD(name) \
  *(void **)&functions.name = dlsym(library, "pcap_" #name); \
  if (!functions.name) { \
    snprintf(load_error, sizeof load_error, "no pcap_" #name " in libpcap"); \
    return; \
  }
  LAN_PCAP_FUNCTIONS(LAN_PCAP_LOAD)
#undef LAN_PCAP_LOAD
  loaded = &functions;
}

const struct lan_pcap *lan_pcap(void) {
  pthread_once(&once, load);
  return loaded;
}

const char *lan_pcap_load_error(void) { return load_error; }
