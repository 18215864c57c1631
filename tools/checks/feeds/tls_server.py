#!/usr/bin/env python3
"""A server with a certificate that it made itself, which no client trusts: prints its address, and ends with its input."""
import http.server
import ssl
import subprocess
import sys
import tempfile
import threading


def context():
    with tempfile.TemporaryDirectory() as folder:
        key, certificate = folder + "/key", folder + "/certificate"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                        "-keyout", key, "-out", certificate], check=True, stderr=subprocess.DEVNULL)
        made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        made.load_cert_chain(certificate, key)
        return made


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *_):
        """Clients that go away are what it is for."""


server = Server(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler)
server.socket = context().wrap_socket(server.socket, server_side=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
print("https://127.0.0.1:%d" % server.server_port, flush=True)
sys.stdin.read()
