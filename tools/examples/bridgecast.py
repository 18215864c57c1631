#!/usr/bin/env python3
"""Forecasts and routes from Python through libbridgecast.so: nothing but ctypes.

    tools/install_library /tmp/bridgecast
    tools/examples/bridgecast.py /tmp/bridgecast/lib/libbridgecast.so models/bridgecast.int8.bcm Ballard Downtown
"""
import ctypes as c
import pathlib
import sys
import time

# The declarations of bridgecast.h; the package around them needs numpy, they need nothing.
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python/bridgecast"))

from _library import BRIDGES, CAR, LOWERED, RAISED, Delay, Route, load


class Bridgecast:
    """A loaded model and the state of the bridges."""

    def __init__(self, library, model):
        self._lib = load(library)
        code, text = c.c_int32(), c.create_string_buffer(512)
        self._handle = self._lib.bridgecast_open(model.encode(), c.byref(code), text, len(text))
        if not self._handle:
            raise ValueError(f"{text.value.decode()} ({code.value})")

    def close(self):
        self._lib.bridgecast_close(self._handle)
        self._handle = None

    def _check(self, code):
        if code:
            raise ValueError(f"{self._lib.bridgecast_error(self._handle).decode()} ({code})")

    def set_time(self, now):
        self._check(self._lib.bridgecast_set_time(self._handle, now))

    def set_state(self, bridge, state, since=0):
        self._check(self._lib.bridgecast_set_state(self._handle, BRIDGES.get(bridge, -1), state, since))

    def add_opening(self, bridge, raised, lowered, observed_since=0):
        self._check(self._lib.bridgecast_add_opening(
            self._handle, BRIDGES.get(bridge, -1), raised, lowered, observed_since))

    def forecast(self, bridge, arrival, rho=-1):
        delay = Delay(size=c.sizeof(Delay))
        self._check(self._lib.bridgecast_forecast(
            self._handle, BRIDGES.get(bridge, -1), arrival, rho, c.byref(delay)))
        return delay

    def plan(self, origin, destination, departure, mode=CAR, deadline=0, capacity=8):
        routes, count = (Route * capacity)(), c.c_size_t()
        routes[0].size = c.sizeof(Route)
        self._check(self._lib.bridgecast_plan(
            self._handle, origin.encode(), destination.encode(), mode, departure, deadline,
            routes, capacity, c.byref(count)))
        return list(routes)[:min(capacity, count.value)]


def main(library, model, origin, destination, at=None):
    now = float(at) if at else time.time()
    cast = Bridgecast(library, model)
    cast.set_time(now)
    cast.set_state("Fremont", LOWERED)
    cast.set_state("Ballard", RAISED, since=now - 60)
    delay = cast.forecast("Ballard", now + 120)
    print(f"Ballard, raised for a minute, in two minutes: {delay.probability_delayed:.0%}, "
          f"{delay.expected_s:.0f} s on average")
    for route in cast.plan(origin, destination, now, deadline=now + 1500):
        print(
            f"{route.expected_s / 60:5.1f} min, P90 {route.p90_s / 60:5.1f}, stopped "
            f"{route.probability_stopped:6.1%}, there in 25 min {route.probability_on_time:6.1%}  {route.name.decode()}"
        )
    cast.close()


if __name__ == "__main__":
    if len(sys.argv) not in (5, 6):
        sys.exit(__doc__)
    try:
        main(*sys.argv[1:])
    except (OSError, ValueError) as error:
        sys.exit(f"bridgecast.py: error: {error}")
