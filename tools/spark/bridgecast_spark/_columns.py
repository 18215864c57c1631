"""Arrow arrays as the columns that the library reads, and its results as Arrow arrays: no value passes through Python."""
from __future__ import annotations

import ctypes as c
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from bridgecast import _library

MODES = ("car", "bike", "walk")
_NO_BRIDGE = _NO_MODE = -1


def column(array: pa.Array) -> _library.Column:
    """An array of numbers where it is; it must outlive the call."""
    validity, values = array.buffers()
    has_nulls = validity is not None and array.null_count > 0
    return _library.Column(values.address if values is not None else None, validity.address if has_nulls else None,
                           array.offset)


def whole(array: pa.Array | pa.ChunkedArray) -> pa.Array:
    """One array: a column of a batch is one already."""
    return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array


def times(array: pa.Array) -> pa.Array:
    """Microseconds since 1970 of Spark's timestamps, which are that."""
    return array.cast(pa.timestamp("us", "UTC"), safe=False).view(pa.int64())


def doubles(array: pa.Array) -> pa.Array:
    return array.cast(pa.float64(), safe=False)


def bridges(array: pa.Array) -> pa.Array:
    """The city's ids of bridges that are ids or names; what is neither becomes an id that no bridge has."""
    if pa.types.is_int32(array.type):
        return array
    if pa.types.is_integer(array.type):
        return _mapped(array, pa.array([0, *_library.BRIDGES.values()], array.type), [0, *_library.BRIDGES.values()],
                       _NO_BRIDGE)
    return _mapped(array, pa.array(list(_library.BRIDGES), array.type), list(_library.BRIDGES.values()), _NO_BRIDGE)


def modes(array: pa.Array) -> pa.Array:
    return _mapped(array, pa.array(MODES, array.type), [_library.CAR, _library.BIKE, _library.WALK], _NO_MODE)


def _mapped(array: pa.Array, known: pa.Array, numbers: list[int], unknown: int) -> pa.Array:
    indices = pc.fill_null(pc.index_in(array, known), len(numbers))
    found = pa.array([*numbers, unknown], pa.int32()).take(indices)
    return found if array.null_count == 0 else pc.if_else(array.is_valid(), found, pa.scalar(None, pa.int32()))


def field(array: pa.StructArray, name: str) -> pa.Array | None:
    """A field of structs, null where the struct is; None if there is no such field."""
    index = array.type.get_field_index(name)
    if index < 0:
        return None
    return array.flatten()[index] if array.null_count else array.field(index)


class Lists:
    """A column of lists: where each begins, and all their elements."""

    def __init__(self, array: pa.ListArray) -> None:
        self.array, self.elements = array, array.values
        self.column = _library.Column(array.buffers()[1].address if len(array) else _NO_OFFSETS.ctypes.data,
                                      array.buffers()[0].address if array.null_count else None, array.offset)

    def like(self, elements: pa.Array) -> pa.ListArray:
        """Lists of the same lengths; null where these are."""
        if len(self.array) == 0:
            return pa.array([], pa.list_(elements.type))
        validity, offsets = self.array.buffers()[:2]
        return pa.Array.from_buffers(pa.list_(elements.type), len(self.array), [validity, offsets],
                                     offset=self.array.offset, children=[elements])


_NO_OFFSETS = np.zeros(1, np.int32)


class Results:
    """Arrays that the library fills: a status for each row, and numbers."""

    def __init__(self, rows: int, names: tuple[str, ...], count: int | None = None) -> None:
        count = rows if count is None else count
        self.status = np.empty(rows, np.int32)
        self.numbers = {name: np.empty(count, np.int32 if name == "rank" else np.float64) for name in names}

    def pointers(self) -> dict[str, Any]:
        return {"status": self.status.ctypes.data, **{name: one.ctypes.data for name, one in self.numbers.items()}}

    def arrays(self) -> dict[str, pa.Array]:
        return {name: pa.Array.from_buffers(pa.from_numpy_dtype(one.dtype), len(one), [None, pa.py_buffer(one)])
                for name, one in self.numbers.items()}


def sized(kind: type[c.Structure], **members: Any) -> c.Structure:
    """A struct with its size, as the library wants it."""
    return kind(size=c.sizeof(kind), **members)
