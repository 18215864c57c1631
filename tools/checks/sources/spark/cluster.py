"""A standalone cluster on this machine: a master and workers of a core each, as processes that end with it."""
import contextlib
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
    """Used with ``with``; `url` is its master.

    Pinned workers have a processor of this machine each, for their executors with all of Java and Python.
    """

    def __init__(self, folder, workers, pinned=False):
        self.folder, self.workers, self.pinned, self.processes = pathlib.Path(folder), workers, pinned, []
        self.port = free_port()
        self.url = f"spark://127.0.0.1:{self.port}"

    def __enter__(self):
        with contextlib.ExitStack() as started:
            started.push(self.__exit__)
            self._start("master.Master", "--host", "127.0.0.1", "--port", str(self.port), "--webui-port", "0")
            self._wait_for_port()
            for number in range(self.workers):
                self._start("worker.Worker", "--host", "127.0.0.1", "--cores", "1", "--memory", "1g", "--webui-port", "0", "--work-dir",
                            str(self.folder / "work"), self.url, prefix=["taskset", "-c", str(number)] if self.pinned else [])
            started.pop_all()
        return self

    def __exit__(self, *_):
        for process in reversed(self.processes):
            process.terminate()
            process.wait()

    def _start(self, name, *arguments, prefix=()):
        command = [*prefix, "java", "-Xmx512m", "-cp", f"{JARS}/*", f"org.apache.spark.deploy.{name}", *arguments]
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

    @staticmethod
    def kill_executor(worker):
        """Ends the executor of a Python worker, as a failing machine would."""
        pid = worker
        while not _is_executor(pid):
            pid = _parent(pid)
            if pid is None:
                raise ProcessLookupError(f"process {worker} has no executor")
        os.kill(pid, signal.SIGKILL)


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
