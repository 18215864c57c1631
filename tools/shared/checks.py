"""What the checks in Python share: their command lines, small servers on this machine, and the verdict at the end."""
import argparse
import http.server
import pathlib
import socket
import sys
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORDS = ROOT / "training-data/openings-2025-2026.csv"
MAX_SHOWN = 20


def parser(text):
    """A parser of the command line whose help begins with a program's docstring."""
    return argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)


def serve(answer, port=0, sent=lambda: None):
    """A server, in a thread, whose every reply is the bytes that `answer` returns; calls `sent` after each."""
    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def do_GET(self):
            body = answer()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
            self.wfile.flush()
            sent()

    http.server.ThreadingHTTPServer.allow_reuse_address = True
    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def free_port():
    """A port that is free now."""
    with socket.socket() as own:
        own.bind(("127.0.0.1", 0))
        return own.getsockname()[1]


def finish(wrong):
    """Prints what is wrong, and ends the program with exit code 1 if anything is."""
    for text in wrong[:MAX_SHOWN]:
        print("FAIL " + text)
    print(f"{len(wrong)} wrong")
    sys.exit(1 if wrong else 0)
