"""The servers that load.py and streams.py measure: starting, waiting, memory and stopping."""
import os
import signal
import socket
import subprocess
import time
import urllib.request

REPLAY = "2026-02-20T17:50/2026-02-20T19:00"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def process_tree(pid):
    """A process and all that it started."""
    found = [pid]
    for parent in found:
        try:
            with open(f"/proc/{parent}/task/{parent}/children") as file:
                found += [int(child) for child in file.read().split()]
        except OSError:
            continue
    return found


class Server:
    """One server process; leave the `with` to stop it."""

    def __init__(self, name, command, port, path, environment=None):
        self.name, self.port, self.url = name, port, f"http://127.0.0.1:{port}"
        log = open(os.path.join(os.environ["BRIDGECAST_HOME"], ".build/service", name + ".log"), "wb")
        self.process = subprocess.Popen(command, stdout=log, stderr=log, env={**os.environ, **(environment or {})})
        self.ready_seconds = self._wait(path)

    def _wait(self, path):
        start = time.monotonic()
        while time.monotonic() - start < 60:
            if self.process.poll() is not None:
                raise SystemExit(f"{self.name} ended at once; see .build/service/{self.name}.log")
            try:
                self.get(path)
                return time.monotonic() - start
            except OSError:
                time.sleep(0.02)
        raise SystemExit(f"{self.name} does not answer {path}; see .build/service/{self.name}.log")

    def get(self, path):
        with urllib.request.urlopen(self.url + path, timeout=10) as answer:
            return answer.read()

    def _status(self, field):
        total = 0
        for pid in process_tree(self.process.pid):
            try:
                with open(f"/proc/{pid}/status") as file:
                    total += sum(int(line.split()[1]) for line in file if line.startswith(field + ":"))
            except OSError:
                continue
        return total * 1024

    def memory(self):
        """Bytes in memory now, all processes of the server."""
        return self._status("VmRSS")

    def peak_memory(self):
        """Peak bytes in memory so far, all processes of the server."""
        return self._status("VmHWM")

    def cpu_seconds(self):
        ticks = 0
        for pid in process_tree(self.process.pid):
            with open(f"/proc/{pid}/stat") as file:
                fields = file.read().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def bridgecast(root, speed=1, options=()):
    port = free_port()
    command = [f"{root}/.build/release/bridgecast-server", "serve", "--replay", REPLAY, "--speed", str(speed),
               "--port", str(port), "--requests-per-second", "0", "--no-store", *options]
    return Server("bridgecast", command, port, "/readyz")


def bare(root, answer):
    port = free_port()
    return Server("bare", [f"{root}/.build/bare/release/Bare", str(port), answer], port, "/api/v1/forecast")


def fastapi(root, answer):
    port = free_port()
    folder = f"{root}/tools/comparisons/service"
    command = [f"{root}/.build/python/bin/uvicorn", "fastapi_peer:app", "--app-dir", folder, "--port", str(port),
               "--workers", "2", "--loop", "uvloop", "--http", "httptools", "--no-access-log", "--log-level", "warning"]
    environment = {"PEER_NETWORK": f"{root}/.build/service/int8.onnx", "PEER_ANSWER": answer}
    return Server("fastapi", command, port, "/api/v1/forecast?bridge=Fremont", environment)
