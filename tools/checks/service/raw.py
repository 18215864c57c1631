"""Requests as bytes, and a client over a raw socket that sends them; for attack.py."""
import re, socket, time

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
    """A small one: 100,000 of them are fewer bytes than a body may have."""
    return {"id": "r%d" % number, "base_travel_time_min": 10, "crossings": []}


class Client:
    """One connection."""

    def __init__(self, options, wait=8):
        self.socket = socket.create_connection((options.host, options.port), timeout=wait)
        self.received = b""
        self.is_closed = False

    def send(self, data):
        """Sends; what the service does not take any more is no failure of this side."""
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
