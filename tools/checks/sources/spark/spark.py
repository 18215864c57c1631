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
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

import rows
from cluster import Cluster

ROOT = pathlib.Path(__file__).resolve().parents[4]
MODEL = str(ROOT / "models/bridgecast.int8.bcm")
FILES = [ROOT / f"training-data/openings-{years}.csv" for years in ("2015-2017", "2017-2018", "2025-2026")]
RECORDS = bridgecast_spark.Records.read(*FILES, coverage=ROOT / "training-data/coverage.json")
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
    for name, call in (("trips", bridgecast_spark.rank), ("arrivals", bridgecast_spark.forecast)):
        for count in (1, 7, 64):
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


# MARK: - Bad rows

def check_bad_rows(spark, table):
    good = table.slice(0, 1).to_pylist()[0]
    bad = [(1, {**good, "issue_time": None}), (7, {**good, "mode": "horse"}), (1, {**good, "candidates": None}),
           (1, {**good, "candidates": []}), (2, {**good, "departure": good["departure"].replace(year=1960)}),
           (2, {**good, "departure": good["departure"].replace(year=2300)}), (3, with_step(good, bridge=5)),
           (10, with_step(good, minutes=float("nan"))), (10, with_step(good, minutes=-1.0)),
           (9, {**good, "candidates": [good["candidates"][0] * 60]})]
    listed = [{**one, "id": number} for number, one in enumerate([good, *(one for _, one in bad), good])]
    df = spark.createDataFrame(pa.Table.from_pylist(listed, table.schema))
    ranked = bridgecast_spark.rank(df, RECORDS, model=MODEL)
    answered, aside = bridgecast_spark.split(ranked)
    expect(sorted(row.id for row in answered.collect()) == [0, len(bad) + 1], "bad trips are set aside, and good ones answered")
    reasons = [row.problem for row in aside.sort("id").collect()]
    expect(reasons == [_worker.PROBLEMS[code] for code, _ in bad], f"{len(bad)} bad trips have their reasons")
    expect_million(spark, df)
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
        expect(re.search(r"the row \{'id': ([1-9]|10),.* is refused", str(error)), "strict refuses a bad row and names it")


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

def check_cluster(folder, tables, expected):
    with Cluster(folder, workers=2) as cluster:
        spark = session(cluster.url, spark_executor_memory="512m", spark_executor_cores="1", spark_cores_max="2")
        df = spark.read.parquet(tables["trips"]).repartition(24)
        killed = []
        threading.Thread(target=kill_when_running, args=(spark, cluster, killed), daemon=True).start()
        expect_same(bridgecast_spark.rank(df, RECORDS, model=MODEL), expected["trips"], "two workers have the numbers of one process")
        expect(len(killed) == 1, f"one executor was killed during the job, after {killed[0] if killed else 'no'} tasks")
        spark.stop()


def kill_when_running(spark, cluster, killed):
    """Kills an executor when some tasks of the ranking are done and others are not."""
    tracker = spark.sparkContext.statusTracker()
    while not killed:
        for stage in map(tracker.getStageInfo, tracker.getActiveStageIds()):
            if stage and stage.numTasks == 24 and 3 <= stage.numCompletedTasks < 20 and len(cluster.executors()) == 2:
                cluster.kill_executor()
                killed.append(stage.numCompletedTasks)
                return
        time.sleep(0.02)


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
    spark = session("local[2]")
    check_columns(spark, data["trips"])
    check_partitions(spark, tables, expected)
    check_leaks(spark, data["arrivals"])
    check_costs(spark)
    check_bad_rows(spark, data["trips"])
    check_empty_lists(data["trips"])
    spark.stop()
    check_cluster(options.folder, tables, expected)
    print(f"{len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
