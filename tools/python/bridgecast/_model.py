"""Models, situations and what they answer: numpy arrays and small immutable objects."""
from __future__ import annotations

import ctypes as c
import datetime
import functools
import os
import pathlib
import threading
import types
import weakref
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _library

Time = Union[float, int, datetime.datetime, np.datetime64]

#: The city's numbers of the bridges, by name.
BRIDGES: Mapping[str, int] = _library.BRIDGES
_NAMES = {number: name for name, number in BRIDGES.items()}
_MODES = {"car": _library.CAR, "bike": _library.BIKE, "walk": _library.WALK}
_NUMBERS = range(-2**31, 2**31)
_FOLDER = pathlib.Path(__file__).resolve().parent
_FIRST_ROUTES = 8


class BridgecastError(Exception):
    """What is wrong, in the library's words."""


class Refused(BridgecastError, ValueError):
    """An argument makes no sense: an unknown place, an arrival before the issue time."""


class InvalidModel(BridgecastError, ValueError):
    """The file is no model, or no road network."""


@dataclass(frozen=True)
class Lowered:
    """A bridge that is down."""


@dataclass(frozen=True)
class Raised:
    """A bridge that is up; since when, or None if that is not known."""
    since: Time | None = None


LOWERED = Lowered()


@dataclass(frozen=True)
class Opening:
    """A recent opening that is over, and since when every opening of the bridge is known."""
    bridge: str | int
    raised: Time
    lowered: Time
    observed_since: Time | None = None


@dataclass(frozen=True, eq=False)
class Delays:
    """Delays of arrivals, in arrays of one shape: probability 0 to 1, and seconds."""
    probability_delayed: NDArray[np.float64]
    expected_s: NDArray[np.float64]
    p50_s: NDArray[np.float64]
    p80_s: NDArray[np.float64]
    p95_s: NDArray[np.float64]


@dataclass(frozen=True)
class Crossing:
    """A drawbridge on a route: the arrival in seconds since 1970, and the delay there."""
    bridge: str
    arrival: float
    probability_delayed: float
    expected_delay_s: float


@dataclass(frozen=True)
class Route:
    """A route with its figures; the smaller the score, the better."""
    name: str
    expected_s: float
    p50_s: float
    p80_s: float
    p90_s: float
    p95_s: float
    probability_stopped: float
    probability_on_time: float
    expected_delay_s: float
    score: float
    crossings: tuple[Crossing, ...]


def seconds(time: Time) -> float:
    """Seconds since 1970 of a number, an aware datetime or a numpy datetime64 (which is UTC)."""
    if isinstance(time, datetime.datetime):
        if time.utcoffset() is None:
            raise TypeError(f"{time} has no time zone: give it one, such as zoneinfo.ZoneInfo('America/Los_Angeles')")
        return time.timestamp()
    array = _seconds(time)
    if array.shape != ():
        raise TypeError(f"one time is needed here, not an array of shape {array.shape}")
    return float(array)


def _seconds(times: Any) -> NDArray[np.float64]:
    array = np.asarray(times)
    if array.dtype == object:
        # An object that numpy makes no number of would come back here.
        if not all(isinstance(one, (int, float, np.generic, datetime.datetime)) for one in array.flat):
            raise TypeError("times must be numbers, datetimes or datetime64")
        return np.array([seconds(one) for one in array.flat], np.float64).reshape(array.shape)
    if np.issubdtype(array.dtype, np.datetime64):
        if np.isnat(array).any():
            raise Refused("a time is NaT")
        return np.asarray((array - np.datetime64(0, "s")) / np.timedelta64(1, "s"), np.float64)
    if array.dtype.kind not in "iuf":
        raise TypeError(f"times must be numbers, datetimes or datetime64, not {array.dtype}")
    return array.astype(np.float64)


def _bridge(bridge: str | int) -> int:
    if isinstance(bridge, str):
        if bridge not in BRIDGES:
            raise Refused(f"there is no bridge {bridge!r}; there are {', '.join(BRIDGES)}")
        return BRIDGES[bridge]
    if isinstance(bridge, (bool, np.bool_)) or not isinstance(bridge, (int, np.integer)):
        raise TypeError(f"a bridge is a name or a number, not {bridge!r}")
    if bridge not in _NUMBERS:
        raise Refused(f"there is no bridge {bridge}; there are {', '.join(BRIDGES)}")
    return int(bridge)


def _bridges(bridges: Any) -> NDArray[np.int32]:
    array = np.asarray(bridges)
    if array.size == 0:
        return np.empty(array.shape, np.int32)
    if array.dtype == object:
        return np.array([_bridge(one) for one in array.flat], np.int32).reshape(array.shape)
    if array.dtype.kind not in "iuU":
        raise TypeError(f"bridges are names or numbers, not {array.dtype}")
    # Few bridges, in arrays that may be long.
    found, places = np.unique(array, return_inverse=True)
    return np.array([_bridge(one) for one in found.tolist()], np.int32)[places].reshape(array.shape)


def _saturations(rho: ArrayLike) -> NDArray[np.float64]:
    array = np.asarray(rho)
    if array.dtype.kind not in "iuf":
        raise TypeError(f"degrees of saturation are numbers, not {array.dtype}")
    if not (array >= 0).all():
        raise Refused("rho: a degree of saturation is below 0 or not a number")
    return array.astype(np.float64)


def _past(time: Time | None, name: str) -> float:
    """As the library takes a time that may be unknown: 0, which is no time that anyone means, stands for that."""
    if time is None:
        return 0.0
    value = seconds(time)
    if value == 0:
        raise Refused(f"{name} is the first second of 1970: leave out what is unknown")
    return value


def _text(text: str | os.PathLike[str], name: str) -> bytes:
    """As C takes text, which ends at the first zero."""
    encoded = os.fspath(text).encode("utf-8", "surrogateescape")
    if b"\0" in encoded:
        raise Refused(f"{name} has a zero character")
    return encoded


@functools.cache
def _loaded() -> c.CDLL:
    # OpenBLAS, inside the library, starts a thread for each core when it is loaded, and the engine needs none of them.
    # The variable is put back, for other libraries read it, too.
    before = os.environ.get("OPENBLAS_NUM_THREADS")
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    try:
        return _library.load(pathlib.Path(os.environ.get("BRIDGECAST_LIBRARY", _FOLDER / "lib/libbridgecast.so")))
    finally:
        if before is None:
            del os.environ["OPENBLAS_NUM_THREADS"]
        else:
            os.environ["OPENBLAS_NUM_THREADS"] = before


class Model:
    """A loaded model; safe to use from any thread. Close it, or use it with ``with``.

    Calls of one model wait for each other: threads that forecast side by side take a model each.

    Args:
        path: A model file; by default the one in the package.
        roads: A road network; by default the one in the package, read at the first route.

    Raises:
        FileNotFoundError: There is no such file.
        InvalidModel: It is no model, or no road network.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None, *,
                 roads: str | os.PathLike[str] | None = None) -> None:
        self._lock = threading.Lock()
        self._handle: int | None = None
        #: The situation that is set in the library; another one is set anew.
        self._current: Situation | None = None
        file = _text(path if path is not None else _FOLDER / "models/bridgecast.int8.bcm", "the model's path")
        code, text = c.c_int32(), c.create_string_buffer(1024)
        self._handle = _loaded().bridgecast_open(file, c.byref(code), text, len(text))
        if not self._handle:
            raise _error(code.value, text.value.decode())
        self._finalizer = weakref.finalize(self, _loaded().bridgecast_close, self._handle)
        if roads is not None:
            with self._lock:
                self._call("set_roads", _text(roads, "the path of the roads"))

    @staticmethod
    def library_version() -> str:
        """The version of the library, such as 0.9.0."""
        return str(_loaded().bridgecast_version().decode())

    def close(self) -> None:
        """Frees the model; closing it again does nothing."""
        with self._lock:
            self._handle = self._current = None
            self._finalizer()

    def __enter__(self) -> Model:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def situation(self, now: Time, *, states: Mapping[str | int, Lowered | Raised] | None = None,
                  openings: Iterable[Opening] = ()) -> Situation:
        """What is known at an issue time; a bridge without a state is unknown.

        Raises:
            Refused: A bridge is unknown, a state or an opening is after the issue time.
        """
        known = Situation(self, seconds(now), types.MappingProxyType(dict(states or {})), tuple(openings))
        with self._lock:
            self._set(known)
        return known

    def _set(self, situation: Situation) -> None:
        """Sets what is known, while the lock is held."""
        if self._current is not situation:
            self._current = None
            situation._apply()
            self._current = situation

    def _call(self, name: str, *arguments: object) -> None:
        """Calls a function while the lock is held."""
        if not self._handle:
            raise BridgecastError("the model is closed")
        code = getattr(_loaded(), "bridgecast_" + name)(self._handle, *arguments)
        if code:
            raise _error(code, _loaded().bridgecast_error(self._handle).decode())


def _error(code: int, text: str) -> Exception:
    kinds = {_library.USAGE: Refused, _library.DATA: InvalidModel, _library.MISSING: FileNotFoundError}
    return kinds.get(code, BridgecastError)(text)


@dataclass(frozen=True, eq=False)
class Situation:
    """What is known at an issue time, and the forecasts that follow from it; :meth:`Model.situation` makes it."""
    model: Model
    now: float
    states: Mapping[str | int, Lowered | Raised]
    openings: tuple[Opening, ...]

    def forecast(self, bridge: str | int | ArrayLike, arrivals: Any, *, rho: ArrayLike | None = None) -> Delays:
        """The delays of arrivals at a bridge, or at a bridge for each arrival.

        Args:
            bridge: A name or the city's number, or an array of them.
            arrivals: Times not before the issue time, of any shape; all three are broadcast together.
            rho: Degrees of saturation of the approach, 0 up to 1; by default those of the hour.

        Raises:
            Refused: One of them makes no sense; the message has its index in the flattened arrays.
        """
        chosen: list[NDArray[Any]] = [_bridges(bridge), _seconds(arrivals)]
        if rho is not None:
            chosen.append(_saturations(rho))
        shape = np.broadcast_shapes(*(one.shape for one in chosen))
        flat = [np.ascontiguousarray(np.broadcast_to(one, shape)).reshape(-1) for one in chosen]
        results = [np.empty(flat[0].size) for _ in range(5)]
        pointers = [flat[0].ctypes.data_as(c.POINTER(c.c_int32)), _doubles(flat[1]),
                    _doubles(flat[2]) if rho is not None else None, *map(_doubles, results)]
        with self.model._lock:
            self.model._set(self)
            self.model._call("forecast_many", flat[0].size, *pointers)
        return Delays(*(one.reshape(shape) for one in results))

    def routes(self, origin: str, destination: str, *, departure: Time | None = None, mode: str = "car",
               arrive_by: Time | None = None) -> list[Route]:
        """The routes between two places, the best first.

        Args:
            origin: A name, or "latitude,longitude".
            destination: As origin.
            departure: Not before the issue time, which is the default.
            mode: car, bike or walk.
            arrive_by: For probability_on_time, which is 1 without it.
        """
        if mode not in _MODES:
            raise Refused(f"there is no mode {mode!r}; there are {', '.join(_MODES)}")
        leaving = self.now if departure is None else seconds(departure)
        deadline = _past(arrive_by, "arrive_by")
        ends = _text(origin, "the origin"), _text(destination, "the destination")
        capacity, count = _FIRST_ROUTES, c.c_size_t()
        with self.model._lock:
            self.model._set(self)
            while True:
                found = (_library.Route * capacity)()
                found[0].size = c.sizeof(_library.Route)
                self.model._call("plan", *ends, _MODES[mode], leaving, deadline, found, capacity, c.byref(count))
                if count.value <= capacity:
                    return [_route(one) for one in found[:count.value]]
                capacity = count.value

    def _apply(self) -> None:
        self.model._call("set_time", self.now)
        for bridge, state in self.states.items():
            if not isinstance(state, (Lowered, Raised)):
                raise TypeError(f"{bridge}: a state is LOWERED or Raised(...), not {state!r}")
            since = _past(state.since, "since") if isinstance(state, Raised) else 0.0
            self.model._call("set_state", _bridge(bridge), _state(state), since)
        for opening in self.openings:
            if not isinstance(opening, Opening):
                raise TypeError(f"an opening is Opening(...), not {opening!r}")
            self.model._call("add_opening", _bridge(opening.bridge), seconds(opening.raised),
                             seconds(opening.lowered), _past(opening.observed_since, "observed_since"))


def _state(state: Lowered | Raised) -> int:
    return _library.RAISED if isinstance(state, Raised) else _library.LOWERED


def _doubles(array: NDArray[np.float64]) -> Any:
    return array.ctypes.data_as(_library.DOUBLES)


def _route(route: Any) -> Route:
    crossings = tuple(
        Crossing(_NAMES[one.bridge], one.arrival, one.probability_delayed, one.expected_delay_s)
        for one in route.crossings[:route.crossing_count])
    return Route(
        name=route.name.decode(), expected_s=route.expected_s, p50_s=route.p50_s, p80_s=route.p80_s,
        p90_s=route.p90_s, p95_s=route.p95_s, probability_stopped=route.probability_stopped,
        probability_on_time=route.probability_on_time, expected_delay_s=route.expected_delay_s, score=route.score,
        crossings=crossings)
