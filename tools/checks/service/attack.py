#!/usr/bin/env python3
"""Sends a running `bridgecast serve` malformed, oversized and slow requests over raw sockets, and checks the answers.

    attack.py --port 8080 [--host 127.0.0.1] [--header-seconds 20] [--body-seconds 30] [--answer-seconds 30]

The seconds are the limits that the service is started with. Each row states the statuses that may come back, and
whether the connection must be closed. Prints every row that fails, exit code 1 if any does. The service must still
answer after all of it.
"""
import gzip
import json
import pathlib
import re
import socket
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "shared"))

from checks import parser

JSON = "Content-Type: application/json\r\n"
RANK = "/api/v1/routes/rank"
CLOSED, OPEN, EITHER = "closed", "open", "either"


def head(method, path, fields="", version="HTTP/1.1"):
    return ("%s %s %s\r\nHost: bridgecast\r\n%s\r\n" % (method, path, version, fields)).encode()


def post(body, fields=JSON, path=RANK):
    return head("POST", path, "%sContent-Length: %d\r\n" % (fields, len(body))) + body


def chunked(chunks, fields=JSON):
    return head("POST", RANK, fields + "Transfer-Encoding: chunked\r\n") + chunks


def candidate(number):
    """A small one: 100,000 of them fit into a body."""
    return {"id": "r%d" % number, "base_travel_time_min": 10, "crossings": []}


class Client:
    """One connection."""

    def __init__(self, options, wait=8):
        self.socket = socket.create_connection((options.host, options.port), timeout=wait)
        self.received = b""
        self.is_closed = False

    def send(self, data):
        """Sends; whether the service still takes it."""
        try:
            self.socket.sendall(data)
            return True
        except (ConnectionError, socket.timeout):
            return False

    def read(self, wait, until=None):
        """Reads until the end, a condition, or for so many seconds."""
        deadline = time.monotonic() + wait
        while not self.is_closed and time.monotonic() < deadline:
            if until and until(self.statuses()):
                return
            self.socket.settimeout(max(0.01, deadline - time.monotonic()))
            try:
                piece = self.socket.recv(1 << 16)
            except socket.timeout:
                return
            except ConnectionError:
                piece = b""
            self.received += piece
            self.is_closed = not piece

    def statuses(self):
        return [int(status) for status in re.findall(rb"HTTP/1\.[01] (\d{3}) ", self.received)]


class Attack:
    def __init__(self, options):
        self.options = options
        self.failures = []
        self.count = 0
        self.lock = threading.Lock()

    def judge(self, name, client, allowed, end):
        """At most one answer, of a status that is allowed, a complete problem if it is one, and the right end."""
        statuses = client.statuses()
        wrong = ["status %d" % status for status in statuses if status not in allowed]
        if not statuses and None not in allowed:
            wrong.append("no answer")
        if len(statuses) > 1:
            wrong.append("%d answers" % len(statuses))
        if statuses and statuses[0] >= 400:
            wrong += self.wrong_problem(client, statuses[0])
        if end == CLOSED and not client.is_closed:
            wrong.append("the connection is open")
        if end == OPEN and client.is_closed:
            wrong.append("the connection is closed")
        self.note(name, wrong)

    @staticmethod
    def wrong_problem(client, status):
        text = client.received.partition(b"\r\n\r\n")[2]
        try:
            problem = json.loads(text)
            if problem["status"] != status or not problem["code"] or not problem["recovery"]:
                yield "an incomplete problem"
        except (ValueError, KeyError, TypeError):
            yield "no problem+json: %r" % text[:80]

    def note(self, name, wrong):
        with self.lock:
            self.count += 1
            if wrong:
                self.failures.append("%s: %s" % (name, ", ".join(wrong)))

    def once(self, name, data, allowed, end=EITHER, half_close=False):
        """Sends bytes at once, and reads what comes back."""
        client = Client(self.options)
        client.send(data)
        if half_close:
            try:
                client.socket.shutdown(socket.SHUT_WR)
            except OSError:
                pass
        client.read(5, until=(lambda found: found) if end != CLOSED else None)
        if end == EITHER:
            client.read(0.05)
        self.judge(name, client, allowed, end)
        client.socket.close()

    def dripping(self, name, first, piece, pause, seconds, allowed, end=CLOSED):
        """Sends a piece again and again until the service answers or disconnects."""
        client = Client(self.options)
        client.send(first)
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and not client.is_closed and not client.statuses():
            if piece and not client.send(piece):
                break
            client.read(pause, until=lambda found: found)
        client.read(3)
        self.judge(name, client, allowed, end)
        client.socket.close()

    # Rows

    def framing(self):
        length = "Content-Length: 5\r\n"
        coding = "Transfer-Encoding: chunked\r\n"
        rows = [
            ("both lengths", head("POST", RANK, JSON + length + coding) + b"0\r\n\r\n"),
            ("both lengths, the other order", head("POST", RANK, JSON + coding + length) + b"0\r\n\r\n"),
            ("two lengths", head("POST", RANK, JSON + length + "Content-Length: 6\r\n") + b"abcdef"),
            ("two lengths in one field", head("POST", RANK, JSON + "Content-Length: 5, 6\r\n") + b"abcdef"),
            ("a length below zero", head("POST", RANK, JSON + "Content-Length: -1\r\n")),
            ("a length beyond all numbers", head("POST", RANK, JSON + "Content-Length: %d\r\n" % 10**30)),
            ("another coding", head("POST", RANK, JSON + "Transfer-Encoding: gzip, chunked\r\n") + b"0\r\n\r\n"),
            ("a coding with a space", head("POST", RANK, JSON + "Transfer-Encoding : chunked\r\n") + b"0\r\n\r\n"),
            ("garbage for chunks", chunked(b"ghijklmnop\r\n" * 50)),
            ("a chunk's size below zero", chunked(b"-5\r\nabcde\r\n0\r\n\r\n")),
            ("a chunk's size with 0x", chunked(b"0x5\r\nabcde\r\n0\r\n\r\n")),
            ("a chunk's size beyond all numbers", chunked(b"f" * 17 + b"\r\nabc")),
            ("a chunk longer than its size", chunked(b"3\r\nabcdef\r\n0\r\n\r\n")),
            ("chunks with bare LF", chunked(b"3\nabc\n0\n\n")),
            ("a folded field", head("GET", "/api/v1/bridges", "A: b\r\n c\r\n")),
            ("bare LF", b"GET /api/v1/bridges HTTP/1.1\nHost: a\n\n"),
            ("NUL in a field", head("GET", "/api/v1/bridges", "A: b\0c\r\n")),
            ("NUL in a path", head("GET", "/api/v1/\0bridges")),
            ("no Host", b"GET /api/v1/bridges HTTP/1.1\r\n\r\n"),
            ("two Hosts", head("GET", "/api/v1/bridges", "Host: b\r\n")),
            ("a TLS ClientHello", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200)),
            ("the preface of HTTP/2", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(9)),
            ("HTTP/9.9", head("GET", "/api/v1/bridges", version="HTTP/9.9")),
            ("garbage", bytes(range(256)) * 4),
        ]
        for name, data in rows:
            self.once(name, data, [400], CLOSED)
        self.once("a truncated body", post(b"x" * 100)[:-50], [400], CLOSED, half_close=True)
        self.once("a truncated head", b"GET /api/v1/bri", [400], CLOSED, half_close=True)
        smuggled = head("GET", "/api/v1/skill")
        self.once("a request hidden in a body of chunks",
                  head("POST", RANK, JSON + "Content-Length: 4\r\n" + coding) + b"0\r\n\r\n" + smuggled, [400], CLOSED)

    def sizes(self):
        self.once("a URL of 9 kB", head("GET", "/api/v1/places?q=" + "a" * 9000), [414], CLOSED)
        self.once("a URL of 1 MB", head("GET", "/" + "a" * 10**6), [414], CLOSED)
        self.once("a field of 20 kB", head("GET", "/api/v1/bridges", "A: %s\r\n" % ("b" * 20_000)), [431], CLOSED)
        self.once("a field of 1 MB", head("GET", "/api/v1/bridges", "A: %s\r\n" % ("b" * 10**6)), [431], CLOSED)
        self.once("1,000 fields", head("GET", "/api/v1/bridges", "A: b\r\n" * 1000), [431], CLOSED)
        self.once("a body of 1 TB, stated", head("POST", RANK, JSON + "Content-Length: %d\r\n" % 10**12), [413], CLOSED)
        self.once("100,000 candidates", post(json.dumps([candidate(n) for n in range(100_000)]).encode()), [413, 422])
        self.once("100,000 rows", post(json.dumps({"rows": [{"bridge": 1, "lead_min": 5}] * 100_000}).encode(),
                                       path="/api/v1/forecast"), [413, 422])
        for opening, closing in ((b"[", b"]"), (b'{"a":', b"}")):
            deep = opening * 100_000 + closing * 100_000
            self.once("JSON 100,000 deep", post(deep), [400, 422])
            self.once("JSON 1,000,000 deep and cut", post(opening * 1_000_000), [400, 422])
        self.once("a number of 100,000 digits", post(b"[" + b"9" * 100_000 + b"]"), [400, 422])

    def contents(self):
        bomb = gzip.compress(bytes(50_000_000))
        self.once("a gzip bomb", post(bomb, JSON + "Content-Encoding: gzip\r\n"), [415])
        for kind in ("", "Content-Type: text/xml\r\n", "Content-Type: application/x-www-form-urlencoded\r\n",
                     "Content-Type: \xff\r\n", "Content-Type: application/json/x\r\n"):
            self.once("a body of the type %r" % kind, post(b"[]", kind), [400, 415])
        for body in (b"", b"\xff\xfe", b'"\\ud800"', b'{"a":"\\u0000"}', b"\xef\xbb\xbf[]", b"[1e999]", b"null",
                     b"NaN"):
            self.once("the body %r" % body, post(body), [400, 422])
        for text in ("%00", "%ff%fe", "%ed%a0%80", "%", "%zz", "%2e%2e%2f", "%e2%80%ae", "%f0%9f%8c%89" * 200,
                     "%0d%0aSet-Cookie:%20a=b", "'%20OR%201=1--", "%cc%81" * 1000):
            self.once("places?q=%s" % text[:30], head("GET", "/api/v1/places?q=" + text), [200, 400, 404])
            self.once("bridges/%s" % text[:30], head("GET", "/api/v1/bridges/" + text), [400, 404])
        self.once("raw bytes in a URL", b"GET /api/v1/places?q=\xff\xf0\x9f HTTP/1.1\r\nHost: a\r\n\r\n",
                  [200, 400, 404])
        for path in ("/../../etc/passwd", "/api/v1/../../etc/passwd", "//etc/passwd", "/api/v1/days/..%2f..%2fetc",
                     "http://169.254.169.254/latest", "*", "/api/v1/bridges?" + "a&" * 3000):
            self.once(path[:40], head("GET", path), [400, 404])
        self.once("CONNECT", head("CONNECT", "example.org:443"), [400, 404, 405])
        self.once("TRACE", head("TRACE", "/api/v1/bridges"), [404, 405])
        self.once("an upgrade", head("GET", "/api/v1/bridges", "Connection: Upgrade\r\nUpgrade: h2c\r\n"), [200],
                  CLOSED)

    def pipelining(self):
        """1,000 requests at once: as many answers, in order; the later ones may be too many for one client."""
        client = Client(self.options)
        client.send(b"".join(head("GET", "/api/v1/bridges/none%d" % n) for n in range(1000)))
        client.read(15, until=lambda found: len(found) >= 1000)
        statuses = client.statuses()
        wrong = [] if len(statuses) == 1000 else ["%d answers" % len(statuses)]
        wrong += ["status %d" % status for status in set(statuses) - {404, 429}]
        order = [int(n) for n in re.findall(rb"none(\d+)", client.received)]
        if order != sorted(order):
            wrong.append("not in order")
        self.note("1,000 requests at once", wrong)
        client.socket.close()

    def slow(self):
        """What takes as long as the service waits, all at once."""
        o = self.options
        begun = head("POST", RANK, JSON + "Content-Length: 100000\r\n")
        rows = [
            ("slowloris", b"GET /api/v1/bridges HTTP/1.1\r\n", b"A: b\r\n", 1, o.header_seconds, [408]),
            ("a head that stops", b"GET /api/v1/bridges HTTP/1.1\r\n", b"", 0.2, o.header_seconds, [408]),
            ("silence", b"", b"", 0.2, o.header_seconds, [None]),
            ("a byte of a body a second", begun, b" ", 1, o.body_seconds, [408]),
            ("a body that stops", begun, b"", 0.2, o.body_seconds, [408]),
            ("a byte of a chunk a second", chunked(b"fffff\r\n"), b" ", 1, o.body_seconds, [408]),
            ("an endless body in chunks", chunked(b""), b"10000\r\n" + b" " * 65536 + b"\r\n", 0, o.body_seconds,
             [413]),
            ("endless small chunks", chunked(b""), b"1\r\n \r\n" * 5000, 0, o.body_seconds, [408, 413]),
            ("an endless field of a chunk", chunked(b"1;"), b"a" * 65536, 0, o.body_seconds, [400, 408, 413, 431]),
        ]
        threads = [
            threading.Thread(target=self.dripping, args=(name, first, piece, pause, seconds * 1.5 + 3, allowed))
            for name, first, piece, pause, seconds, allowed in rows
        ] + [threading.Thread(target=self.reads_nothing)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def reads_nothing(self):
        """Asks for large answers until nothing can be sent, and reads none of them."""
        client = Client(self.options, wait=0.5)
        client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        question = head("GET", "/api/v1/geography?metres_per_pixel=1", "Accept-Encoding: identity\r\n")
        deadline = time.monotonic() + self.options.answer_seconds * 1.5 + 5
        is_left = False
        while time.monotonic() < deadline and not is_left:
            try:
                client.socket.sendall(question)
            except socket.timeout:
                pass
            except ConnectionError:
                is_left = True
            time.sleep(0.05)
        self.note("a client that takes no answer", [] if is_left else ["the connection is open"])
        client.socket.close()

    def alive(self):
        time.sleep(1)
        self.once("a good request after all of it", head("GET", "/healthz"), [200], OPEN)


def main():
    line = parser(__doc__)
    line.add_argument("--host", default="127.0.0.1")
    line.add_argument("--port", type=int, required=True)
    for name, seconds in (("header", 20), ("body", 30), ("answer", 30)):
        line.add_argument("--%s-seconds" % name, type=float, default=seconds)
    attack = Attack(line.parse_args())
    for part in (attack.framing, attack.sizes, attack.contents, attack.slow, attack.pipelining, attack.alive):
        part()
    print("\n".join(attack.failures))
    print("%d of %d rows as they must be" % (attack.count - len(attack.failures), attack.count))
    sys.exit(1 if attack.failures else 0)


if __name__ == "__main__":
    main()
