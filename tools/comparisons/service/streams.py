"""Many clients of GET /api/v1/events, and what they cost; tools/comparisons/service/streams runs it."""
import argparse
import os
import re
import resource
import select
import socket
import statistics
import time

import servers

PER_ADDRESS = 60
EVENT = re.compile(rb"id: (\S+)\r?\nevent: (\w+)\r?\n")


class Clients:
    """Streams that are read as soon as data arrive."""

    def __init__(self, port, count):
        self.poll, self.sockets, self.heads = select.epoll(), {}, {}
        for number in range(count):
            client = socket.socket()
            # 127.0.0.2 and on: all of them are this machine.
            client.bind((f"127.0.0.{2 + number // PER_ADDRESS}", 0))
            client.connect(("127.0.0.1", port))
            client.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n")
            client.setblocking(False)
            self.sockets[client.fileno()] = client
            self.poll.register(client.fileno(), select.EPOLLIN | select.EPOLLRDHUP)
        self.closed = 0

    def receive(self, seconds):
        """What comes in a time: (time, client, bytes)."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            for number, _ in self.poll.poll(left, 4096):
                now = time.monotonic()
                try:
                    data = self.sockets[number].recv(65536)
                except BlockingIOError:
                    continue
                except OSError:
                    data = b""
                if not data:
                    self.poll.unregister(number)
                    self.closed += 1
                yield now, number, data

    def begin(self, seconds=20):
        """Waits until every stream has answered; how many did with 200."""
        first = {}
        for _, number, data in self.receive(seconds):
            first.setdefault(number, data)
            if len(first) == len(self.sockets):
                break
        for _ in self.receive(1):
            pass
        refused = [data for data in first.values() if not data.startswith(b"HTTP/1.1 200")]
        if refused:
            print(f"!! {len(refused)} streams were refused: {refused[0][:200]!r}")
        return len(first) - len(refused)


def changes(root, count, wanted, speed):
    """For each event that comes to all: seconds from the first client that has it to the last."""
    spans, kinds = [], []
    with servers.bridgecast(root, speed) as server:
        clients = Clients(server.port, count)
        begun = clients.begin()
        print(f"{begun} of {count} streams open")
        seen = {}
        for now, number, data in clients.receive(300):
            for match in EVENT.finditer(data):
                first, have, kind = seen.setdefault(match[1], [now, set(), match[2].decode()])
                have.add(number)
                if len(have) == begun:
                    spans.append(now - first)
                    kinds.append(kind)
            if len(spans) >= wanted:
                break
        missing = {kind: begun - len(have) for first, have, kind in seen.values()
                   if len(have) < begun and time.monotonic() - first > 5}
        if missing or clients.closed:
            print(f"!! events that did not reach all: {missing}; streams closed: {clients.closed}")
    return spans, kinds


def idle(root, count, seconds):
    """The cost of waiting clients: the share of a processor, and bytes a client."""
    with servers.bridgecast(root) as server:
        for _ in range(200):
            server.get("/api/v1/bridges")
        time.sleep(2)
        before = server.memory()
        spent, start = server.cpu_seconds(), time.monotonic()
        time.sleep(seconds)
        alone = (server.cpu_seconds() - spent) / (time.monotonic() - start)
        clients = Clients(server.port, count)
        begun = clients.begin()
        spent, start, events = server.cpu_seconds(), time.monotonic(), 0
        for _, _, data in clients.receive(seconds):
            events += len(EVENT.findall(data))
        share = (server.cpu_seconds() - spent) / (time.monotonic() - start)
        return alone, share, events / max(begun, 1), (server.memory() - before) / max(begun, 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root")
    parser.add_argument("--clients", type=int, default=2000)
    parser.add_argument("--events", type=int, default=10)
    parser.add_argument("--speed", type=int, default=20)
    parser.add_argument("--seconds", type=int, default=30)
    options = parser.parse_args()
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if files < options.clients + 100:
        raise SystemExit(f"{files} open files are allowed, {options.clients + 100} are needed: raise `ulimit -n`")
    spans, kinds = changes(options.root, options.clients, options.events, options.speed)
    if spans:
        print(f"{len(spans)} events ({', '.join(f'{kinds.count(kind)} {kind}' for kind in sorted(set(kinds)))}), "
              f"first to last client: median {statistics.median(spans) * 1000:.1f} ms, max {max(spans) * 1000:.1f} ms")
    else:
        print("!! no event came to all clients")
    alone, share, events, memory = idle(options.root, options.clients, options.seconds)
    print(f"waiting for {options.seconds} s: {share * 100:.2f} % of a processor with {options.clients} clients "
          f"({events:.1f} events each), {alone * 100:.2f} % without; {memory / 1000:.1f} kB a client")


main()
