"""Bridgecast forecasts Seattle's seven drawbridges: the chance of being stopped, how long, and which way to go.

>>> import bridgecast
>>> model = bridgecast.Model()
>>> now = 1771639320.0                                     # 2026-02-20 18:02 in Seattle
>>> known = model.situation(now, states={"Ballard": bridgecast.Raised(since=now - 120), "Fremont": bridgecast.LOWERED})
>>> delays = known.forecast("Ballard", [now + 60, now + 600])
>>> delays.probability_delayed.shape
(2,)
"""
from ._model import (BRIDGES, LOWERED, BridgecastError, Crossing, Delays, InvalidModel, Lowered, Model, Opening, Raised,
                     Refused, Route, Situation)

__all__ = ["BRIDGES", "LOWERED", "BridgecastError", "Crossing", "Delays", "InvalidModel", "Lowered", "Model", "Opening",
           "Raised", "Refused", "Route", "Situation", "__version__"]
__version__ = Model.library_version()
