"""The C interface of Bridgecast through ctypes: structures and functions as bridgecast.h declares them."""
from __future__ import annotations

import ctypes as c
import pathlib

ABI = 1
USAGE, DATA, MISSING = 64, 65, 66
NAME_BYTES, MAX_CROSSINGS = 128, 8
CAR, BIKE, WALK = range(3)
UNKNOWN, LOWERED, RAISED = range(3)
# The city's numbers of the bridges, by name.
BRIDGES = {"1st Ave South": 1, "Ballard": 2, "Fremont": 3, "Montlake": 4, "Lower Spokane St": 6, "University": 21,
           "South Park": 29}
DOUBLES = c.POINTER(c.c_double)


class Delay(c.Structure):
    _fields_ = [("size", c.c_size_t), ("probability_delayed", c.c_double), ("expected_s", c.c_double),
                ("p50_s", c.c_double), ("p80_s", c.c_double), ("p95_s", c.c_double)]


class Crossing(c.Structure):
    _fields_ = [("bridge", c.c_int32), ("arrival", c.c_double), ("probability_delayed", c.c_double),
                ("expected_delay_s", c.c_double)]


class Route(c.Structure):
    _fields_ = [("size", c.c_size_t), ("name", c.c_char * NAME_BYTES), ("expected_s", c.c_double),
                ("p50_s", c.c_double), ("p80_s", c.c_double), ("p90_s", c.c_double), ("p95_s", c.c_double),
                ("probability_stopped", c.c_double), ("probability_on_time", c.c_double),
                ("expected_delay_s", c.c_double), ("score", c.c_double), ("crossing_count", c.c_int32),
                ("crossings", Crossing * MAX_CROSSINGS)]


class Column(c.Structure):
    """A column of rows as Arrow lays it out; bridgecast_column."""
    _fields_ = [("values", c.c_void_p), ("validity", c.c_void_p), ("offset", c.c_int64)]


def _columns(*names: str) -> list[tuple[str, type]]:
    return [(name, Column) for name in names]


def _results(*names: str) -> list[tuple[str, type]]:
    return [(name, c.c_void_p) for name in names]


class Arrivals(c.Structure):
    _fields_ = [("size", c.c_size_t), ("count", c.c_size_t), *_columns("bridge", "issue_time", "arrival", "rho"),
                *_results("status", "probability_delayed", "expected_s", "p50_s", "p80_s", "p95_s")]


class Trips(c.Structure):
    _fields_ = [("size", c.c_size_t), ("count", c.c_size_t), ("candidate_count", c.c_size_t), ("step_count", c.c_size_t),
                *_columns("issue_time", "departure", "mode", "first_candidate", "first_step", "minutes", "spread", "bridge"),
                *_results("status", "rank", "expected_s", "p50_s", "p80_s", "p90_s", "probability_stopped",
                          "expected_delay_s")]


class RecordedArrivals(c.Structure):
    _fields_ = [("size", c.c_size_t), ("count", c.c_size_t), *_columns("bridge", "arrival", "rho"),
                *_results("status", "delay_s")]


INT32S = c.POINTER(c.c_int32)
FUNCTIONS = {
    "abi": (c.c_int32, []),
    "version": (c.c_char_p, []),
    "open": (c.c_void_p, [c.c_char_p, c.POINTER(c.c_int32), c.c_char_p, c.c_size_t]),
    "close": (None, [c.c_void_p]),
    "error": (c.c_char_p, [c.c_void_p]),
    "set_time": (c.c_int32, [c.c_void_p, c.c_double]),
    "set_state": (c.c_int32, [c.c_void_p, c.c_int32, c.c_int32, c.c_double]),
    "add_opening": (c.c_int32, [c.c_void_p, c.c_int32, c.c_double, c.c_double, c.c_double]),
    "forecast": (c.c_int32, [c.c_void_p, c.c_int32, c.c_double, c.c_double, c.POINTER(Delay)]),
    "forecast_many": (c.c_int32, [c.c_void_p, c.c_size_t, c.POINTER(c.c_int32), DOUBLES, DOUBLES, *[DOUBLES] * 5]),
    "set_roads": (c.c_int32, [c.c_void_p, c.c_char_p]),
    "plan": (c.c_int32, [c.c_void_p, c.c_char_p, c.c_char_p, c.c_int32, c.c_double, c.c_double, c.POINTER(Route),
                         c.c_size_t, c.POINTER(c.c_size_t)]),
    "set_records": (c.c_int32, [c.c_void_p, c.c_size_t, INT32S, DOUBLES, DOUBLES, c.c_size_t, INT32S, DOUBLES, DOUBLES]),
    "read_records": (c.c_int32, [c.c_void_p, c.POINTER(c.c_char_p), c.c_size_t, c.c_char_p]),
    "forecast_rows": (c.c_int32, [c.c_void_p, c.POINTER(Arrivals)]),
    "rank_rows": (c.c_int32, [c.c_void_p, c.POINTER(Trips)]),
    "delay_rows": (c.c_int32, [c.c_void_p, c.POINTER(RecordedArrivals)]),
}


def load(path: str | pathlib.Path) -> c.CDLL:
    """Loads the library and declares its functions; OSError if it is not one of this interface."""
    library = c.CDLL(str(path))
    for name, (result, arguments) in FUNCTIONS.items():
        function = getattr(library, "bridgecast_" + name)
        function.restype, function.argtypes = result, arguments
    if library.bridgecast_abi() != ABI:
        raise OSError(f"{path} has interface {library.bridgecast_abi()}, this package needs {ABI}")
    return library
