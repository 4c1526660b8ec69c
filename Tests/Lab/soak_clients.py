#!/usr/bin/env python3
"""Clients of a TCP echo server that come and go, most of them badly; one JSON line at the end.

    ip netns exec NAME python3 soak_clients.py --port N --seed 1 --duration 60 ADDRESS…
"""
import argparse, asyncio, json, logging, random, signal, socket, struct, time


class Clients:
    def __init__(self, a):
        self.a, self.r, self.tasks = a, random.Random(a.seed), set()
        self.stats = dict(event="clients", echoed=0, notEchoed=0, corrupted=0, unreachable=0)

    async def open(self):
        return await asyncio.wait_for(asyncio.open_connection(self.r.choice(self.a.addresses), self.a.port), 3)

    async def echo(self):
        reader, writer = await self.open()
        said = self.r.randbytes(self.r.randint(1, 5000))
        writer.write(said)
        try:
            heard = await asyncio.wait_for(reader.readexactly(len(said)), 5)
            self.stats["echoed" if heard == said else "corrupted"] += 1
        except (asyncio.IncompleteReadError, asyncio.TimeoutError):
            self.stats["notEchoed"] += 1
        writer.close()

    async def silent(self):
        """Says nothing until the server has had enough."""
        reader, writer = await self.open()
        await asyncio.wait_for(reader.read(1), 20)
        writer.close()

    async def slow(self):
        reader, writer = await self.open()
        for _ in range(20):
            writer.write(b"x")
            await asyncio.sleep(0.5)
        writer.close()

    async def unread(self):
        """Sends without reading, until nothing more goes out, and waits to be thrown out."""
        _, writer = await self.open()
        writer.transport.pause_reading()
        for _ in range(40):
            writer.write(self.r.randbytes(1 << 14))
        await asyncio.sleep(12)
        writer.transport.abort()

    async def reset(self):
        _, writer = await self.open()
        writer.write(self.r.randbytes(3000))
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        await asyncio.sleep(self.r.random() * 0.2)
        writer.transport.abort()

    async def vanish(self):
        """Closes its half only, and leaves the rest to the server."""
        reader, writer = await self.open()
        writer.write(b"last words")
        writer.write_eof()
        await asyncio.wait_for(reader.read(100), 20)
        writer.close()

    async def crowd(self):
        """More at once than the server takes."""
        await asyncio.gather(*(self.silent() for _ in range(40)), return_exceptions=True)

    async def attempt(self, kind):
        try:
            await kind()
        except (OSError, asyncio.TimeoutError):
            self.stats["unreachable"] += 1
        self.stats[kind.__name__] = self.stats.get(kind.__name__, 0) + 1

    async def run(self):
        stop = asyncio.Event()
        for s in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(s, stop.set)
        kinds = [self.echo] * 6 + [self.silent, self.slow, self.unread, self.reset, self.vanish]
        end, next_crowd = time.monotonic() + self.a.duration, time.monotonic() + 10
        while not stop.is_set() and time.monotonic() < end:
            kind = self.r.choice(kinds)
            if time.monotonic() > next_crowd:
                kind, next_crowd = self.crowd, time.monotonic() + 30
            task = asyncio.create_task(self.attempt(kind))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)
            await asyncio.sleep(self.r.uniform(0.2, 0.8))
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        self.stats["cpuSeconds"] = round(time.process_time(), 2)
        print(json.dumps(self.stats), flush=True)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--port", type=int, required=True)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--duration", type=float, default=60)
    p.add_argument("addresses", nargs="+")
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)  # it complains about clients that are thrown out
    asyncio.run(Clients(p.parse_args()).run())


main()
