"""A standalone cluster on this machine: a master and workers of a core each, as processes that end with it."""
import os
import pathlib
import signal
import socket
import subprocess
import time

import pyspark

JARS = pathlib.Path(pyspark.__file__).parent / "jars"
MAX_SECONDS = 60
EXECUTOR = "CoarseGrainedExecutorBackend"


def free_port():
    with socket.socket() as own:
        own.bind(("127.0.0.1", 0))
        return own.getsockname()[1]


class Cluster:
    """Used with ``with``; `url` is its master."""

    def __init__(self, folder, workers):
        self.folder, self.workers, self.processes = pathlib.Path(folder), workers, []
        self.port = free_port()
        self.url = f"spark://127.0.0.1:{self.port}"

    def __enter__(self):
        self._start("Master", "--host", "127.0.0.1", "--port", str(self.port), "--webui-port", "0", kind="master")
        self._wait_for_port()
        for _ in range(self.workers):
            self._start("Worker", "--host", "127.0.0.1", "--cores", "1", "--memory", "1g", "--webui-port", "0", "--work-dir",
                        str(self.folder / "work"), self.url, kind="worker")
        return self

    def __exit__(self, *_):
        for process in reversed(self.processes):
            process.terminate()
            process.wait()

    def _start(self, name, *arguments, kind):
        command = ["java", "-Xmx512m", "-cp", f"{JARS}/*", f"org.apache.spark.deploy.{kind}.{name}", *arguments]
        log = open(self.folder / f"{name}-{len(self.processes)}.log", "w")
        # A worker builds the command of an executor by these, as Spark's own scripts set them.
        scala = next(JARS.glob("spark-core_*.jar")).name.split("_")[1].split("-")[0]
        environment = {**os.environ, "SPARK_HOME": str(JARS.parent), "SPARK_SCALA_VERSION": scala}
        self.processes.append(subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, env=environment))

    def _wait_for_port(self):
        end = time.monotonic() + MAX_SECONDS
        while time.monotonic() < end:
            with socket.socket() as own:
                if own.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.2)
        raise TimeoutError("the master does not answer; its log is in " + str(self.folder))

    def executors(self):
        """Process ids of the executors that our workers have started."""
        workers = {process.pid for process in self.processes}
        return [pid for pid in map(int, filter(str.isdigit, os.listdir("/proc"))) if _parent(pid) in workers and _is_executor(pid)]

    def kill_executor(self):
        """Ends one executor as a failing machine would; its process id."""
        pid = self.executors()[0]
        os.kill(pid, signal.SIGKILL)
        return pid


def _read(pid, name):
    try:
        return pathlib.Path(f"/proc/{pid}/{name}").read_bytes()
    except OSError:
        return b""


def _parent(pid):
    fields = _read(pid, "stat").rpartition(b")")[2].split()
    return int(fields[1]) if len(fields) > 1 else None


def _is_executor(pid):
    return EXECUTOR.encode() in _read(pid, "cmdline")
