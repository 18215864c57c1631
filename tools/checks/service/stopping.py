"""A stop by SIGTERM while requests and streams are under way; check.py runs it."""
import http.client
import json
import socket
import threading
import time

from clients import Stream

ROUTES = {"routes": [{"id": "r%d" % n, "name": "r", "origin": "a", "destination": "b",
                      "steps": [{"minutes": 5}, {"bridge": "Fremont"}, {"minutes": n % 60}]} for n in range(2_000)]}
# Requests sent this long before the signal count as begun, seconds.
BEGUN = 0.1
CLIENTS, STREAMS = 6, 8


class Load:
    """Requests one after the other on connections that stay open, and what became of each."""

    def __init__(self, service):
        self.service, self.done, self.lock = service, [], threading.Lock()
        self.stopped = threading.Event()
        self.body = json.dumps(ROUTES)

    def run(self, index):
        connection = None
        while not self.stopped.is_set():
            sent, status = time.monotonic(), None
            try:
                if connection is None:
                    connection = http.client.HTTPConnection(self.service.host, self.service.port, timeout=15)
                if index % 2:
                    connection.request("POST", "/api/v1/routes/rank", self.body, {"Content-Type": "application/json"})
                else:
                    connection.request("GET", "/api/v1/routes?from=Ballard&to=Downtown")
                answer = connection.getresponse()
                answer.read()
                status = answer.status
                if answer.headers["Connection"] == "close":
                    connection.close()
                    connection = None
            except (OSError, http.client.HTTPException) as error:
                status, connection = repr(error), None
            with self.lock:
                self.done.append((sent, time.monotonic(), status))
            if not isinstance(status, int):
                time.sleep(0.05)


def slow_post(service, pause, result):
    """A request whose body is half sent when the signal comes."""
    body = json.dumps({"rows": [{"bridge": 3, "lead_min": 5}]}).encode()
    with socket.create_connection((service.host, service.port), timeout=15) as connection:
        connection.sendall(b"POST /api/v1/forecast HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                           b"Content-Length: %d\r\n\r\n" % len(body) + body[:10])
        time.sleep(pause)
        try:
            connection.sendall(body[10:])
            result.append(connection.recv(100)[:12])
        except OSError as error:
            result.append(repr(error))


def listen(service, ends):
    names, error = [], None
    stream = Stream(service)
    try:
        while event := stream.next():
            names.append(event[1])
    except (OSError, http.client.HTTPException) as broken:
        error = broken
    ends.append((names[-1:], error))


def check(service, max_seconds=10):
    """What went wrong, and a summary."""
    ends, half, load = [], [], Load(service)
    threads = [threading.Thread(target=load.run, args=(index,)) for index in range(CLIENTS)]
    threads += [threading.Thread(target=listen, args=(service, ends)) for _ in range(STREAMS)]
    threads.append(threading.Thread(target=slow_post, args=(service, 1.5, half)))
    for thread in threads[:-1]:
        thread.start()
    time.sleep(1)
    threads[-1].start()
    time.sleep(0.5)
    signalled = time.monotonic()
    code, seconds = service.stop(max_seconds + 10)
    load.stopped.set()
    for thread in threads:
        thread.join(20)
    begun = [entry for entry in load.done if entry[0] < signalled - BEGUN]
    wrong = [*wrong_stop(service, code, seconds, max_seconds), *wrong_answers(begun, signalled, half, ends)]
    return wrong, "stopped in %.2f s with %d requests begun, %d of them open, and %d streams" % (
        seconds, len(begun), sum(entry[1] > signalled for entry in begun), len(ends))


def wrong_stop(service, code, seconds, max_seconds):
    if code != 0:
        yield "stopped with exit code %s, not 0: %s" % (code, service.log_end())
    if seconds > max_seconds:
        yield "stopping took %.1f s, at most %d are promised" % (seconds, max_seconds)


def wrong_answers(begun, signalled, half, ends):
    for sent, _, status in begun:
        if status not in (200, 503):
            yield "a request begun %.2f s before the stop ended with %s" % (signalled - sent, status)
    if half != [b"HTTP/1.1 200"]:
        yield "a request whose body was half sent at the stop ended with %s" % half
    for names, error in ends:
        if names != ["bye"] or error:
            yield "a stream ended with %s, %r; not with bye and an end" % (names, error)
    if len(ends) != STREAMS:
        yield "%d of %d streams ended" % (len(ends), STREAMS)
