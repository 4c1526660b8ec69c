#!/usr/bin/env python3
"""Browses a type by python-zeroconf until standard input ends; a line for each thing that happens.

    ip netns exec NAME python3 zeroconf_browse.py TYPE

`ready`, then `added INSTANCE`, `resolved INSTANCE HOST PORT ADDRESS…`, `removed INSTANCE`.
"""
import sys
import threading

import mdns_wire

from zeroconf import IPVersion, ServiceBrowser, ServiceStateChange, Zeroconf


def main():
    kind = sys.argv[1] + ".local."
    mdns_wire.require_lab()
    zeroconf = Zeroconf(ip_version=IPVersion.All)
    lock = threading.Lock()

    def say(*words):
        with lock:
            print(*words, flush=True)

    def resolve(name):
        info = zeroconf.get_service_info(kind, name, 3000)
        short = name.removesuffix("." + kind)
        if info is None:
            say("unresolved", short)
            return
        addresses = sorted(info.parsed_scoped_addresses(IPVersion.All))
        say("resolved", short, info.server, info.port, *addresses)

    def changed(zeroconf, service_type, name, state_change):
        short = name.removesuffix("." + kind)
        if state_change is ServiceStateChange.Added:
            say("added", short)
            threading.Thread(target=resolve, args=(name,), daemon=True).start()
        elif state_change is ServiceStateChange.Removed:
            say("removed", short)

    ServiceBrowser(zeroconf, kind, handlers=[changed])
    print("ready", flush=True)
    sys.stdin.read()
    zeroconf.close()


main()
