"""Names of settings, versions that are supported, and how often the service is asked."""
from __future__ import annotations

from datetime import timedelta
from typing import Final

from homeassistant.const import Platform

DOMAIN: Final = "bridgecast"
PLATFORMS: Final = [Platform.BINARY_SENSOR, Platform.CALENDAR, Platform.SENSOR]

CONF_BRIDGES: Final = "bridges"
CONF_STOP: Final = "stop"
CONF_LINE: Final = "line"
CONF_ORIGIN: Final = "origin"
CONF_DESTINATION: Final = "destination"

MODES: Final = ["car", "bike", "walk"]
DEFAULT_MODE: Final = "car"

# Versions of the service: from the first, before the second.
SUPPORTED_VERSIONS: Final = ((0, 9), (2, 0))
SEATTLE: Final = "America/Los_Angeles"

REQUEST_TIMEOUT_S: Final = 20
# Without its event stream the service is polled; with it, polling is only a precaution.
POLL_INTERVAL: Final = timedelta(seconds=30)
POLL_INTERVAL_WITH_EVENTS: Final = timedelta(minutes=5)
# A timetable without realtime feeds has no events, and buses leave all the same.
DEPARTURES_INTERVAL: Final = timedelta(seconds=60)
CLOSED_HOURS_INTERVAL: Final = timedelta(hours=6)
MAX_BACK_OFF: Final = timedelta(minutes=15)

# The service sends a comment every 15 seconds.
STREAM_SILENCE_S: Final = 45
STREAM_RETRY_S: Final = 2.0
MAX_STREAM_RETRY_S: Final = 60.0
# Events come in bursts: a new reading sends a state and a forecast.
BURST_S: Final = 0.1
