#!/usr/bin/env python3
"""Publishes one service by python-zeroconf until standard input ends, then says goodbye.

    ip netns exec NAME python3 zeroconf_publish.py ADDRESS INSTANCE TYPE PORT [KEY=VALUE…]

Prints `ready` once it is announced; each further line of standard input is a new `key=value` list.
"""
import socket
import sys

import mdns_wire

from zeroconf import ServiceInfo, Zeroconf


def main():
    address, instance, kind, port, *text = sys.argv[1:]
    mdns_wire.require_lab()
    zeroconf = Zeroconf(interfaces=[address])

    def info(text):
        return ServiceInfo(
            f"{kind}.local.", f"{instance}.{kind}.local.", port=int(port), server="zeroconf-host.local.",
            addresses=[socket.inet_aton(address)], properties=dict(t.split("=", 1) for t in text))

    zeroconf.register_service(info(text))
    print("ready", flush=True)
    for line in sys.stdin:
        zeroconf.update_service(info(line.split()))
        print("updated", flush=True)
    zeroconf.unregister_all_services()
    zeroconf.close()


main()
