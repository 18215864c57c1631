"""A running `bridgecast-server serve` and how it fares; the checks of this folder and of the page start it."""
import contextlib
import http.client
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "shared"))

from checks import ROOT

PROGRAM = ROOT / ".build/release/bridgecast-server"
# The afternoon that is replayed, at four times the speed: bridges move, and a new reading comes every five seconds.
REPLAY = ["--replay", "2026-02-20T17:50/2026-02-20T19:00", "--speed", "4"]
UNLIMITED = ["--requests-per-second", "0"]


@contextlib.contextmanager
def serving(options, program, add_files=lambda folder: []):
    """A service and its folder; both are gone at the end. `add_files` puts files there, and returns the options that name them."""
    with tempfile.TemporaryDirectory(prefix="bridgecast-serve-") as name:
        folder = pathlib.Path(name)
        service = Service(options + add_files(folder), folder, program)
        try:
            yield service, folder
        finally:
            if service.process.poll() is None:
                service.kill()


class Service:
    """A process that serves; its first line has the address."""

    def __init__(self, options, folder, program=PROGRAM, port=0):
        self.log_path = pathlib.Path(folder) / "serve.log"
        self.log = open(self.log_path, "ab")
        self.began = time.monotonic()
        self.process = subprocess.Popen(
            [str(program), "serve", "--port", str(port), *options], stdout=subprocess.PIPE, stderr=self.log, text=True,
            env={**os.environ, "BRIDGECAST_HOME": str(ROOT), "XDG_DATA_HOME": str(folder), "OPENBLAS_NUM_THREADS": "1"})
        line = self.process.stdout.readline()
        found = re.search(r"listening on (http://([\d.]+):(\d+))", line)
        if not found:
            self.process.kill()
            sys.exit("FAIL: the service does not start: %s %s" % (line.strip(), self.log_end()))
        self.address, self.host, self.port = found[1], found[2], int(found[3])
        threading.Thread(target=self.process.stdout.read, daemon=True).start()

    def log_end(self):
        """The last lines of its log."""
        return self.log_path.read_text(errors="replace")[-600:]

    def status(self, path, timeout=5):
        """The status of a GET; None if there is no answer."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=timeout)
        try:
            connection.request("GET", path)
            return connection.getresponse().status
        except (OSError, http.client.HTTPException):
            return None
        finally:
            connection.close()

    def wait_until_ready(self, seconds=30):
        """Seconds from its start until /readyz says 200."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.process.poll() is None:
            if self.status("/readyz") == 200:
                return time.monotonic() - self.began
            time.sleep(0.01)
        self.process.kill()
        sys.exit("FAIL: not ready after %d s: %s" % (seconds, self.log_end()))

    def resident_kilobytes(self):
        """Memory that is in use."""
        text = open("/proc/%d/status" % self.process.pid).read()
        return int(re.search(r"VmRSS:\s+(\d+)", text)[1])

    def descriptors(self):
        """Open files and connections."""
        return len(os.listdir("/proc/%d/fd" % self.process.pid))

    def signal(self, number):
        self.process.send_signal(number)

    def stop(self, seconds=15):
        """Asks it to end; its exit code and the seconds that took."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        try:
            code = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            code = "none: killed"
        self.log.close()
        return code, time.monotonic() - began

    def kill(self):
        """Ends it at once, as a power cut would."""
        self.process.kill()
        self.process.wait()
        self.log.close()
