#!/usr/bin/env python3
"""Checks bridgecast_spark; tools/checks/spark runs it. A line for each thing that is wrong, exit code 1 if there is one."""
import argparse
import csv
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import threading
import time

import bridgecast
import bridgecast_spark
import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
from bridgecast_spark import _worker
from pyspark import TaskContext
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

import rows
from cluster import Cluster

ROOT = pathlib.Path(__file__).resolve().parents[4]
MODEL = str(ROOT / "models/bridgecast.int8.bcm")
FILES = [ROOT / f"training-data/openings-{years}.csv" for years in ("2015-2017", "2017-2018", "2025-2026")]
RECORDS = bridgecast_spark.Records.read(*FILES, coverage=ROOT / "training-data/coverage.json")
#: Of the job whose executor is killed.
PARTITIONS = 16
wrong = []


def expect(holds, text):
    print(("ok    " if holds else "FAIL  ") + text, flush=True)
    if not holds:
        wrong.append(text)


def session(master, **settings):
    builder = SparkSession.builder.master(master).appName("bridgecast check").config("spark.ui.enabled", "false")
    builder = builder.config("spark.sql.shuffle.partitions", "4").config("spark.driver.host", "127.0.0.1")
    builder = builder.config("spark.ui.showConsoleProgress", "false").config("spark.driver.memory", "2g")
    for name, value in settings.items():
        builder = builder.config(name.replace("_", "."), value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    return spark


def in_one_process(call, table, records=RECORDS):
    """The answers of the library to a table in one call."""
    with bridgecast.Model(MODEL) as model, model._lock:
        records.set_in(model, lambda path: path)
        columns = {name: table[name].combine_chunks() for name in table.column_names if name != "id"}
        return call(model, columns)


def same(found, expected):
    """Whether two arrays have the same bits."""
    if pa.types.is_list(found.type):
        found, expected = found.flatten(), expected.flatten()
    if pa.types.is_struct(found.type):
        return found.type.names == expected.type.names and all(map(same, found.flatten(), expected.flatten()))
    one, other = (np.asarray(array.to_numpy(zero_copy_only=False)) for array in (found, expected))
    return one.dtype == other.dtype and one.tobytes() == other.tobytes()


def sorted_answers(df):
    table = df.toArrow().sort_by("id")
    return {name: table[name].combine_chunks() for name in table.column_names}


def expect_same(df, expected, text):
    found = sorted_answers(df)
    expect(all(same(found[name], array) for name, array in expected.items()), text)


# MARK: - Numbers

def check_partitions(spark, tables, expected):
    for name, call, counts in (("trips", bridgecast_spark.rank, (1, 7, 64)), ("arrivals", bridgecast_spark.forecast, (1, 7))):
        for count in counts:
            df = spark.read.parquet(tables[name]).repartition(count)
            expect_same(call(df, RECORDS, model=MODEL), expected[name], f"{name} in {count} partitions have the numbers of one process")


def check_program(program, folder, table, expected):
    """What `bridgecast predict` prints of the candidates of trips that are ranked as they leave."""
    leaving = [row for row in range(len(table)) if table["departure"][row] == table["issue_time"][row]]
    for row in leaving[::max(1, len(leaving) // 5)]:
        trip = table.slice(row, 1).to_pylist()[0]
        printed = printed_figures(program, folder, trip)
        found = [[one[name] for name in _worker.FIGURES] for one in expected["trips"]["ranked"][row].as_py()]
        worst = np.abs(np.array(found) - printed).max()
        expect(worst <= 0.0501, f"trip {row} is ranked as the program prints it: to {worst:.2f}")


def printed_figures(program, folder, trip):
    file = folder / "routes.json"
    file.write_text(json.dumps({"routes": [
        {"id": f"{number}", "name": f"{number}", "origin": "a", "destination": "b", "mode": trip["mode"], "steps": list(steps(one))}
        for number, one in enumerate(trip["candidates"])]}))
    command = [program, "predict", "--routes", file, "--at", trip["departure"].strftime("%Y-%m-%dT%H:%M:%SZ"), "--format", "json"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, "XDG_DATA_HOME": str(folder)}).stdout
    routes = sorted(json.loads(printed)["groups"][0]["routes"], key=lambda one: int(one["id"]))
    return np.array([[one["rank"], *(one["travel_s"][name] for name in ("mean", "p50", "p80", "p90")), one["probability_stopped"],
                      one["expected_delay_s"]] for one in routes])


def steps(candidate):
    """A candidate as in a file of routes, in which a missing spread would be 15 %."""
    for step in candidate:
        spread = step["spread"] if step["spread"] is not None else (0.45 * step["minutes"]) ** 0.5
        yield {"minutes": step["minutes"], "spread": spread}
        if step["bridge"] is not None:
            yield {"bridge": str(step["bridge"])}


# MARK: - What was known

def check_leaks(spark, table):
    """Records that differ only after the issue time give the same answers, and those that differ before give others."""
    issued = rows.FIRST + 86_400 * 3
    at = pa.table({"id": np.arange(7), "bridge": rows.BRIDGES, "issue_time": rows.times([issued] * 7),
                   "arrival": rows.times([issued + 240] * 7)})
    df = spark.createDataFrame(at)
    openings = recorded_openings()
    versions = {"all": openings, "cut": [one for one in openings if one[1] <= issued], "earlier": openings[:-400]}
    versions["later"] = versions["cut"] + [(bridge, issued + 60, issued + 1_200) for bridge in rows.BRIDGES.tolist()]
    versions["under way"] = versions["cut"] + [(2, issued - 120, issued + 60)]
    versions["under way, longer"] = versions["cut"] + [(2, issued - 120, issued + 3_000)]
    answers = {name: sorted_answers(bridgecast_spark.forecast(df, of(one), model=MODEL))["expected_s"] for name, one in versions.items()}
    for name, other in (("cut", "all"), ("later", "all"), ("under way", "under way, longer")):
        expect(same(answers[name], answers[other]), f"records {name!r} give the answers of {other!r}")
    expect(not same(answers["under way"], answers["cut"]), "an opening under way counts")


def recorded_openings():
    """Openings of a file of the city in winter, when Seattle is eight hours from UTC."""
    zone = datetime.timezone(datetime.timedelta(hours=-8))
    with open(FILES[-1], newline="") as file:
        found = [(int(row["entityid"]), *(datetime.datetime.fromisoformat(row[name]).replace(tzinfo=zone).timestamp()
                                          for name in ("opendatetime", "closedatetime"))) for row in csv.DictReader(file)]
    return sorted((one for one in found if one[1] > rows.FIRST - 40 * 86_400), key=lambda one: one[1])


def of(openings):
    bridge, raised, lowered = zip(*openings)
    table = pa.table({"bridge": pa.array(bridge, pa.int32()), "raised": rows.times(np.array(raised, np.int64)),
                      "lowered": rows.times(np.array(lowered, np.int64))})
    start, end = (datetime.datetime.fromtimestamp(rows.FIRST + days * 86_400, datetime.timezone.utc) for days in (-40, 20))
    return bridgecast_spark.Records.of(table, complete=[(None, start, end)])


# MARK: - Costs

def check_costs(spark):
    """An opening of ten minutes, with a queue that takes as long again to dissolve, against sums by hand."""
    records = of([(2, rows.FIRST, rows.FIRST + 600)])
    start, end = (datetime.datetime.fromtimestamp(rows.FIRST + seconds, datetime.timezone.utc) for seconds in (-3_600, 7_200))
    hour = datetime.datetime.fromtimestamp(rows.FIRST, datetime.timezone(datetime.timedelta(hours=-8))).hour
    traffic = spark.createDataFrame([(2, one, 120.0, 0.5) for one in range(24)], "bridge int, hour int, vehicles double, rho double")
    costs = bridgecast_spark.opening_cost(spark, records, start, end, traffic=traffic, model=MODEL).collect()
    delays = [max(0, 600 - 0.5 * 60 * minute) for minute in range(60 - rows.FIRST // 60 % 60)]
    found = {row.hour: row for row in costs}[hour]
    expect(found.minutes_delayed == sum(delay > 0 for delay in delays) and abs(found.vehicle_minutes - 2 * sum(delays) / 60) < 1e-9,
           f"an opening costs {found.vehicle_minutes:.1f} vehicle minutes, as by hand")
    hours = sum(row.hours_recorded for row in costs)
    expect(sum(row.minutes_delayed for row in costs) == 20 and abs(hours - 3) < 1e-9, f"and nothing else does in {hours:.0f} hours")


def fortnight_costs(spark):
    """By bridge and hour, with vehicles whose sums are no whole numbers."""
    start, end = (datetime.datetime.fromtimestamp(rows.FIRST + days * 86_400, datetime.timezone.utc) for days in (0, 14))
    traffic = spark.createDataFrame([(bridge, hour, 1000 / 7 + hour) for bridge in rows.BRIDGES.tolist() for hour in range(24)],
                                    "bridge int, hour int, vehicles double")
    return sorted(map(tuple, bridgecast_spark.opening_cost(spark, RECORDS, start, end, traffic=traffic, model=MODEL).collect()))


def check_bad_traffic(spark):
    start, end = (datetime.datetime.fromtimestamp(rows.FIRST + seconds, datetime.timezone.utc) for seconds in (0, 3_600))
    good = {"bridge": 2, "hour": 8, "vehicles": 100.0, "rho": 0.5}
    bad = [{"bridge": 5}, {"hour": 24}, {"hour": None}, {"vehicles": float("nan")}, {"vehicles": -1.0}, {"rho": 1.0}]
    for change in bad:
        traffic = spark.createDataFrame([good, {**good, **change}], "bridge int, hour int, vehicles double, rho double")
        expect_refused(next(iter(change)), lambda: bridgecast_spark.opening_cost(spark, RECORDS, start, end, traffic=traffic, model=MODEL))
    expect_refused("rho", lambda: bridgecast_spark.opening_cost(spark, RECORDS, start, end, traffic=[0.5, 1.5], model=MODEL))


def expect_refused(name, call):
    """Before a job with all rows, and with the row."""
    try:
        call()
        expect(False, f"traffic with a bad {name} is refused")
    except ValueError as error:
        expect(re.search(rf"traffic has the row \{{.*\}}: {name} must be", str(error)), f"before the job: {error}")


# MARK: - Bad rows

def check_bad_arrivals(spark):
    start = datetime.datetime.fromtimestamp(rows.FIRST, datetime.timezone.utc)
    good = {"bridge": "Fremont", "issue_time": start, "arrival": start + datetime.timedelta(minutes=5), "rho": 0.5}
    bad = [(1, {"bridge": None}), (3, {"bridge": "Golden Gate"}), (1, {"arrival": None}), (4, {"arrival": start.replace(year=2025)}),
           (5, {"arrival": start.replace(year=2028)}), (2, {"issue_time": start.replace(year=1)}), (6, {"rho": float("nan")}),
           (6, {"rho": 1.0})]
    listed = [{**good, "id": number, **change} for number, change in enumerate([{}, *(change for _, change in bad), {"rho": None}])]
    kinds = "id int, bridge string, issue_time timestamp, arrival timestamp, rho double"
    found = bridgecast_spark.forecast(spark.createDataFrame(listed, kinds), RECORDS, model=MODEL).sort("id").collect()
    expect([row.problem for row in found] == [None, *(_worker.PROBLEMS[code] for code, _ in bad), None],
           f"{len(bad)} bad arrivals are set aside with their reasons")
    expect(all((row.problem is None) == (row.expected_s == row.expected_s) for row in found), "and only those have no number")


def check_bad_records(spark, df):
    """An opening that ends before it begins: the job is refused, with the opening."""
    try:
        bridgecast_spark.rank(df, of([(2, rows.FIRST, rows.FIRST + 60), (2, rows.FIRST, rows.FIRST - 60)]), model=MODEL).collect()
        expect(False, "a bad opening is refused")
    except Exception as error:  # of Spark, with the worker's text
        expect("opening 1: it ends before it begins" in str(error), "a bad opening is refused and named")


def check_bad_rows(spark, table):
    good = table.slice(0, 1).to_pylist()[0]
    bad = [(1, {**good, "issue_time": None}), (7, {**good, "mode": "horse"}), (1, {**good, "candidates": None}),
           (1, {**good, "candidates": []}), (2, {**good, "departure": good["departure"].replace(year=1960)}),
           (2, {**good, "departure": good["departure"].replace(year=2300)}), (3, with_step(good, bridge=5)),
           (1, with_step(good, minutes=None, bridge=None)), (1, {**good, "candidates": [None]}),
           (10, with_step(good, minutes=float("nan"))), (10, with_step(good, minutes=-1.0)), (10, with_step(good, minutes=1e300)),
           (10, with_step(good, spread=float("inf"))),
           (9, {**good, "candidates": [good["candidates"][0] * 60]})]
    listed = [{**one, "id": number} for number, one in enumerate([good, *(one for _, one in bad), good])]
    df = spark.createDataFrame(pa.Table.from_pylist(listed, table.schema))
    ranked = bridgecast_spark.rank(df, RECORDS, model=MODEL)
    answered, aside = bridgecast_spark.split(ranked)
    expect(sorted(row.id for row in answered.collect()) == [0, len(bad) + 1], "bad trips are set aside, and good ones answered")
    reasons = [row.problem for row in aside.sort("id").collect()]
    expect(reasons == [_worker.PROBLEMS[code] for code, _ in bad], f"{len(bad)} bad trips have their reasons")
    expect_million(spark, df)
    check_bad_records(spark, df)
    expect_strict(df)


def check_empty_lists(table):
    """A batch whose every trip lacks candidates, or has candidates without steps."""
    kind = table.schema.field("candidates").type
    for lists in ([None, None], [[], None], [[[]], [[], []]]):
        part = table.slice(0, 2).set_column(table.schema.get_field_index("candidates"), "candidates", pa.array(lists, kind))
        answers, status = in_one_process(_worker.rank, part)
        expect(status.tolist() == [1, 1] and len(answers["ranked"]) == 2, f"candidates {lists} are set aside")


def with_step(trip, **change):
    first, *others = trip["candidates"]
    return {**trip, "candidates": [[{**first[0], **change}, *first[1:]], *others]}


def expect_million(spark, df):
    short = F.slice(F.element_at("candidates", 1), 1, 1)
    million = df.where("id = 0").withColumn("candidates", F.array_repeat(short, 1_000_000))
    found = bridgecast_spark.rank(million.union(df.where("id = 0")), RECORDS, model=MODEL).select("problem").collect()
    expect(sorted(str(row.problem) for row in found) == ["None", "more than 1000 candidates"], "a million candidates are set aside")


def expect_strict(df):
    try:
        bridgecast_spark.rank(df, RECORDS, model=MODEL, strict=True).collect()
        expect(False, "strict refuses a bad row")
    except Exception as error:  # of Spark, with the worker's text
        # Which partition fails first is open.
        expect(re.search(r"the row \{'id': [1-9]\d?,.* is refused", str(error)), "strict refuses a bad row and names it")


def check_columns(spark, table):
    df = spark.createDataFrame(table.slice(0, 2))
    ntz = df.withColumn("departure", F.col("departure").cast("timestamp_ntz"))
    cases = [(df.drop("departure"), "'departure'"), (ntz, "'departure'"), (df.withColumn("mode", F.lit(1)), "'mode'"),
             (df.withColumn("problem", F.lit(1)), "'problem'"), (df.withColumn("candidates", F.lit("x")), "'candidates'"),
             (df.withColumn("candidates", F.array(F.array(F.struct(F.lit(1.0).alias("minutes"))))), "'bridge'")]
    for case, name in cases:
        try:
            bridgecast_spark.rank(case, RECORDS, model=MODEL)
            expect(False, f"{name} is refused before the job")
        except bridgecast_spark.ColumnError as error:
            expect(name in str(error), f"before the job: {error}")


# MARK: - A cluster

def check_cluster(folder, trips, expected, costs):
    """A job of which an executor is killed while it computes a partition: another one repeats that, and no other."""
    parts = folder / "parts"
    parts.mkdir()
    size = -(-len(trips) // PARTITIONS)
    for number in range(PARTITIONS):
        parquet.write_table(trips.slice(number * size, size), parts / f"{number:02}.parquet")
    with Cluster(folder, workers=2) as cluster:
        # A file costs as much as a partition may have, so that each is one.
        spark = session(cluster.url, spark_executor_memory="512m", spark_executor_cores="1", spark_cores_max="2",
                        spark_sql_files_openCostInBytes="1g", spark_sql_files_maxPartitionBytes="1g", spark_default_parallelism="9")
        killer = threading.Thread(target=kill_an_executor, args=(cluster, folder), daemon=True)
        killer.start()
        df = bridgecast_spark.rank(noted(spark.read.parquet(str(parts)), folder), RECORDS, model=MODEL)
        expect_same(df, expected, "two workers, one of them killed, have the numbers of one process")
        expect(fortnight_costs(spark) == costs, f"{len(costs)} sums of costs from nine partitions are those of this machine")
        spark.stop()
    partitions = [int(one.name.split("-")[1]) for one in attempts(folder)]
    expect(not killer.is_alive() and set(partitions) == set(range(PARTITIONS)) and len(partitions) == PARTITIONS + 1,
           f"of {len(set(partitions))} partitions {len(partitions) - len(set(partitions))} was begun again")


def noted(df, folder):
    """The rows, in tasks that take a while and leave a file for each attempt."""
    def note(batches):
        task = TaskContext.get()
        for batch in batches:
            (folder / f"attempt-{task.partitionId()}-{task.taskAttemptId()}-{os.getpid()}").touch()
            time.sleep(0.5)
            yield batch

    return df.mapInArrow(note, df.schema)


def attempts(folder):
    return sorted(folder.glob("attempt-*"), key=lambda one: one.stat().st_mtime)


def kill_an_executor(cluster, folder):
    """Kills the one that has begun with the fifth partition."""
    while len(found := attempts(folder)) < 5:
        time.sleep(0.02)
    cluster.kill_executor(int(found[-1].name.split("-")[-1]))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--program", required=True)
    parser.add_argument("--trips", type=int, default=2_000)
    options = parser.parse_args()
    data = {"trips": rows.trips(options.trips), "arrivals": rows.arrivals(10 * options.trips)}
    tables = {name: str(options.folder / f"{name}.parquet") for name in data}
    for name, table in data.items():
        parquet.write_table(table, tables[name])
    expected = {"trips": in_one_process(_worker.rank, data["trips"])[0], "arrivals": in_one_process(_worker.forecast, data["arrivals"])[0]}
    check_program(options.program, options.folder, data["trips"], expected)
    spark = session("local[*]")
    check_columns(spark, data["trips"])
    check_partitions(spark, tables, expected)
    check_leaks(spark, data["arrivals"])
    check_costs(spark)
    check_bad_traffic(spark)
    check_bad_arrivals(spark)
    check_bad_rows(spark, data["trips"])
    check_empty_lists(data["trips"])
    costs = fortnight_costs(spark)
    spark.stop()
    check_cluster(options.folder, data["trips"], expected["trips"], costs)
    print(f"{len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
