#!/usr/bin/env python3
"""Forecasts and routes from Python through libbridgecast.so: nothing but ctypes.

    tools/install_library /tmp/bridgecast
    tools/examples/bridgecast.py /tmp/bridgecast/lib/libbridgecast.so models/bridgecast.int8.bcm Ballard Downtown
"""
import ctypes as c
import sys
import time

CAR, BIKE, WALK = range(3)
UNKNOWN, LOWERED, RAISED = range(3)
BRIDGES = {"Ballard": 2, "Fremont": 3, "University": 21, "Montlake": 4, "Lower Spokane St": 6,
           "1st Ave South": 1, "South Park": 29}


class Delay(c.Structure):
    _fields_ = [("size", c.c_size_t), ("probability_delayed", c.c_double), ("expected_s", c.c_double),
                ("p50_s", c.c_double), ("p80_s", c.c_double), ("p95_s", c.c_double)]


class Crossing(c.Structure):
    _fields_ = [("bridge", c.c_int32), ("arrival", c.c_double), ("probability_delayed", c.c_double),
                ("expected_delay_s", c.c_double)]


class Route(c.Structure):
    _fields_ = [("size", c.c_size_t), ("name", c.c_char * 128), ("expected_s", c.c_double),
                ("p50_s", c.c_double), ("p80_s", c.c_double), ("p90_s", c.c_double),
                ("p95_s", c.c_double), ("probability_stopped", c.c_double),
                ("probability_on_time", c.c_double), ("expected_delay_s", c.c_double),
                ("score", c.c_double), ("crossing_count", c.c_int32), ("crossings", Crossing * 8)]


class Bridgecast:
    """A loaded model and the state of the bridges."""

    ABI = 1

    def __init__(self, library, model):
        lib = self._lib = c.CDLL(library)
        lib.bridgecast_open.restype = c.c_void_p
        lib.bridgecast_open.argtypes = [c.c_char_p, c.POINTER(c.c_int32), c.c_char_p, c.c_size_t]
        lib.bridgecast_close.argtypes = [c.c_void_p]
        lib.bridgecast_error.restype = c.c_char_p
        lib.bridgecast_error.argtypes = [c.c_void_p]
        lib.bridgecast_set_time.argtypes = [c.c_void_p, c.c_double]
        lib.bridgecast_set_state.argtypes = [c.c_void_p, c.c_int32, c.c_int32, c.c_double]
        lib.bridgecast_add_opening.argtypes = [c.c_void_p, c.c_int32, c.c_double, c.c_double, c.c_double]
        lib.bridgecast_forecast.argtypes = [c.c_void_p, c.c_int32, c.c_double, c.c_double, c.c_void_p]
        lib.bridgecast_plan.argtypes = [c.c_void_p, c.c_char_p, c.c_char_p, c.c_int32, c.c_double, c.c_double,
                                        c.c_void_p, c.c_size_t, c.POINTER(c.c_size_t)]
        if lib.bridgecast_abi() != self.ABI:
            raise OSError(f"{library} has ABI {lib.bridgecast_abi()}, this program {self.ABI}")
        code, text = c.c_int32(), c.create_string_buffer(512)
        self._handle = lib.bridgecast_open(model.encode(), c.byref(code), text, len(text))
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
            c.byref(routes), capacity, c.byref(count)))
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
