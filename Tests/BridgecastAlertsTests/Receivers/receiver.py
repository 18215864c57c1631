"""A receiver of webhooks and ntfy for tests: prints its address, then each request that it got as a line of JSON.

The path says what it does: /ok, /status/CODE, /later (503 with Retry-After: 7), /silent (reads and closes),
/slow (answers after 30 s), /signed/SECRET (checks the signature by Python's own hmac), /redirect.
"""
import hashlib
import hmac
import http.server
import json
import sys
import threading
import time


class Receiver(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        what, _, argument = self.path.strip("/").partition("/")
        code, fields, verified = 200, {}, None
        if what == "status":
            code = int(argument)
        elif what == "later":
            code, fields = 503, {"Retry-After": "7"}
        elif what == "redirect":
            code, fields = 302, {"Location": "/ok"}
        elif what == "signed":
            parts = dict(part.split("=") for part in self.headers["Bridgecast-Signature"].split(","))
            wanted = hmac.new(argument.encode(), f"{parts['t']}.".encode() + body, hashlib.sha256)
            verified = hmac.compare_digest(wanted.hexdigest(), parts["v1"])
        print(json.dumps({
            "path": self.path, "body": body.decode(), "verified": verified, "fields": dict(self.headers),
        }), flush=True)
        if what == "slow":
            time.sleep(30)
        if what == "silent":
            self.close_connection = True
            return
        self.send_response(code)
        for name, value in fields.items():
            self.send_header(name, value)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
server.daemon_threads = True
print(f"http://127.0.0.1:{server.server_address[1]}", flush=True)
# Ends with the process that started it.
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
