"""The calls on DataFrames: columns are checked before a job begins, and what workers need is sent out once."""
from __future__ import annotations

import hashlib
import importlib.util
import os
import pathlib
import sys
import tempfile
import weakref
import zipfile
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pyspark import SparkContext
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from . import _worker
from ._records import Records

_WHOLE = (T.ByteType, T.ShortType, T.IntegerType, T.LongType)
_NUMBERS = (*_WHOLE, T.FloatType, T.DoubleType, T.DecimalType)
_BRIDGE, _TIME, _NUMBER, _MODE = (*_WHOLE, T.StringType), (T.TimestampType,), _NUMBERS, (T.StringType,)
_REQUIREMENTS = {_BRIDGE: "the city's id or the name of a bridge", _TIME: "a timestamp (with a time zone, so no timestamp_ntz)",
                 _NUMBER: "a number", _MODE: "a text: car, bike or walk"}
#: Vehicles an hour: more than any street has.
_MAX_VEHICLES = 1_000_000
_TRAFFIC = {"bridge": "the city's id of a bridge", "hour": "0 to 23", "vehicles": f"0 to {_MAX_VEHICLES:,}",
            "rho": "in 0 ..< 1, or null"}


class ColumnError(ValueError):
    """A column is missing, has another type, or has a name that the results need."""


# MARK: - Calls

def forecast(df: DataFrame, records: Records, *, columns: Mapping[str, str] | None = None, strict: bool = False,
             model: str | None = None, library: str | None = None) -> DataFrame:
    """Adds the delay that was forecast for each row's arrival at a bridge, at the row's issue time.

    Args:
        df: ``bridge`` (id or name), ``issue_time``, ``arrival`` and, if it is there, ``rho``, the degree of saturation of the
            approach, 0 ..< 1; null takes that of the hour.
        records: What was known follows from these, up to each row's issue time.
        columns: Other names of these columns, such as ``{"arrival": "at"}``.
        strict: A row that cannot be answered ends the job; by default its ``problem`` says why.
        model: A model file; by default the one of the package ``bridgecast``.
        library: Its library; by default that of ``BRIDGECAST_LIBRARY``, else the one of the package.

    Returns:
        The rows with ``probability_delayed``, ``expected_s``, ``p50_s``, ``p80_s``, ``p95_s`` (NaN where there is a
        problem) and ``problem``, in the order and the partitions that they had.

    Raises:
        ColumnError: Before the job, with the column's name.
    """
    kinds = {"bridge": _BRIDGE, "issue_time": _TIME, "arrival": _TIME}
    found = _check(df, kinds, columns, optional={"rho": _NUMBER})
    results = [T.StructField(name, T.DoubleType()) for name in _worker.DELAYS]
    work = _worker.Work(_ship(df.sparkSession, records, model, library), found, _worker.forecast, strict=strict)
    return _mapped(df, work, results)


def rank(df: DataFrame, records: Records, *, columns: Mapping[str, str] | None = None, keep_candidates: bool = False,
         strict: bool = False, model: str | None = None, library: str | None = None) -> DataFrame:
    """Ranks the candidates of each trip with what was known at its issue time.

    Args:
        df: ``issue_time``, ``departure``, ``candidates`` and, if it is there, ``mode``: car (the default), bike or walk. The
            candidates are an array of arrays of steps, or an array of structs with the field ``steps`` and any others, which
            come back with the figures. A step is a struct of ``minutes`` and ``bridge`` (id or name) and, if it is there,
            ``spread``: so many minutes of travel, then the bridge, if it is not null.
        keep_candidates: Whether the column comes back too.

    The other arguments and errors are those of :func:`forecast`.

    Returns:
        The rows with ``ranked``, an array in the order of the candidates: ``rank`` (1 is the best, 0 without an answer),
        ``expected_s``, ``p50_s``, ``p80_s``, ``p90_s``, ``probability_stopped`` and ``expected_delay_s``; and ``problem``.
    """
    kinds = {"issue_time": _TIME, "departure": _TIME, "candidates": (T.ArrayType,)}
    found = _check(df, kinds, columns, optional={"mode": _MODE})
    kept = _check_candidates(df.schema[found["candidates"]])
    figures = [T.StructField(name, T.IntegerType() if name == "rank" else T.DoubleType()) for name in _worker.FIGURES]
    results = [T.StructField("ranked", T.ArrayType(T.StructType([*kept, *figures])))]
    dropped = () if keep_candidates else (found["candidates"],)
    work = _worker.Work(_ship(df.sparkSession, records, model, library), found, _worker.rank, dropped, strict)
    return _mapped(df, work, results)


def opening_cost(spark: SparkSession, records: Records, start: Any, end: Any, *,
                 traffic: DataFrame | Iterable[float] | None = None, step_seconds: int = 60,
                 model: str | None = None, library: str | None = None) -> DataFrame:
    """What openings cost those who arrived in a period, by the records: by bridge, hour of the day and traffic.

    Arrivals are taken every `step_seconds`; the delay of each is that of the queue (D/D/1) which an opening leaves.

    Args:
        start: A datetime with a time zone; the first arrival.
        end: The end of the period, which is not part of it.
        traffic: Degrees of saturation to compare, 0 ..< 1; or a DataFrame with ``bridge`` (id), ``hour`` (0 to 23 in Seattle),
            ``vehicles`` (an hour) and, if it is there, ``rho``. By default, and where ``rho`` is missing, that of the hour.

    Returns:
        By ``bridge``, ``hour`` and, where it was given, ``rho``: ``hours_recorded``, ``share_delayed``, ``mean_delay_s`` and
        ``minutes_delayed``, in which an arrival was delayed; with vehicles also ``vehicles`` and ``vehicle_minutes``, the
        minutes that all of them lost. The sums do not depend on partitions, bit for bit.

    Raises:
        ColumnError: Before the job, with the column's name.
        ValueError: Before the job, with the row of `traffic` that makes no sense.
    """
    if start.utcoffset() is None or end.utcoffset() is None:
        raise TypeError("give start and end a time zone, such as zoneinfo.ZoneInfo('America/Los_Angeles')")
    first, last = int(start.timestamp()), int(end.timestamp())
    grid = spark.range(first, last, step_seconds).select(F.timestamp_seconds("id").alias("arrival"))
    grid = grid.crossJoin(F.broadcast(spark.createDataFrame([(one,) for one in _bridge_ids()], "bridge int")))
    columns = {"arrival": "arrival", "bridge": "bridge"}
    if traffic is not None and not isinstance(traffic, DataFrame):
        grid = grid.crossJoin(F.broadcast(_check_traffic(spark.createDataFrame([(float(one),) for one in traffic], "rho double"))))
    elif traffic is not None:
        grid = _with_traffic(grid, traffic)
    if "rho" in grid.columns:
        columns["rho"] = "rho"
    work = _worker.Work(_ship(spark, records, model, library), columns, _worker.recorded_delay)
    delays = _mapped(grid, work, [T.StructField("delay_s", T.DoubleType()), T.StructField("hour", T.IntegerType())])
    return _summed(delays.where("problem is null"), step_seconds)


def split(df: DataFrame) -> tuple[DataFrame, DataFrame]:
    """The rows that were answered, without their column ``problem``, and those that were set aside, with it."""
    return df.where(F.col("problem").isNull()).drop("problem"), df.where(F.col("problem").isNotNull())


# MARK: - Costs

def _bridge_ids() -> list[int]:
    # Not above: a worker imports this module before it has the library, which `bridgecast` loads.
    from bridgecast import BRIDGES
    return list(BRIDGES.values())


def _with_traffic(grid: DataFrame, traffic: DataFrame) -> DataFrame:
    _check(traffic, {"bridge": _WHOLE, "hour": _WHOLE, "vehicles": _NUMBERS}, None, optional={"rho": _NUMBERS})
    names = [name for name in ("bridge", "hour", "vehicles", "rho") if name in traffic.columns]
    _check_traffic(traffic)
    zone = grid.sparkSession.conf.get("spark.sql.session.timeZone")
    hour = F.hour(F.convert_timezone(F.lit(zone), F.lit("America/Los_Angeles"), F.col("arrival").cast("timestamp_ntz")))
    joined = grid.withColumn("of", hour).join(
        F.broadcast(traffic.select(*names).withColumnRenamed("hour", "of")), ["bridge", "of"])
    return joined.drop("of")


def _check_traffic(traffic: DataFrame) -> DataFrame:
    """Refuses a row that the sums would leave out without a word. NaN is larger than any number."""
    wanted = {"bridge": F.col("bridge").isin(_bridge_ids()), "hour": F.col("hour").between(0, 23),
              "vehicles": F.col("vehicles").cast("double").between(0, _MAX_VEHICLES),
              "rho": F.col("rho").isNull() | (F.col("rho") >= 0) & (F.col("rho").cast("float") < 1)}
    for name in filter(traffic.columns.__contains__, wanted):
        bad = traffic.where(~F.coalesce(wanted[name], F.lit(False))).take(1)
        if bad:
            raise ValueError(f"traffic has the row {bad[0].asDict()}: {name} must be {_TRAFFIC[name]}")
    return traffic


def _exact_sum(column: Column) -> Column:
    """A sum of billionths, which is the same in any order of its terms; one of doubles is not."""
    return F.sum(column.cast("decimal(28, 9)")).cast("double")


def _summed(delays: DataFrame, step_seconds: int) -> DataFrame:
    groups = ["bridge", "hour", *(["rho"] if "rho" in delays.columns else [])]
    hours = step_seconds / 3600
    met = F.when(F.col("delay_s") > 0, 1).otherwise(0)
    sums: list[Column] = [
        (F.count("*") * hours).alias("hours_recorded"), F.avg(met).alias("share_delayed"),
        (_exact_sum(F.col("delay_s")) / F.count("*")).alias("mean_delay_s"), (F.sum(met) * hours * 60).alias("minutes_delayed")]
    if "vehicles" in delays.columns:
        vehicles = F.col("vehicles").cast("double")
        sums += [(_exact_sum(vehicles) * hours).alias("vehicles"),
                 (_exact_sum(vehicles * F.col("delay_s")) * hours / 60).alias("vehicle_minutes")]
    return delays.groupBy(*groups).agg(*sums)


# MARK: - Columns

def _check(df: DataFrame, kinds: dict[str, tuple[type, ...]], renamed: Mapping[str, str] | None,
           optional: dict[str, tuple[type, ...]]) -> dict[str, str]:
    """The names of the columns by what they are for."""
    renamed = dict(renamed or {})
    for role in renamed.keys() - kinds.keys() - optional.keys():
        raise ColumnError(f"there is no column for {role!r}; there are {', '.join([*kinds, *optional])}")
    found = {}
    for role, kind in {**kinds, **optional}.items():
        name = renamed.get(role, role)
        if name not in df.columns:
            if role in kinds or role in renamed:
                raise ColumnError(f"the column {name!r} is missing; there are {', '.join(df.columns)}")
            continue
        _check_type(f"the column {name!r}", df.schema[name].dataType, kind)
        found[role] = name
    return found


def _check_type(what: str, found: T.DataType, kind: tuple[type, ...]) -> None:
    if not isinstance(found, kind):
        raise ColumnError(f"{what} is {found.simpleString()}; it must be {_REQUIREMENTS.get(kind, kind[0].typeName())}")


def _check_candidates(column: T.StructField) -> list[T.StructField]:
    """The fields of a candidate that come back with its figures."""
    what = f"the column {column.name!r}"
    steps = column.dataType.elementType
    kept: list[T.StructField] = []
    if isinstance(steps, T.StructType):
        if "steps" not in steps.names:
            raise ColumnError(f"{what}: a candidate has no field 'steps'; it has {', '.join(steps.names)}")
        kept = [one for one in steps if one.name != "steps"]
        for one in kept:
            if one.name in _worker.FIGURES:
                raise ColumnError(f"{what}: a candidate has the field {one.name!r}, which the results need: rename it")
        steps = steps["steps"].dataType
    if not isinstance(steps, T.ArrayType) or not isinstance(steps.elementType, T.StructType):
        raise ColumnError(f"{what}: the steps of a candidate are {steps.simpleString()}; they must be an array of structs")
    step = steps.elementType
    for name, kind in {"minutes": _NUMBER, "bridge": _BRIDGE, "spread": _NUMBER}.items():
        if name in step.names:
            _check_type(f"{what}: the field {name!r} of a step", step[name].dataType, kind)
        elif name != "spread":
            raise ColumnError(f"{what}: a step has no field {name!r}; it has {', '.join(step.names)}")
    return kept


def _mapped(df: DataFrame, work: _worker.Work, results: list[T.StructField]) -> DataFrame:
    results = [*results, T.StructField("problem", T.StringType())]
    for one in results:
        if one.name in df.columns:
            raise ColumnError(f"the column {one.name!r} has a name that the results need: rename it")
    kept = [one for one in df.schema if one.name not in work.dropped]
    return df.mapInArrow(work.__call__, T.StructType([*kept, *results]))


# MARK: - What workers need

class _Sent:
    """What an application has sent: copies, which Spark reads while it runs, and their names."""

    def __init__(self) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="bridgecast-spark-")
        self.names: set[str] = set()

    @classmethod
    def by(cls, context: SparkContext) -> _Sent:
        if context not in _sent:
            _sent[context] = cls()
        return _sent[context]


_sent: weakref.WeakKeyDictionary[SparkContext, _Sent] = weakref.WeakKeyDictionary()


def _ship(spark: SparkSession, records: Records, model: str | None, library: str | None) -> _worker.Kit:
    """Sends files once in an application; Spark takes each to every executor."""
    try:
        context = spark.sparkContext
    except Exception as error:
        raise TypeError("a session of Spark Connect has no SparkContext, which takes files to executors: use a "
                        "classic session") from error
    package = _package("bridgecast")
    library = library or os.environ.get("BRIDGECAST_LIBRARY") or str(package / "lib/libbridgecast.so")
    names = {path: _send(context, path) for path in (
        library, model or str(package / "models/bridgecast.int8.bcm"), *records.files)}
    _send_code(context)
    table = context.broadcast(records) if records.arrays else None
    own = Records(files=records.files, key=records.key) if records.files else None
    return _worker.Kit(*list(names.values())[:2], records=own, table=table, names=names)


def _package(name: str) -> pathlib.Path:
    found = importlib.util.find_spec(name)
    if found is None or found.origin is None:
        raise ImportError(f"the package {name} is not installed")
    return pathlib.Path(found.origin).parent


def _send(context: SparkContext, path: str) -> str:
    """The name under which workers find a file; one that has changed is another file."""
    sent = _Sent.by(context)
    data = pathlib.Path(path).read_bytes()
    name = f"{hashlib.sha256(data).hexdigest()[:16]}-{os.path.basename(path)}"
    if name not in sent.names:
        copy = pathlib.Path(sent.folder.name) / name
        copy.write_bytes(data)
        context.addFile(str(copy))
        sent.names.add(name)
    return name


def _send_code(context: SparkContext) -> None:
    """Both packages without their files: executors need not have them installed."""
    sent = _Sent.by(context)
    archive = pathlib.Path(sent.folder.name) / "bridgecast_spark_code.zip"
    if archive.exists():
        return
    with zipfile.ZipFile(archive, "w") as file:
        for name in ("bridgecast", "bridgecast_spark"):
            for source in sorted(_package(name).glob("*.py")):
                file.write(source, f"{name}/{source.name}")
    before = list(sys.path)
    context.addPyFile(str(archive))
    # The driver has both packages with their files: it must not import those without.
    sys.path[:] = before
