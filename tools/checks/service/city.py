"""A small stand-in for the city's feed whose bridges move by the clock, and which can die and come back on its port.

soak.py and kill.py start it inside themselves; feeds/stand_in.py replays the records instead.
"""
import http.server, json, threading, time

# Bridges with a sensor, as the city names them.
BRIDGES = {1: "1st Ave South", 2: "Ballard", 3: "Fremont", 4: "Montlake", 29: "South Park"}


class City:
    """The feed. A bridge is up for `up` of every `period` seconds, each bridge shifted against the one before."""

    def __init__(self, period=90, up=40):
        self.period, self.up, self.port, self.server, self.asked = period, up, 0, None, 0
        self.start()

    @property
    def url(self):
        return "http://127.0.0.1:%d/bridges" % self.port

    def states(self, now):
        return {bridge: (now + 17 * place) % self.period < self.up for place, bridge in enumerate(BRIDGES)}

    def start(self):
        """Begins to serve; on the same port as before."""
        city = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_GET(self):
                city.asked += 1
                rows = [{"BridgeID": bridge, "BridgeName": BRIDGES[bridge], "Status": "Open" if is_up else "Closed"}
                        for bridge, is_up in city.states(time.time()).items()]
                # JSON in a JSON string, as the city sends it.
                body = json.dumps(json.dumps(rows)).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        http.server.ThreadingHTTPServer.allow_reuse_address = True
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        """Dies: whoever asks is refused."""
        self.server.shutdown()
        self.server.server_close()
