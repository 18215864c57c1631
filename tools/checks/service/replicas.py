#!/usr/bin/env python3
"""Three replicas on PostgreSQL behind nginx, under load: replicas are killed and restarted, and so is the server.

    replicas.py [--minutes 30] [--quiet 60] [--streams 500] [--clients 16] [--kill-every 60] [--seed 1] [--program PATH]

The city's bridges move by the clock. Clients ask through nginx and get 200, or a refusal that the service promises (429,
503). Listeners reconnect with the id of their last event, wherever nginx sends them: each gets every event once, in order. A
replica is killed every minute, in turn the one that polls and any; the server is restarted twice; at the end each replica
gets another model, and is stopped and started, in turn. After all that each listener has got each movement that the city
answered with, once; then the replica that polls hangs, and another takes over. Before all that, in a quiet time, is measured
how long a change takes from the city's answer to clients of the replica that polls and of another.
"""
import asyncio
import collections
import json
import pathlib
import random
import signal
import tempfile
import threading
import time

from clients import number
from server import PROGRAM
from stand_ins import City

from checks import finish, parser
from replica_cluster import cluster, wait_until

OPTIONS = ["--no-archive", "--no-page", "--requests-per-second", "0", "--max-connections-per-client", "4096",
           "--trusted-proxies", "127.0.0.1", "--trusted-header", "X-Forwarded-For", "--max-streams-per-client", "4096"]
PATHS = ["/api/v1/bridges", "/api/v1/forecast?bridge=Fremont&lead_min=10", "/api/v1/routes?from=Ballard&to=Downtown",
         "/api/v1/depart?from=Ballard&to=Downtown", "/api/v1/explain?bridge=Ballard&lead_min=5"]
PROMISED = (429, 503)
MAX_TAKEOVER_SECONDS = 30


class WatchedCity(City):
    """Notes when it first answered with each new state of a bridge."""

    def __init__(self, **options):
        self.last, self.shown = {}, collections.defaultdict(list)
        super().__init__(**options)

    def answer(self):
        now = time.time()
        for bridge, is_up in self.states(now).items():
            if self.last.get(bridge) != is_up:
                self.last[bridge] = is_up
                self.shown[bridge].append((is_up, now))
        return super().answer()


class Listener:
    """Follows the events at an address, again and again, and notes what is wrong with their order."""

    def __init__(self, port):
        self.port, self.seen_at = port, {}
        self.last, self.count, self.resets, self.reconnects = None, 0, 0, -1
        self.wrong, self.states = [], collections.defaultdict(list)

    async def run(self):
        while True:
            self.reconnects += 1
            try:
                await self.follow()
            except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
                pass
            await asyncio.sleep(0.2 + random.random() * 0.3)

    async def follow(self):
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 20)
        try:
            last = "Last-Event-ID: %s\r\n" % self.last if self.last else ""
            writer.write(("GET /api/v1/events HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n%s\r\n" % last).encode())
            head = await reader.readuntil(b"\r\n\r\n")
            if not head.startswith(b"HTTP/1.1 200"):
                return
            buffer = b""
            while size := int(await reader.readuntil(b"\r\n"), 16):
                buffer += await reader.readexactly(size)
                await reader.readexactly(2)
                *blocks, buffer = buffer.split(b"\n\n")
                for block in blocks:
                    self.take(block.decode())
        finally:
            writer.close()

    def take(self, block):
        fields = dict(line.partition(": ")[::2] for line in block.split("\n") if not line.startswith(":"))
        if "id" not in fields or fields["event"] == "bye":
            return
        if fields["event"] == "reset":
            self.resets += 1
            self.wrong.append("a listener after %s was reset to %s" % (self.last, fields["id"]))
        elif self.last:
            run, before = number(self.last)
            if number(fields["id"]) != (run, before + 1):
                self.wrong.append("%s came after %s" % (fields["id"], self.last))
        self.last = fields["id"]
        self.count += 1
        if fields["event"] == "state":
            state = json.loads(fields["data"])
            self.states[state["bridge_id"]].append((state["state"] == "raised", time.time()))
            self.seen_at[fields["id"]] = (state["bridge_id"], state["state"] == "raised", time.time())


class Load:
    """Questions through nginx, one after the other over connections that stay open."""

    def __init__(self, port):
        self.port, self.statuses, self.lost = port, collections.Counter(), []

    async def run(self, path):
        reader = writer = None
        while True:
            try:
                if writer is None:
                    reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 22)
                writer.write(("GET %s HTTP/1.1\r\nHost: a\r\n\r\n" % path).encode())
                status, is_last = await asyncio.wait_for(self.read(reader), 30)
                self.statuses[status] += 1
                if status != 200 and status not in PROMISED:
                    self.lost.append("status %d for %s" % (status, path))
                if is_last:
                    writer.close()
                    writer = None
            except (OSError, asyncio.IncompleteReadError, asyncio.TimeoutError, ValueError) as error:
                self.lost.append("%s for %s" % (repr(error), path))
                writer = None
            await asyncio.sleep(0.05)

    @staticmethod
    async def read(reader):
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        if "transfer-encoding: chunked" in head:
            while size := int(await reader.readuntil(b"\r\n"), 16):
                await reader.readexactly(size + 2)
            await reader.readexactly(2)
        else:
            await reader.readexactly(int(head.split("content-length: ")[1].split("\r\n")[0]))
        return int(head.split()[1]), "connection: close" in head


class Trouble(threading.Thread):
    """What happens to the replicas and the server meanwhile."""

    def __init__(self, database, replicas, minutes, kill_every, seed):
        super().__init__(daemon=True)
        self.database, self.replicas, self.generator = database, replicas, random.Random(seed)
        self.minutes, self.kill_every = minutes, kill_every
        self.kills, self.restarts, self.takeovers, self.wrong, self.error = 0, [], [], [], None

    def run(self):
        try:
            self.trouble()
        except BaseException as error:
            self.error = repr(error)

    def trouble(self):
        began = time.monotonic()
        seconds = self.minutes * 60
        restarts_at = [seconds / 3, seconds * 2 / 3]
        while time.monotonic() - began < seconds:
            self.rest(self.kill_every * (0.5 + self.generator.random()), until=began + seconds)
            if restarts_at and time.monotonic() - began > restarts_at[0]:
                restarts_at.pop(0)
                self.restart_server()
            else:
                self.kill()
        for replica in self.replicas:
            replica.use("bridgecast.fp16.bcm")
        for replica in self.replicas:
            code = replica.end()
            if code:
                self.wrong.append("a replica that was stopped ended with %s" % code)
            replica.start()
            replica.wait()
            time.sleep(2)
        self.wait_for_poller()
        time.sleep(8)

    def rest(self, seconds, until):
        time.sleep(max(0, min(seconds, until - time.monotonic())))

    def kill(self):
        polling = [replica for replica in self.replicas if replica.polls()]
        is_poller = self.kills % 2 == 0 and polling
        replica = polling[0] if is_poller else self.generator.choice(self.replicas)
        replica.end(signal.SIGKILL)
        self.kills += 1
        if is_poller:
            self.takeovers.append(self.wait_for_poller())
        time.sleep(self.generator.uniform(0, 2))
        replica.start()
        replica.wait()

    def wait_for_poller(self):
        began = time.monotonic()
        wait_until(lambda: any(r.process.poll() is None and r.polls() for r in self.replicas), "a replica polls",
                   MAX_TAKEOVER_SECONDS)
        return time.monotonic() - began

    def restart_server(self):
        self.restarts.append(time.time())
        self.database.end(self.generator.choice([signal.SIGINT, signal.SIGQUIT]))
        time.sleep(3)
        for replica in self.replicas:
            if replica.process.poll() is not None:
                self.wrong.append("a replica ended with the server")
        self.database.start()
        self.takeovers.append(self.wait_for_poller())


def freeze(replicas):
    """Seconds until another replica polls after the one that does was stopped like a machine that hangs."""
    polling = next(replica for replica in replicas if replica.polls())
    others = [replica for replica in replicas if replica is not polling]
    polling.process.send_signal(signal.SIGSTOP)
    began = time.monotonic()
    try:
        wait_until(lambda: any(replica.polls() for replica in others), "another replica polls", MAX_TAKEOVER_SECONDS)
        return time.monotonic() - began
    finally:
        polling.process.send_signal(signal.SIGCONT)
        # It notices with its next entry, a minute later at most.
        wait_until(lambda: sum(replica.polls() for replica in replicas) == 1, "one replica polls", 90)


async def measure(city, replicas, seconds):
    """Milliseconds from the city's answer, to a client of the replica that polls and from there to one of another."""
    polling = [replica.polls() for replica in replicas].index(True)
    listeners = [Listener(replica.port) for replica in (replicas[polling], replicas[polling - 1])]
    tasks = [asyncio.create_task(listener.run()) for listener in listeners]
    await asyncio.sleep(seconds)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    own, other = [], []
    for event, (bridge, is_up, seen_at) in listeners[0].seen_at.items():
        answered = [at for state, at in city.shown[bridge] if state == is_up and at <= seen_at]
        # What had been sent before a listener came has waited for it.
        if event in listeners[1].seen_at and answered and seen_at - answered[-1] < 5:
            own.append((seen_at - answered[-1]) * 1000)
            other.append((listeners[1].seen_at[event][2] - answered[-1]) * 1000)
    return sorted(own), sorted(other)


async def follow_all(trouble, listeners, load, clients):
    tasks = [asyncio.create_task(listener.run()) for listener in listeners]
    await asyncio.sleep(2)
    began = time.time()
    tasks += [asyncio.create_task(load.run(PATHS[index % len(PATHS)])) for index in range(clients)]
    trouble.start()
    while trouble.is_alive():
        await asyncio.sleep(0.5)
    ended = time.time()
    # All listeners reach the end of the log.
    deadline = time.monotonic() + 30
    while len({listener.last for listener in listeners}) > 1 and time.monotonic() < deadline:
        await asyncio.sleep(0.05)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return began, ended


def once(states, restarts):
    """States without one that came again because the server went down between the log and the store."""
    kept = []
    for is_up, at in states:
        came_again = kept and kept[-1] == is_up and any(0 < at - restart < 2 * MAX_TAKEOVER_SECONDS for restart in restarts)
        if not came_again:
            kept.append(is_up)
    return kept


def misses(listeners, city, restarts, began, ended):
    """Listeners that did not get what others got, and what the city answered between two times, in order and once."""
    ends = collections.Counter(listener.last for listener in listeners)
    if len(ends) > 1:
        yield "listeners ended at %s" % dict(ends)
    for bridge, shown in city.shown.items():
        answered = [is_up for is_up, at in shown if at < ended + 1]
        # What was answered a moment before or after is in some listeners' time and not in that of others.
        needed = [is_up for is_up, at in shown if began + 1 < at < ended - 1]
        for listener in listeners:
            got = once(listener.states[bridge], restarts)
            if not contains(answered, got) or not contains(got, needed):
                yield "a listener got %s of bridge %s; the city answered %s" % (got, bridge, needed)


def contains(whole, part):
    return any(whole[begin:begin + len(part)] == part for begin in range(len(whole) - len(part) + 1))


def check(options):
    city = WatchedCity(period=120, up=50)
    with tempfile.TemporaryDirectory(prefix="bridgecast-replicas-") as folder:
        pathlib.Path(folder).chmod(0o755)
        with cluster(folder, 3, [*OPTIONS, "--bridges-url", city.url], options.program) as (database, replicas, proxy):
            trouble = Trouble(database, replicas, options.minutes, options.kill_every, options.seed)
            trouble.wait_for_poller()
            own, other = asyncio.run(measure(city, replicas, options.quiet))
            listeners = [Listener(proxy.port) for _ in range(options.streams)]
            load = Load(proxy.port)
            began, ended = asyncio.run(follow_all(trouble, listeners, load, options.clients))
            takeover = freeze(replicas)
            entries = database.psql("SELECT count(*), max(sequence), max(term) FROM bridgecast.replicaEntry")
    wrong = trouble.wrong + ([trouble.error] if trouble.error else []) + load.lost + list(misses(listeners, city, trouble.restarts, began, ended))
    for listener in listeners:
        wrong += listener.wrong
    if any(seconds > MAX_TAKEOVER_SECONDS for seconds in trouble.takeovers):
        wrong.append("another replica took over after %.1f s" % max(trouble.takeovers))
    movements = sum(len(states) for states in listeners[0].states.values())
    print("%d kills, %d restarts of the server, then each replica; longest time without a poller %.1f s" % (
        trouble.kills, len(trouble.restarts), max(trouble.takeovers, default=0)))
    print("%.1f s until another polled in place of one that hung" % takeover)
    print("%d answers: %s" % (load.statuses.total(), dict(load.statuses)))
    print("%d listeners, %d reconnections: %d events each, %d movements; log: %s" % (
        len(listeners), sum(listener.reconnects for listener in listeners), listeners[0].count, movements, entries))
    if other:
        print("%d changes, from the city's answer to a client: %.0f ms at the replica that polls, %.0f ms at another (p50); %.0f ms (max)" % (
            len(other), own[len(own) // 2], other[len(other) // 2], other[-1]))
    else:
        wrong.append("no change was measured in the quiet time")
    if not movements:
        wrong.append("no bridge moved")
    return wrong


def main():
    options = parser(__doc__)
    options.add_argument("--minutes", type=float, default=30)
    options.add_argument("--quiet", type=float, default=60, help="seconds in which is measured")
    options.add_argument("--streams", type=int, default=500)
    options.add_argument("--clients", type=int, default=16)
    options.add_argument("--kill-every", type=float, default=60)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--program", type=pathlib.Path, default=PROGRAM)
    finish(check(options.parse_args()))


if __name__ == "__main__":
    main()
