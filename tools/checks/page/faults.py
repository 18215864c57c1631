"""A stand-in for a bad way to the service: passes requests on, or answers late, half, with a status, or with no JSON."""
import http.client, http.server, threading, time

LEFT_OUT_OF_REQUESTS = ("host", "connection")
LEFT_OUT_OF_ANSWERS = ("content-length", "transfer-encoding", "connection")


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers one connection of a browser."""
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        faults = self.server.faults
        mode = faults.mode if self.path.startswith(faults.path) and faults.is_turn() else None
        if mode and mode[0] == "status":
            return self.reply(mode[1], {"Content-Type": "text/html", **mode[2]}, b"<h1>no</h1>")
        if mode and mode[0] == "text":
            return self.reply(200, {"Content-Type": "application/json"}, mode[1].encode())
        if mode and mode[0] == "late":
            time.sleep(mode[1])
        self.pass_on(mode)

    def pass_on(self, mode):
        connection = http.client.HTTPConnection(*self.server.service, timeout=60)
        try:
            connection.request("GET", self.path, headers={
                name: value for name, value in self.headers.items() if name.lower() not in LEFT_OUT_OF_REQUESTS})
            self.give(connection.getresponse(), mode)
        except OSError:
            self.close_connection = True
        finally:
            connection.close()

    def give(self, answer, mode):
        """Gives an answer of the service to the browser; half of its body where answers are cut."""
        fields = {name: value for name, value in answer.getheaders() if name.lower() not in LEFT_OUT_OF_ANSWERS}
        if "text/event-stream" in fields.get("Content-Type", fields.get("content-type", "")):
            return self.stream(answer, fields)
        body = answer.read()
        if mode and mode[0] == "cut":
            self.close_connection = True
            return self.reply(answer.status, fields, body[:len(body) // 2], len(body))
        if answer.status == 304:
            return self.begin(304, fields)
        self.reply(answer.status, fields, body)

    def stream(self, answer, fields):
        self.begin(answer.status, {**fields, "Connection": "close"})
        self.close_connection = True
        faults = self.server.faults
        while (faults.mode is None or faults.every > 1) and (chunk := answer.read1(4096)):
            self.wfile.write(chunk)
            self.wfile.flush()

    def reply(self, status, fields, body, length=None):
        self.begin(status, {**fields, "Content-Length": str(len(body) if length is None else length)})
        self.wfile.write(body)

    def begin(self, status, fields):
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name, value)
        self.end_headers()


class Server(http.server.ThreadingHTTPServer):
    """Serves browsers on a free port."""
    daemon_threads = True

    def __init__(self, faults, service):
        self.faults = faults
        self.service = service
        super().__init__(("127.0.0.1", 0), Handler)

    def handle_error(self, *_):
        # A browser may go away at any time.
        pass


class Faults:
    """A proxy whose `mode` is None, or ("late", seconds), ("cut",), ("status", 503, fields), ("text", words)."""

    def __init__(self, host, port):
        self.mode = None
        # Only answers under this path are spoilt.
        self.path = "/api/"
        # Every so many of them.
        self.every, self.count, self.lock = 1, 0, threading.Lock()
        self.server = Server(self, (host, port))
        self.address = "http://127.0.0.1:%d" % self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def is_turn(self):
        with self.lock:
            self.count += 1
            return self.count % self.every == 0

    def close(self):
        self.server.shutdown()
