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
        self.worker_bytes, self.ended = 0, threading.Event()

    def __enter__(self):
        self.began, self.used = time.perf_counter(), processor_seconds()
        self.watcher = threading.Thread(target=self._watch, daemon=True)
        self.watcher.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.watcher.join()
        self.seconds, self.used = time.perf_counter() - self.began, processor_seconds() - self.used

    def _watch(self):
        while not self.ended.wait(0.5):
            self.worker_bytes = max([self.worker_bytes, *map(resident, filter(is_worker, descendants()))])


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


def processor_seconds():
    """Of processes that run, and of those that they have waited for."""
    return sum(sum(map(int, found[11:15])) for pid in descendants() if (found := fields(pid))) / TICKS


def is_worker(pid):
    return b"pyspark.daemon" in read(pid, "cmdline") and fields(pid)[1:2] and b"pyspark.daemon" in read(int(fields(pid)[1]), "cmdline")


def resident(pid):
    found = read(pid, "statm").split()
    return int(found[1]) * os.sysconf("SC_PAGE_SIZE") if found else 0


# MARK: - Data

def write_trips(folder, count):
    """Trips in the order of their issue times, twenty a minute; candidates repeat from file to file."""
    folder.mkdir()
    block = rows.candidates(BLOCK, np.random.default_rng(3))
    for number in range(-(-count // BLOCK)):
        length = min(BLOCK, count - number * BLOCK)
        issued = 1_736_000_000 + 60 * (np.arange(number * BLOCK, number * BLOCK + length) // 20)
        table = pa.table({"id": np.arange(length) + number * BLOCK, "issue_time": rows.times(issued),
                          "departure": rows.times(issued + 300), "candidates": block.slice(0, length)})
        parquet.write_table(table, folder / f"{number:05}.parquet")


def write_inputs(folder, count):
    """Rows of the network's inputs, and as many arrivals for which Bridgecast computes them itself."""
    inputs, prior = (np.load(folder / f"inputs/{name}.npy") for name in ("features", "prior_logits"))
    chosen = np.arange(count) % len(inputs)
    table = pa.table({"features": rows.lists(pa.array(inputs[chosen].ravel()), inputs.shape[1]),
                      "prior": rows.lists(pa.array(prior[chosen].ravel()), prior.shape[1])})
    parquet.write_table(table, folder / "inputs.parquet", row_group_size=BLOCK // 2)
    arrivals = rows.arrivals(count).sort_by("issue_time")
    parquet.write_table(arrivals, folder / "arrivals.parquet", row_group_size=BLOCK // 2)


# MARK: - What is measured

def in_one_process(folder):
    """Two threads, each with a model, rank the files by turns."""
    files, lock = iter(sorted(folder.iterdir())), threading.Lock()

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
    df = bridgecast_spark.rank(spark.read.parquet(str(folder)), RECORDS, model=MODEL)
    df.write.format("noop").mode("overwrite").save()


def forecast(spark, folder):
    df = bridgecast_spark.forecast(spark.read.parquet(str(folder / "arrivals.parquet")), RECORDS, model=MODEL)
    df.write.format("noop").mode("overwrite").save()


def onnx(spark, folder):
    """The network alone, as a pandas UDF has it: inputs come as columns, chances go back."""
    import pandas as pd
    path = str(folder / "network.onnx")

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


def measure(name, count, rounds, *jobs):
    """Rates of jobs that take turns, and their processor time a row; by median."""
    usages = {job: [] for job in jobs}
    for job in jobs:
        job()  # the workers start, and files come into memory
    for _ in range(rounds):
        for job in jobs:
            with Usage() as usage:
                job()
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

def compare_with_one_process(folder, count, rounds):
    spark = session("local[2]")

    def in_spark():
        ranked(spark, folder)

    def in_a_process():
        in_one_process(folder)

    (rate, used), (other, other_used) = measure("ranking", count, rounds, in_spark, in_a_process)
    print(f"Spark has {rate / other:.0%} of the rate of one process on two threads; by processor time {other_used / used:.0%}")
    spark.stop()


def compare_workers(folder, logs, count, rounds):
    rates = []
    for workers in (1, 2):
        (logs / f"{workers}").mkdir()
        with Cluster(logs / f"{workers}", workers) as cluster:
            spark = session(cluster.url, spark_executor_cores="1", spark_cores_max=str(workers), spark_executor_memory="1g")

            def on_workers():
                ranked(spark, folder)

            rates += measure(f"ranking, {workers} workers of a core", count, rounds, on_workers)
            spark.stop()
    print(f"two workers have {rates[1][0] / rates[0][0]:.2f} times the rate of one")


def compare_with_onnx(folder, count, rounds):
    write_inputs(folder, count)
    spark = session("local[2]")

    def bridgecast_rows():
        forecast(spark, folder)

    def onnxruntime_udf():
        onnx(spark, folder)

    (rate, used), (other, other_used) = measure("forecasts", count, rounds, bridgecast_rows, onnxruntime_udf)
    print(f"forecasts have {rate / other:.1f} times the rate of the pandas UDF; by processor time {other_used / used:.1f} times")
    spark.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--trips", type=int, default=10_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    cpu = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "?")
    print(f"{cpu}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}; {options.trips:,} trips of {rows.CANDIDATES} candidates")
    trips = options.folder / "trips"
    write_trips(trips, options.trips)
    compare_with_one_process(trips, options.trips, options.rounds)
    compare_workers(trips, options.folder, options.trips, options.rounds)
    compare_with_onnx(options.folder, max(BLOCK, options.trips // 5), options.rounds)
    print(f"load at the end {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
