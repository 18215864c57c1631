#!/usr/bin/env python3
"""Kills `serve --alerts` at random times while it alerts people to a bridge, and checks that nothing was sent twice or lost.

tools/checks/alert_kills and tools/test start it:

    alert_kills.py --bridgecast BINARY [--kills 300] [--people 20] [--seed 1]

A stand-in for the city moves the bridge before each start, so that each process has alerts to send at once. Afterwards what
the receiver got is compared with the ledger: each alert at most once; what counts as delivered arrived; what arrived
counts as delivered or unknown; each change has alerts for all people or for none.
"""
import collections
import http.server
import json
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "shared"))

from checks import parser

NAMES = {1: "1st Ave South", 2: "Ballard", 3: "Fremont", 4: "Montlake", 21: "University"}


class City:
    is_raised = False
    # Set by each request for the state of the bridges.
    was_read = threading.Event()


class Stand(http.server.BaseHTTPRequestHandler):
    """The city's feed by GET, a receiver of webhooks by POST."""

    received = []
    lock = threading.Lock()

    def do_GET(self):
        rows = [
            {"BridgeID": number, "DisplayName": name, "Latitude": 47.6, "Longitude": -122.3, "Name": f"Bridge_{name}.Input01",
             "Status": "Open" if number == 2 and City.is_raised else "Closed"} for number, name in NAMES.items()]
        City.was_read.set()
        self.answer(json.dumps(json.dumps(rows)).encode())

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        # Some receivers are slow, so that kills fall into exchanges, too.
        time.sleep(random.choice([0, 0, 0.02, 0.2]))
        with self.lock:
            self.received += [alert["id"] for alert in message["alerts"]]
        self.answer(b"")

    def answer(self, body):
        try:
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        except OSError:
            # The other end was killed.
            pass

    def log_message(self, *_):
        pass


class Alerts:
    def __init__(self, binary, folder, address):
        self.binary, self.file, self.address = binary, folder / "alerts.sqlite", address

    def command(self, *words):
        result = subprocess.run([self.binary, "alert", *words, "--alerts", self.file], capture_output=True, text=True)
        if result.returncode != 0:
            sys.exit(f"alert {words[0]}: {result.stderr}")
        return result.stdout

    def start(self):
        return subprocess.Popen(
            [self.binary, "serve", "--alerts", self.file, "--alerts-private", "--bridges-url", f"{self.address}/bridges",
             "--port", "0", "--no-store", "--no-archive", "--no-network", "--no-page"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def log(self):
        return json.loads(self.command("log", "--limit", "10000", "--format", "json"))["alerts"]


def run(alerts, kills, generator):
    for number in range(kills):
        City.is_raised = not City.is_raised
        City.was_read.clear()
        process = alerts.start()
        # One in four dies while it starts; the others after they have read the bridges, however long a busy machine takes.
        if number % 4 > 0 and not City.was_read.wait(60):
            sys.exit("the service has not read the bridges within 60 s")
        time.sleep(generator.uniform(0, 1.2))
        process.send_signal(signal.SIGKILL)
        process.wait()
        if (number + 1) % 50 == 0:
            print(f"{number + 1} kills", flush=True)
    # One that is left alone sends what waits.
    City.was_read.clear()
    process = alerts.start()
    City.was_read.wait(60)
    time.sleep(10)
    process.terminate()
    process.wait()


def problems(log, people):
    counts = collections.Counter(Stand.received)
    by_id = {entry["id"]: entry for entry in log}
    for alert, count in counts.items():
        if count > 1:
            yield f"{alert} arrived {count} times"
        if alert not in by_id:
            yield f"{alert} arrived and is not in the ledger"
        elif by_id[alert]["status"] not in ("delivered", "unknown"):
            yield f"{alert} arrived and is {by_id[alert]['status']}"
    for entry in log:
        if entry["status"] == "delivered" and entry["id"] not in counts:
            yield f"{entry['id']} is delivered and did not arrive"
        if entry["status"] not in ("delivered", "unknown"):
            yield f"{entry['id']} is {entry['status']}: {entry['detail']}"
    for change, count in collections.Counter((entry["occasion"], entry["kind"]) for entry in log).items():
        if count != people:
            yield f"{change} has alerts for {count} of {people} people"


def main():
    options = parser(__doc__)
    options.add_argument("--bridgecast", required=True)
    options.add_argument("--kills", type=int, default=300)
    options.add_argument("--people", type=int, default=20)
    options.add_argument("--seed", type=int, default=1)
    options = options.parse_args()
    # All people are alerted at once.
    http.server.ThreadingHTTPServer.request_queue_size = 128
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Stand)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_address[1]}"
    with tempfile.TemporaryDirectory() as folder:
        alerts = Alerts(options.bridgecast, pathlib.Path(folder), address)
        for number in range(options.people):
            alerts.command(
                "add", "Ballard", "--up", "--down", "--priority", "critical", "--person", f"p{number}", "--webhook",
                f"{address}/hook")
        run(alerts, options.kills, random.Random(options.seed))
        log = alerts.log()
    found = list(problems(log, options.people))
    statuses = collections.Counter(entry["status"] for entry in log)
    changes = len({(entry["occasion"], entry["kind"]) for entry in log})
    print(f"{options.kills} kills, {changes} changes, {len(log)} alerts: {dict(statuses)}; {len(Stand.received)} arrived")
    for problem in found[:20]:
        print(f"FAIL  {problem}")
    if found or changes < options.kills / 10:
        sys.exit(f"{len(found)} problems, {changes} changes")
    print("nothing was sent twice, and nothing is missing in the ledger")


if __name__ == "__main__":
    main()
