"""What openings cost in 2025 by the shipped records, and trips of a day ranked as they could have been then.

    tools/spark/install && .build/spark/bin/python tools/spark/shipped_records.py [--days N]

--days takes so many days of 2025, by default the year.
On a cluster: spark-submit --master URL tools/spark/shipped_records.py
"""
import argparse
import datetime
import os
import pathlib
import sys
import zoneinfo

import bridgecast
import bridgecast_spark
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

DATA = pathlib.Path(__file__).resolve().parents[2] / "training-data"
SEATTLE = zoneinfo.ZoneInfo("America/Los_Angeles")


def costs(spark, records, days):
    """Minutes that a street with 1,000 vehicles an hour lost in the first days of 2025, by bridge."""
    traffic = spark.createDataFrame(
        [(bridge, hour, 1000.0) for bridge in bridgecast.BRIDGES.values() for hour in range(24)],
        "bridge int, hour int, vehicles double")
    start = datetime.datetime(2025, 1, 1, tzinfo=SEATTLE)
    # In Seattle's time a day is one on the calendar, even if it has 23 or 25 hours.
    end = start + datetime.timedelta(days=days)
    by_hour = bridgecast_spark.opening_cost(spark, records, start, end, traffic=traffic)
    return by_hour.groupBy("bridge").agg(
        F.round(F.sum("hours_recorded")).alias("hours_recorded"), F.round(F.sum("minutes_delayed")).alias("minutes_delayed"),
        F.round(F.sum("vehicle_minutes")).alias("vehicle_minutes")).orderBy(F.desc("vehicle_minutes"))


def trips(spark):
    """A trip every five minutes of a day, over Fremont Bridge or round it."""
    def step(minutes, bridge):
        return F.struct(F.lit(minutes).alias("minutes"), F.lit(bridge).cast("string").alias("bridge"))

    def candidate(name, *steps):
        return F.struct(F.lit(name).alias("name"), F.array(*steps).alias("steps"))

    start = int(datetime.datetime(2026, 2, 20, tzinfo=SEATTLE).timestamp())
    leaving = F.timestamp_seconds("id")
    return spark.range(start, start + 86_400, 300).select(
        leaving.alias("issue_time"), leaving.alias("departure"),
        F.array(candidate("Fremont Bridge", step(6.0, "Fremont"), step(9.0, None)),
                candidate("Aurora Bridge", step(16.5, None))).alias("candidates"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--days", type=int, choices=range(1, 366), default=365, metavar="N")
    options = parser.parse_args()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    spark = SparkSession.builder.appName("Bridgecast").getOrCreate()
    records = bridgecast_spark.Records.read(*sorted(DATA.glob("openings-*.csv")), coverage=DATA / "coverage.json")
    costs(spark, records, options.days).show()
    answered, set_aside = bridgecast_spark.split(bridgecast_spark.rank(trips(spark), records))
    best = F.filter("ranked", lambda one: one.rank == 1)[0]
    answered.groupBy(best["name"].alias("best")).agg(
        F.count("*").alias("trips"), F.round(F.avg(best["expected_s"]), 1).alias("expected_s")).orderBy("best").show()
    print(f"{set_aside.count()} trips set aside")


if __name__ == "__main__":
    main()
