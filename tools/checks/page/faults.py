"""A stand-in for a bad way to the service: passes requests on, or answers late, half, with a status, or with no JSON."""
import http.client, http.server, threading, time


class Faults:
    """A proxy whose `mode` is None, or ("late", seconds), ("cut",), ("status", 503, fields), ("text", words)."""

    def __init__(self, host, port):
        faults = self
        self.mode = None
        # Only answers under this path are spoilt.
        self.path = "/api/"

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_GET(self):
                mode = faults.mode if self.path.startswith(faults.path) else None
                if mode and mode[0] == "status":
                    return self.reply(mode[1], {"Content-Type": "text/html", **mode[2]}, b"<h1>no</h1>")
                if mode and mode[0] == "text":
                    return self.reply(200, {"Content-Type": "application/json"}, mode[1].encode())
                if mode and mode[0] == "late":
                    time.sleep(mode[1])
                self.passed_on(mode)

            def reply(self, status, fields, body, length=None):
                self.send_response(status)
                for name, value in fields.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body) if length is None else length))
                self.end_headers()
                self.wfile.write(body)

            def passed_on(self, mode):
                connection = http.client.HTTPConnection(host, port, timeout=60)
                try:
                    connection.request("GET", self.path, headers={
                        name: value for name, value in self.headers.items() if name.lower() not in ("host", "connection")})
                    answer = connection.getresponse()
                    fields = {name: value for name, value in answer.getheaders()
                              if name.lower() not in ("content-length", "transfer-encoding", "connection")}
                    if "text/event-stream" in fields.get("Content-Type", fields.get("content-type", "")):
                        return self.streamed(answer, fields)
                    body = answer.read()
                    if mode and mode[0] == "cut":
                        self.close_connection = True
                        return self.reply(answer.status, fields, body[:len(body) // 2], len(body))
                    if answer.status == 304:
                        self.send_response(304)
                        for name, value in fields.items():
                            self.send_header(name, value)
                        return self.end_headers()
                    self.reply(answer.status, fields, body)
                except OSError:
                    self.close_connection = True
                finally:
                    connection.close()

            def streamed(self, answer, fields):
                self.send_response(answer.status)
                for name, value in fields.items():
                    self.send_header(name, value)
                self.send_header("Connection", "close")
                self.end_headers()
                self.close_connection = True
                while faults.mode is None and (chunk := answer.read1(4096)):
                    self.wfile.write(chunk)
                    self.wfile.flush()

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):
                # A browser that goes away is no news.
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        self.address = "http://127.0.0.1:%d" % self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
