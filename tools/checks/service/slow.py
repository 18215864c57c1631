"""Clients that take as long as the service's patience; for attack.py."""
import socket, threading, time

from raw import JSON, RANK, Client, chunked, head


class SlowAttack:
    """Rows that Attack judges by `dripping` and `note`."""

    def slow(self):
        """What takes as long as the service's patience, all at once."""
        o = self.options
        begun = head("POST", RANK, JSON + "Content-Length: 100000\r\n")
        rows = [
            ("slowloris", b"GET /api/v1/bridges HTTP/1.1\r\n", b"A: b\r\n", 1, o.header_seconds, [408]),
            ("a head that stops", b"GET /api/v1/bridges HTTP/1.1\r\n", b"", 0.2, o.header_seconds, [408]),
            ("silence", b"", b"", 0.2, o.header_seconds, [None]),
            ("a byte of a body a second", begun, b" ", 1, o.body_seconds, [408]),
            ("a body that stops", begun, b"", 0.2, o.body_seconds, [408]),
            ("a byte of a chunk a second", chunked(b"fffff\r\n"), b" ", 1, o.body_seconds, [408]),
            ("an endless body in chunks", chunked(b""), b"10000\r\n" + b" " * 65536 + b"\r\n", 0, o.body_seconds, [413]),
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
        """Asks for large answers until nothing goes any more, and takes none of them."""
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
