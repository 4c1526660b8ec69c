#!/usr/bin/env python3
"""A browser of python-zeroconf that stops at N resolved services and prints one line of JSON.

    zeroconf_browse.py TYPE COUNT TIMEOUT START

Times are seconds from START on the monotonic clock: the caller's start of this program.
"""
import asyncio
import json
import resource
import sys
import time

from zeroconf import IPVersion, ServiceStateChange
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

KIND, COUNT, TIMEOUT, START = sys.argv[1], int(sys.argv[2]), *map(float, sys.argv[3:5])


async def main():
    zeroconf = AsyncZeroconf(ip_version=IPVersion.All)
    resolved, tasks, done = [], set(), asyncio.Event()

    async def resolve(kind, name):
        info = AsyncServiceInfo(kind, name)
        if await info.async_request(zeroconf.zeroconf, 5000) and info.parsed_addresses():
            resolved.append(time.monotonic() - START)
            if len(resolved) >= COUNT:
                done.set()

    def changed(zeroconf, service_type, name, state_change):
        if state_change is ServiceStateChange.Added:
            task = asyncio.ensure_future(resolve(service_type, name))
            tasks.add(task)
            task.add_done_callback(tasks.discard)

    browser = AsyncServiceBrowser(zeroconf.zeroconf, [KIND + ".local."], handlers=[changed])
    try:
        await asyncio.wait_for(done.wait(), TIMEOUT)
    except asyncio.TimeoutError:
        pass
    usage = resource.getrusage(resource.RUSAGE_SELF)
    with open("/proc/self/status") as status:
        peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
    print(json.dumps({
        "found": len(resolved), "first": resolved[0] if resolved else None,
        "last": resolved[COUNT - 1] if len(resolved) >= COUNT else None,
        "cpu": usage.ru_utime + usage.ru_stime, "rss": peak / 1024}), flush=True)
    for task in list(tasks):
        task.cancel()
    await browser.async_cancel()
    await zeroconf.async_close()


asyncio.run(main())
