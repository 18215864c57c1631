"""What runs in Spark's Python workers: the model is opened once in a process and kept; batches are answered whole."""
from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ._records import Records

#: By BRIDGECAST_ROW_… of bridgecast.h.
PROBLEMS = (
    None, "a value that is needed is null, or there are no candidates or no steps", "a time is not in 1970 to 2099",
    "no bridge has this id or name", "the arrival or departure is before the issue time",
    "the departure is more than 366 days after the issue time, or the arrival 370", "rho is not in 0 ..< 1",
    "the mode is none of car, bike and walk", "more than 1000 candidates",
    "a candidate has more than 100 stretches and crossings",
    "minutes or spread are not in 0...1440, or a candidate takes more than 1440 minutes",
    "the records do not cover the bridge at this time", "the model gave no number")

DELAYS = ("probability_delayed", "expected_s", "p50_s", "p80_s", "p95_s")
FIGURES = ("rank", "expected_s", "p50_s", "p80_s", "p90_s", "probability_stopped", "expected_delay_s")


@dataclasses.dataclass(frozen=True)
class Kit:
    """What a worker needs, by the names under which SparkFiles has the files."""
    library: str
    model: str
    records: Records | None = None
    #: Broadcast records of a table, which are not in `records`.
    table: Any = None
    names: dict[str, str] = dataclasses.field(default_factory=dict)

    def open(self) -> Any:
        """The model of this process, with its records set; its lock is the caller's to take."""
        records = self.records if self.table is None else self.table.value
        key = (self.library, self.model, records.key)
        if key not in _opened:
            # Other records or another model replace what was opened: workers are kept from job to job.
            for model in _opened.values():
                model.close()
            _opened.clear()
            _opened[key] = self._opened(records)
        return _opened[key]

    def _opened(self, records: Records) -> Any:
        if _loaded.setdefault("library", self.library) != self.library:
            raise RuntimeError("this Python worker has loaded another library of Bridgecast: begin a new Spark session")
        os.environ["BRIDGECAST_LIBRARY"] = _located(self.library)
        import bridgecast
        model = bridgecast.Model(_located(self.model))
        with model._lock:
            records.set_in(model, lambda path: _located(self.names[path]))
        return model


_opened: dict[tuple[str, str, str], Any] = {}
#: A process can load one library.
_loaded: dict[str, str] = {}


def _located(name: str) -> str:
    from pyspark import SparkFiles
    return name if os.path.isabs(name) else SparkFiles.get(name)


@dataclasses.dataclass(frozen=True)
class Work:
    """Answers batches: which columns are what, and what becomes of rows with a problem."""
    kit: Kit
    columns: dict[str, str]
    answer: Callable[[Any, dict[str, pa.Array]], tuple[dict[str, pa.Array], Any]]
    dropped: tuple[str, ...] = ()
    strict: bool = False

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        model = self.kit.open()
        for batch in batches:
            with model._lock:
                answers, status = self.answer(model, {role: batch.column(name) for role, name in self.columns.items()})
            problems = _problems(status)
            if self.strict:
                _refuse_first(batch, problems, self.dropped)
            kept = {name: batch.column(name) for name in batch.schema.names if name not in self.dropped}
            yield pa.RecordBatch.from_pydict({**kept, **answers, "problem": problems})


def _problems(status: Any) -> pa.Array:
    if not status.any():
        return pa.nulls(len(status), pa.string())
    return pa.array(PROBLEMS, pa.string()).take(pa.array(status))


def _refuse_first(batch: pa.RecordBatch, problems: pa.Array, dropped: tuple[str, ...]) -> None:
    if problems.null_count == len(problems):
        return
    row = pc.index(problems.is_valid(), True).as_py()
    values = {name: batch.column(name)[row].as_py() for name in batch.schema.names if name not in dropped}
    raise ValueError(f"the row {values} is refused: {problems[row]}")


# MARK: - The calls

def forecast(model: Any, rows: dict[str, pa.Array]) -> tuple[dict[str, pa.Array], Any]:
    from bridgecast import _library

    from ._columns import Results, bridges, column, doubles, sized, times
    inputs = {"bridge": bridges(rows["bridge"]), "issue_time": times(rows["issue_time"]), "arrival": times(rows["arrival"])}
    if "rho" in rows:
        inputs["rho"] = doubles(rows["rho"])
    results = Results(len(inputs["bridge"]), DELAYS)
    columns = {name: column(array) for name, array in inputs.items()}
    model._call("forecast_rows", sized(_library.Arrivals, count=len(results.status), **columns, **results.pointers()))
    return results.arrays(), results.status


def rank(model: Any, rows: dict[str, pa.Array]) -> tuple[dict[str, pa.Array], Any]:
    from bridgecast import _library

    from ._columns import Lists, Results, bridges, column, doubles, field, modes, sized, times
    candidates = Lists(rows["candidates"])
    kept: dict[str, pa.Array] = {}
    steps_of = candidates.elements
    if pa.types.is_struct(steps_of.type):
        kept = {one.name: field(steps_of, one.name) for one in steps_of.type if one.name != "steps"}
        steps_of = field(steps_of, "steps")
    steps = Lists(steps_of)
    inputs = {"issue_time": times(rows["issue_time"]), "departure": times(rows["departure"]),
              "minutes": doubles(field(steps.elements, "minutes")), "bridge": bridges(field(steps.elements, "bridge"))}
    spread = field(steps.elements, "spread")
    if spread is not None:
        inputs["spread"] = doubles(spread)
    if "mode" in rows:
        inputs["mode"] = modes(rows["mode"])
    results = Results(len(rows["issue_time"]), FIGURES, len(steps.array))
    columns = {name: column(array) for name, array in inputs.items()}
    model._call("rank_rows", sized(
        _library.Trips, count=len(results.status), candidate_count=len(steps.array), step_count=len(steps.elements),
        first_candidate=candidates.column, first_step=steps.column, **columns, **results.pointers()))
    figures = pa.StructArray.from_arrays([*kept.values(), *results.arrays().values()], [*kept, *results.numbers])
    return {"ranked": candidates.like(figures)}, results.status


def recorded_delay(model: Any, rows: dict[str, pa.Array]) -> tuple[dict[str, pa.Array], Any]:
    from bridgecast import _library

    from ._columns import Results, bridges, column, doubles, sized, times
    inputs = {"bridge": bridges(rows["bridge"]), "arrival": times(rows["arrival"])}
    if "rho" in rows:
        inputs["rho"] = doubles(rows["rho"])
    results = Results(len(inputs["bridge"]), ("delay_s",))
    columns = {name: column(array) for name, array in inputs.items()}
    model._call("delay_rows", sized(_library.RecordedArrivals, count=len(results.status), **columns, **results.pointers()))
    hours = pc.hour(rows["arrival"].cast(pa.timestamp("us", "America/Los_Angeles"), safe=False)).cast(pa.int32())
    return {**results.arrays(), "hour": hours}, results.status
