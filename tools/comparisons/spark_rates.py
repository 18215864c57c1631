"""Measures bridgecast_spark; tools/comparisons/spark_rates runs it, and says what is compared.

Each rate has the processor time of all processes of the job next to it: on a machine that does other things, it says more.
"""
import argparse
import os
import pathlib
import statistics
import threading
import time

import bridgecast
import bridgecast_spark
import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
from bridgecast_spark import _worker
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

import rows
from cluster import Cluster

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODEL = str(ROOT / "models/bridgecast.int8.bcm")
RECORDS = bridgecast_spark.Records.read(
    *(ROOT / f"training-data/openings-{years}.csv" for years in ("2015-2017", "2017-2018", "2025-2026")),
    coverage=ROOT / "training-data/coverage.json")
BLOCK, THREADS = 50_000, 2
TICKS = os.sysconf("SC_CLK_TCK")


# MARK: - Processes

class Usage:
    """Processor seconds of this process and its descendants while it is used, and the memory of Python workers."""

    def __init__(self):
        self.worker_bytes, self.ended, self.latest = 0, threading.Event(), {}

    def __enter__(self):
        self.before = {pid: processor_seconds(pid) for pid in descendants()}
        self.began = time.perf_counter()
        self.watcher = threading.Thread(target=self._watch, daemon=True)
        self.watcher.start()
        return self

    def __exit__(self, *_):
        self.seconds = time.perf_counter() - self.began
        self.ended.set()
        self.watcher.join()
        self._sample()
        self.used = sum(latest - self.before.get(pid, 0) for pid, latest in self.latest.items())

    def _watch(self):
        while not self.ended.wait(0.5):
            self._sample()

    def _sample(self):
        """Of workers that end, what was sampled last counts: their parents may not be charged for them."""
        for pid in descendants():
            self.latest[pid] = max(self.latest.get(pid, 0), processor_seconds(pid))
            if is_worker(pid):
                self.worker_bytes = max(self.worker_bytes, resident(pid))


def read(pid, name):
    try:
        return pathlib.Path(f"/proc/{pid}/{name}").read_bytes()
    except OSError:
        return b""


def fields(pid):
    return read(pid, "stat").rpartition(b")")[2].split()


def descendants():
    parents = {pid: int(found[1]) for pid in map(int, filter(str.isdigit, os.listdir("/proc"))) if (found := fields(pid))}
    ours = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in ours} - ours:
        ours |= more
    return ours


def processor_seconds(pid):
    found = fields(pid)
    return sum(map(int, found[11:13])) / TICKS if found else 0


def is_worker(pid):
    return b"pyspark.daemon" in read(pid, "cmdline") and fields(pid)[1:2] and b"pyspark.daemon" in read(int(fields(pid)[1]), "cmdline")


def resident(pid):
    found = read(pid, "statm").split()
    return int(found[1]) * os.sysconf("SC_PAGE_SIZE") if found else 0


# MARK: - Data

def write_trips(folder, count):
    """Trips in the order of their issue times, twenty a minute; candidates repeat from file to file."""
    folder.mkdir(parents=True)
    block = rows.candidates(BLOCK, np.random.default_rng(3))
    for number in range(-(-count // BLOCK)):
        length = min(BLOCK, count - number * BLOCK)
        issued = 1_736_000_000 + 60 * (np.arange(number * BLOCK, number * BLOCK + length) // 20)
        table = pa.table({"id": np.arange(length) + number * BLOCK, "issue_time": rows.times(issued),
                          "departure": rows.times(issued + 300), "candidates": block.slice(0, length)})
        parquet.write_table(table, folder / f"{number:05}.parquet")


def write_inputs(given, folder, count):
    """Rows of the network's inputs, and as many arrivals for which Bridgecast computes them itself."""
    inputs, prior = (np.load(given / f"inputs/{name}.npy") for name in ("features", "prior_logits"))
    chosen = np.arange(count) % len(inputs)
    table = pa.table({"features": rows.lists(pa.array(inputs[chosen].ravel()), inputs.shape[1]),
                      "prior": rows.lists(pa.array(prior[chosen].ravel()), prior.shape[1])})
    parquet.write_table(table, folder / "inputs.parquet", row_group_size=BLOCK // 2)
    arrivals = rows.arrivals(count).sort_by("issue_time")
    parquet.write_table(arrivals, folder / "arrivals.parquet", row_group_size=BLOCK // 2)


# MARK: - What is measured

def in_one_process(folder):
    """Two threads, each with a model, rank the files by turns."""
    files, lock = iter(sorted((folder / "trips").iterdir())), threading.Lock()

    def work():
        with bridgecast.Model(MODEL) as model, model._lock:
            RECORDS.set_in(model, lambda path: path)
            while True:
                with lock:
                    file = next(files, None)
                if file is None:
                    return
                for batch in parquet.ParquetFile(file, pre_buffer=False).iter_batches(10_000, use_threads=False):
                    _worker.rank(model, {name: batch.column(name) for name in ("issue_time", "departure", "candidates")})

    threads = [threading.Thread(target=work) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def session(master, **settings):
    builder = SparkSession.builder.master(master).config("spark.ui.enabled", "false").config("spark.driver.host", "127.0.0.1")
    builder = builder.config("spark.ui.showConsoleProgress", "false").config("spark.driver.memory", "3g")
    builder = builder.config("spark.sql.files.maxPartitionBytes", "32m")
    for name, value in settings.items():
        builder = builder.config(name.replace("_", "."), value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    return spark


def ranked(spark, folder):
    df = bridgecast_spark.rank(spark.read.parquet(str(folder / "trips")), RECORDS, model=MODEL)
    df.write.format("noop").mode("overwrite").save()


def forecast(spark, folder):
    df = bridgecast_spark.forecast(spark.read.parquet(str(folder / "arrivals.parquet")), RECORDS, model=MODEL)
    df.write.format("noop").mode("overwrite").save()


def onnx(spark, folder, given):
    """The network alone, as a pandas UDF has it: inputs come as columns, chances go back."""
    import pandas as pd
    path = str(given.parent / "network.onnx")

    @F.pandas_udf("array<float>")
    def probabilities(features: pd.Series, prior: pd.Series) -> pd.Series:
        found = onnx_session(path).run(None, {"features": np.stack(features), "prior_logits": np.stack(prior)})[0]
        return pd.Series(list(found))

    df = spark.read.parquet(str(folder / "inputs.parquet")).select(probabilities("features", "prior"))
    df.write.format("noop").mode("overwrite").save()


def onnx_session(path, opened={}):
    import onnxruntime
    if path not in opened:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        opened[path] = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    return opened[path]


def measure(name, folder, rounds, *jobs):
    """Rates of jobs that take turns, and their processor time a row; by median."""
    count = int((folder / "count").read_text())
    usages = {job: [] for job in jobs}
    for job in jobs:
        job(folder / "few")  # the workers start
    for _ in range(rounds):
        for job in jobs:
            with Usage() as usage:
                job(folder / "all")
            usages[job].append(usage)
    return [report(name if len(jobs) == 1 else f"{name}, {job.__name__}", count, usages[job]) for job in jobs]


def report(name, count, usages):
    rate = statistics.median(count / one.seconds for one in usages)
    processor = statistics.median(one.used / count for one in usages)
    memory = max(one.worker_bytes for one in usages)
    worker = f", {memory / 1e6:.0f} MB a Python worker" if memory else ""
    print(f"{name}: {rate:,.0f} rows a second, {processor * 1e6:.1f} µs of a processor each{worker}; "
          f"rounds {', '.join(f'{count / one.seconds:,.0f}' for one in usages)}", flush=True)
    return rate, processor


# MARK: - The comparisons

def compare_process(folder, rounds):
    spark = session("local[2]")

    def in_spark(trips):
        ranked(spark, trips)

    (rate, used), (other, other_used) = measure("ranking", folder, rounds, in_spark, in_one_process)
    print(f"Spark has {rate / other:.0%} of the rate of one process on two threads; by processor time {other_used / used:.0%}")
    spark.stop()


def compare_workers(folder, rounds):
    """Workers that are pinned: one must not compute in Python on a processor and in Java on the other."""
    rates = []
    for workers in (1, 2):
        logs = folder / f"workers-{workers}"
        logs.mkdir()
        with Cluster(logs, workers, pinned=True) as cluster:
            spark = session(cluster.url, spark_executor_cores="1", spark_cores_max=str(workers), spark_executor_memory="1g")

            def on_workers(trips):
                ranked(spark, trips)

            rates += measure(f"ranking, {workers} workers of a core", folder, rounds, on_workers)
            spark.stop()
    (one, one_used), (two, two_used) = rates
    print(f"two workers have {two / one:.2f} times the rate of one; by processor time {2 * one_used / two_used:.2f} times")


def compare_onnx(folder, rounds):
    spark = session("local[2]")

    def bridgecast_rows(part):
        forecast(spark, part)

    def onnxruntime_udf(part):
        onnx(spark, part, folder)

    (rate, used), (other, other_used) = measure("forecasts", folder, rounds, bridgecast_rows, onnxruntime_udf)
    print(f"forecasts have {rate / other:.1f} times the rate of the pandas UDF; by processor time {other_used / used:.1f} times")
    spark.stop()


COMPARISONS = {"process": compare_process, "workers": compare_workers, "onnx": compare_onnx}


def write(folder, trips, names):
    """Rows for the comparisons, all of them and a few."""
    for part, count in (("all", trips), ("few", BLOCK)):
        if {"process", "workers"} & set(names):
            write_trips(folder / part / "trips", count)
        if "onnx" in names:
            (folder / part).mkdir(exist_ok=True)
            write_inputs(folder, folder / part, count)
    (folder / "count").write_text(str(trips))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--trips", type=int, default=10_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--compare", nargs="+", choices=COMPARISONS, default=list(COMPARISONS))
    options = parser.parse_args()
    cpu = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "?")
    for name in options.compare:
        # A row of the network's inputs takes as much memory as many trips.
        count = options.trips // 5 if name == "onnx" else options.trips
        folder = options.folder / name
        folder.mkdir()
        (folder / "inputs").symlink_to(options.folder / "inputs")
        write(folder, count, [name])
        print(f"{cpu}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}; {count:,} rows", flush=True)
        COMPARISONS[name](folder, options.rounds)


if __name__ == "__main__":
    main()
