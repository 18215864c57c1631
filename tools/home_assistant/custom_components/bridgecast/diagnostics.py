"""What a user may attach to a report: without address, stop and trip, which say where someone lives."""
from __future__ import annotations

from typing import Any

from homeassistant.components.diagnostics import async_redact_data
from homeassistant.const import CONF_ADDRESS
from homeassistant.core import HomeAssistant

from .const import CONF_DESTINATION, CONF_LINE, CONF_ORIGIN, CONF_STOP
from .coordinator import BridgecastCoordinator, BridgecastEntry

REDACTED = {CONF_ADDRESS, CONF_STOP, CONF_LINE, CONF_ORIGIN, CONF_DESTINATION}


async def async_get_config_entry_diagnostics(hass: HomeAssistant, entry: BridgecastEntry) -> dict[str, Any]:
    """The settings, how each coordinator fares, and the bridges as they were last read."""
    data = entry.runtime_data
    reading = data.bridges.data
    return {
        "data": async_redact_data(dict(entry.data), REDACTED),
        "options": async_redact_data(dict(entry.options), REDACTED),
        "service": {"version": data.service.version, "has_timetable": data.service.has_timetable},
        "event_stream": data.live.is_connected,
        "coordinators": {coordinator.name: state(coordinator) for coordinator in data.coordinators()},
        "issue_time": reading.issue_time,
        "stale_sources": reading.stale_sources,
        "bridges": reading.bridges,
    }


def state(coordinator: BridgecastCoordinator[Any]) -> dict[str, Any]:
    """Whether its last request was answered, and when it asks again. The error may have a name of a stop: only its type is given."""
    error = coordinator.last_exception
    return {
        "is_answered": coordinator.last_update_success,
        "interval_s": coordinator.update_interval and coordinator.update_interval.total_seconds(),
        "error": error and type(error.__cause__ or error).__name__,
    }
