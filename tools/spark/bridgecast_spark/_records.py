"""Records of openings: files of the city, or a table of the caller's, and when they are complete."""
from __future__ import annotations

import ctypes as c
import dataclasses
import datetime
import hashlib
import os
import pathlib
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

Period = tuple["int | str | None", datetime.datetime, datetime.datetime]


@dataclasses.dataclass(frozen=True)
class Records:
    """Records of openings and the periods in which they are complete; :meth:`read` and :meth:`of` make them."""
    #: Paths of files, the last of them that of the periods; none for a table.
    files: tuple[str, ...] = ()
    #: Bridges, raised and lowered of openings, and bridges, starts and ends of periods; none for files.
    arrays: tuple[np.ndarray, ...] = ()
    #: Distinguishes records from others.
    key: str = ""

    @classmethod
    def read(cls, *files: str | os.PathLike[str], coverage: str | os.PathLike[str]) -> Records:
        """Records in files of the city, CSV or JSON, and a file of periods such as training-data/coverage.json."""
        paths = tuple(os.path.abspath(os.fspath(one)) for one in (*files, coverage))
        if len(paths) < 2:
            raise ValueError("no files of records were named")
        digest = hashlib.sha256()
        for path in paths:
            digest.update(pathlib.Path(path).read_bytes())
        return cls(files=paths, key=digest.hexdigest()[:16])

    @classmethod
    def of(cls, openings: Any, complete: Iterable[Period]) -> Records:
        """Records in a table with the columns ``bridge``, ``raised`` and ``lowered``.

        Args:
            openings: A DataFrame of Spark, which is collected, or of pandas, or an Arrow table. Bridges are ids or names;
                ``lowered`` is null where the end was not recorded.
            complete: Bridge (None for all), start and end of each period in which no record means no opening. Outside
                them nothing is known of the bridge. They must not be derived from later openings.
        """
        arrays = (*_openings(openings), *_periods(complete))
        digest = hashlib.sha256()
        for array in arrays:
            digest.update(array.tobytes() + b"|")
        return cls(arrays=arrays, key=digest.hexdigest()[:16])

    def set_in(self, model: Any, locate: Callable[[str], str]) -> None:
        """Gives them to a model, while no other thread has it."""
        if self.files:
            paths = [locate(path).encode() for path in self.files]
            model._call("read_records", (c.c_char_p * (len(paths) - 1))(*paths[:-1]), len(paths) - 1, paths[-1])
            return
        pointers = [one.ctypes.data_as(c.POINTER(c.c_int32 if one.dtype == np.int32 else c.c_double)) for one in self.arrays]
        model._call("set_records", len(self.arrays[0]), *pointers[:3], len(self.arrays[3]), *pointers[3:])


def _openings(openings: Any) -> tuple[np.ndarray, ...]:
    import pyarrow as pa

    from ._columns import bridges, times, whole
    if hasattr(openings, "toArrow"):
        openings = openings.toArrow()
    elif not isinstance(openings, pa.Table):
        openings = pa.Table.from_pandas(openings, preserve_index=False)
    for name in ("bridge", "raised", "lowered"):
        if name not in openings.column_names:
            raise ValueError(f"the openings have no column {name}")
    at = bridges(whole(openings["bridge"])).fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int32)
    return (at, *(_seconds(times(whole(openings[name]))) for name in ("raised", "lowered")))


def _seconds(microseconds: Any) -> np.ndarray:
    values = microseconds.to_numpy(zero_copy_only=False)
    return np.ascontiguousarray(values.astype(np.float64) / 1e6)


def _periods(complete: Iterable[Period]) -> tuple[np.ndarray, ...]:
    from bridgecast import BRIDGES
    periods = list(complete)
    for _, start, end in periods:
        if start.utcoffset() is None or end.utcoffset() is None:
            raise TypeError(f"{start} to {end}: give both a time zone, such as zoneinfo.ZoneInfo('America/Los_Angeles')")
    return (np.array([BRIDGES.get(one, one) if one is not None else 0 for one, _, _ in periods], np.int32),
            np.array([start.timestamp() for _, start, _ in periods], np.float64),
            np.array([end.timestamp() for _, _, end in periods], np.float64))
