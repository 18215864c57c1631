"""Replicas of the route service on this machine: a PostgreSQL server, services that share a store in it, and nginx.

tools/service/replicas runs them for people, tools/checks/service/replicas.py for its trials.
"""
import contextlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import urllib.request

from checks import ROOT, free_port
from postgresql_server import Server

PROGRAM = ROOT / ".build/release/bridgecast-server"
START_SECONDS = 60


def fail(text):
    sys.exit("FAIL: " + text)


def wait_until(condition, text, seconds=START_SECONDS):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            fail("not within %d s: %s" % (seconds, text))
        time.sleep(0.02)


def answers(address, path="/readyz"):
    """Whether a service answers with 200."""
    try:
        with urllib.request.urlopen(address + path, timeout=2) as answer:
            return answer.status == 200
    except OSError:
        return False


class Replica:
    """A service that shares the store with others, always on the same port."""

    def __init__(self, number, folder, database, options, program=PROGRAM):
        self.number, self.port, self.process = number, free_port(), None
        self.folder = pathlib.Path(folder) / ("replica-%d" % number)
        self.folder.mkdir()
        self.log_path, self.model = self.folder / "serve.log", self.folder / "model.bcm"
        shutil.copy(ROOT / "models/bridgecast.int8.bcm", self.model)
        self.command = [str(program), "serve", "--port", str(self.port), "--store", database.url(), "--model", str(self.model),
                        *options]
        self.environment = {**os.environ, "BRIDGECAST_HOME": str(ROOT), "OPENBLAS_NUM_THREADS": "1",
                            "XDG_DATA_HOME": str(self.folder)}
        self.address = "http://127.0.0.1:%d" % self.port

    def start(self):
        """Starts it; ``wait`` waits until it is ready."""
        with open(self.log_path, "ab") as log:
            self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, stderr=log, text=True, env=self.environment)
        line = self.process.stdout.readline()
        if not re.search(r"listening on", line):
            self.process.kill()
            fail("replica %d does not start: %s %s" % (self.number, line.strip(), self.log()[-600:]))
        threading.Thread(target=self.process.stdout.read, daemon=True).start()

    def wait(self):
        wait_until(lambda: answers(self.address), "replica %d is ready: %s" % (self.number, self.log()[-600:]))

    def log(self):
        return self.log_path.read_text(errors="replace")

    def use(self, model):
        """Replaces its model by a file of the folder models, and waits until it forecasts with that."""
        new = self.folder / "new.bcm"
        shutil.copy(ROOT / "models" / model, new)
        new.replace(self.model)
        form = '"weight_format":"%s"' % model.split(".")[1]
        wait_until(lambda: form in self.text("/api/v1/bridges"), "replica %d uses %s" % (self.number, model))

    def text(self, path):
        with contextlib.suppress(OSError), urllib.request.urlopen(self.address + path, timeout=2) as answer:
            return answer.read().decode()
        return ""

    def polls(self):
        """Whether it is the one that polls, by its metrics."""
        return re.search(r"^bridgecast_replica_polls 1", self.text("/metrics"), re.MULTILINE) is not None

    def end(self, number=signal.SIGTERM, seconds=20):
        self.process.send_signal(number)
        return self.process.wait(seconds)

    def close(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()


NGINX = """daemon off; master_process on; worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/error.log;
worker_rlimit_nofile 8192;
events {{ worker_connections 4096; }}
http {{
    access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    include {folder}/replicas.conf;
}}
"""


class Proxy:
    """nginx with tools/service/replicas.nginx.conf."""

    def __init__(self, folder, replicas, port=0):
        self.folder, self.port = pathlib.Path(folder) / "nginx", port or free_port()
        self.folder.mkdir()
        servers = "\n    ".join("server 127.0.0.1:%d max_fails=1 fail_timeout=1s;" % replica.port for replica in replicas)
        settings = (ROOT / "tools/service/replicas.nginx.conf").read_text()
        (self.folder / "replicas.conf").write_text(
            settings.replace("SERVERS", servers).replace("LISTEN", "127.0.0.1:%d" % self.port))
        (self.folder / "nginx.conf").write_text(NGINX.format(folder=self.folder))
        self.process = subprocess.Popen(["nginx", "-c", self.folder / "nginx.conf", "-p", self.folder],
                                        stderr=subprocess.DEVNULL)
        self.address = "http://127.0.0.1:%d" % self.port

    def close(self):
        self.process.terminate()
        self.process.wait()


@contextlib.contextmanager
def cluster(folder, count, options, program=PROGRAM, port=0):
    """A database, replicas that are ready, and their proxy; all are gone at the end."""
    with contextlib.ExitStack() as stack:
        database = Server()
        stack.callback(database.stop)
        replicas = [Replica(number, folder, database, options, program) for number in range(1, count + 1)]
        for replica in replicas:
            stack.callback(replica.close)
            replica.start()
        for replica in replicas:
            replica.wait()
        proxy = Proxy(folder, replicas, port)
        stack.callback(proxy.close)
        wait_until(lambda: answers(proxy.address), "nginx answers")
        yield database, replicas, proxy
