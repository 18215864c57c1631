"""A bridgecast-server of the build on a replayed day, which tests stop and start again."""
import os
import pathlib
import subprocess
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[4]
PROGRAM = os.environ.get("BRIDGECAST_SERVER", str(ROOT / ".build/release/bridgecast-server"))


class Server:
    """A running service. `address` stays the same over a restart."""

    def __init__(self, replay, speed, *options):
        self._options = ["--replay", replay, "--speed", str(speed), "--no-store", "--no-archive", *options]
        self._port = 0
        self._process = None

    @property
    def address(self):
        return f"http://127.0.0.1:{self._port}"

    def start(self):
        environment = {**os.environ, "BRIDGECAST_HOME": str(ROOT), "OPENBLAS_NUM_THREADS": "1"}
        command = [PROGRAM, "serve", "--port", str(self._port), *self._options]
        self._process = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        line = self._process.stdout.readline()
        assert line.startswith("listening on http://127.0.0.1:"), f"the service did not start: {command}"
        self._port = int(line.rstrip().rpartition(":")[2])
        while not self._is_ready():
            time.sleep(0.05)
        return self

    def _is_ready(self):
        """It listens a little before the first data is there, and answers 503 until then."""
        try:
            with urllib.request.urlopen(f"{self.address}/readyz", timeout=20) as answer:
                return answer.status == 200
        except urllib.error.HTTPError:
            return False

    def kill(self):
        """Ends it without a farewell, as a power cut does."""
        if self._process:
            self._process.kill()
            self._process.wait()
            self._process.stdout.close()
            self._process = None
