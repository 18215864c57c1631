"""Chances and waits at bridges and on the trip, and the next departure."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from homeassistant.components.sensor import SensorDeviceClass, SensorEntity, SensorEntityDescription, SensorStateClass
from homeassistant.const import PERCENTAGE, UnitOfTime
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.util import dt as dt_util

from .client import JSON
from .const import CONF_BRIDGES
from .coordinator import BridgecastEntry, BridgesCoordinator, DeparturesCoordinator, TripCoordinator
from .entity import BridgecastEntity, BridgeEntity, stop_device, trip_device

PARALLEL_UPDATES = 0
AHEAD_S = 600


@dataclass(frozen=True, kw_only=True)
class ForecastDescription(SensorEntityDescription):
    """A figure of a bridge or of a route, and its attributes."""

    value: Callable[[JSON], float | None]
    attributes: Callable[[JSON], dict[str, Any]]


def chance(key: str, value: Callable[[JSON], float | None], attributes: Callable[[JSON], dict[str, Any]]) -> ForecastDescription:
    """A probability in percent."""
    return ForecastDescription(
        key=key, native_unit_of_measurement=PERCENTAGE, state_class=SensorStateClass.MEASUREMENT,
        suggested_display_precision=0, value=value, attributes=attributes)


def wait(key: str, value: Callable[[JSON], float | None], attributes: Callable[[JSON], dict[str, Any]]) -> ForecastDescription:
    """A duration in seconds."""
    return ForecastDescription(
        key=key, native_unit_of_measurement=UnitOfTime.SECONDS, device_class=SensorDeviceClass.DURATION,
        state_class=SensorStateClass.MEASUREMENT, suggested_display_precision=0, value=value, attributes=attributes)


def percent(probability: float | None) -> float | None:
    """A probability of 0 to 1 in percent, as exact as the service gives it."""
    return None if probability is None else round(100 * probability, 3)


def point_ahead(bridge: JSON) -> JSON:
    """The outlook for an arrival in ten minutes; empty without one."""
    return next((point for point in bridge["outlook"] if point["lead_time_s"] == AHEAD_S), {})


BRIDGE_SENSORS = (
    chance("chance_now", lambda bridge: percent(bridge["probability_stopped"]), lambda bridge: {
        "climatology": percent(bridge["climatology_probability_stopped"]),
        "confidence": bridge["confidence"],
        "reasons": [reason["text"] for reason in bridge["reasons"]],
    }),
    chance("chance_in_10_minutes", lambda bridge: percent(point_ahead(bridge).get("probability_stopped")), lambda bridge: {
        "climatology": percent(point_ahead(bridge).get("climatology_probability_stopped")),
        "valid_time": dt_util.parse_datetime(point_ahead(bridge).get("valid_time", "")),
        "expected_wait_s": point_ahead(bridge).get("expected_delay_s"),
        "basis": point_ahead(bridge).get("basis"),
    }),
    wait("expected_wait", lambda bridge: bridge["expected_delay_s"], lambda bridge: {
        "if_stopped_s": bridge["expected_delay_if_stopped_s"],
        "quantiles_s": bridge["delay_quantiles_s"],
        "quantiles_if_stopped_s": bridge["delay_quantiles_if_stopped_s"],
    }),
)


TRIP_SENSORS = (
    chance("trip_chance", lambda group: percent(group["routes"][0]["probability_stopped"]), lambda group: {
        "route": group["routes"][0]["name"],
        "bridges": [crossing["bridge"] for crossing in group["routes"][0]["crossings"]],
        "other_routes": {route["name"]: percent(route["probability_stopped"]) for route in group["routes"][1:]},
    }),
    wait("trip_wait", lambda group: group["routes"][0]["expected_delay_s"], lambda group: {
        "route": group["routes"][0]["name"],
        "travel_s": group["routes"][0]["travel_s"]["mean"],
        **{f"travel_{level}_s": group["routes"][0]["travel_s"][level] for level in ("p50", "p80", "p90", "p95")},
        "expected_arrival": dt_util.parse_datetime(group["routes"][0]["expected_arrival"]),
    }),
)


async def async_setup_entry(
    hass: HomeAssistant, entry: BridgecastEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Adds three for each bridge, one for a stop and two for a trip."""
    data = entry.runtime_data
    entities: list[Entity] = [
        BridgeSensor(data.bridges, description, bridge)
        for bridge in entry.options[CONF_BRIDGES] for description in BRIDGE_SENSORS]
    if data.departures:
        entities.append(DepartureSensor(data.departures, entry))
    if data.trip:
        entities += [TripSensor(data.trip, description, entry) for description in TRIP_SENSORS]
    async_add_entities(entities)


class BridgeSensor(BridgeEntity, SensorEntity):
    """A figure of a bridge for a car."""

    entity_description: ForecastDescription
    _unrecorded_attributes = frozenset({"quantiles_s", "quantiles_if_stopped_s", "reasons", "valid_time"})

    def __init__(self, coordinator: BridgesCoordinator, description: ForecastDescription, bridge: str) -> None:
        super().__init__(coordinator, description.key, bridge)
        self.entity_description = description

    @property
    def native_value(self) -> float | None:
        """The figure."""
        return self.entity_description.value(self.reading)

    @property
    def extra_state_attributes(self) -> dict[str, Any]:
        """What goes with it."""
        return self.entity_description.attributes(self.reading)


class TripSensor(BridgecastEntity[TripCoordinator], SensorEntity):
    """A figure of the best route, for leaving now."""

    entity_description: ForecastDescription

    def __init__(self, coordinator: TripCoordinator, description: ForecastDescription, entry: BridgecastEntry) -> None:
        super().__init__(coordinator, description.key, "trip", trip_device(entry))
        self.entity_description = description

    @property
    def native_value(self) -> float | None:
        """The figure."""
        return self.entity_description.value(self.coordinator.data)

    @property
    def extra_state_attributes(self) -> dict[str, Any]:
        """What goes with it."""
        return self.entity_description.attributes(self.coordinator.data)


class DepartureSensor(BridgecastEntity[DeparturesCoordinator], SensorEntity):
    """The next departure that stops here: its expected time, without a bridge's delay."""

    _attr_device_class = SensorDeviceClass.TIMESTAMP
    _unrecorded_attributes = frozenset({"following"})

    def __init__(self, coordinator: DeparturesCoordinator, entry: BridgecastEntry) -> None:
        super().__init__(coordinator, "next_departure", "stop", stop_device(entry, coordinator))

    @property
    def _departures(self) -> list[JSON]:
        """Those that come and stop, in order."""
        return [
            departure for departure in self.coordinator.data["departures"]
            if departure["status"] not in ("cancelled", "skipped") and departure["expected_epoch_s"] is not None]

    @property
    def native_value(self) -> datetime | None:
        """When it leaves; unknown where nothing does."""
        return next((leaves_at(departure) for departure in self._departures), None)

    @property
    def extra_state_attributes(self) -> dict[str, Any]:
        """What departs, how late, how sure that is, and what a bridge may add."""
        problem = self.coordinator.data["problem"]
        attributes = {"no_service": self.coordinator.data["no_service"], "problem": problem and problem["message"]}
        for departure in self._departures[:1]:
            attributes |= departure_attributes(departure)
        return attributes | {"following": [leaves_at(departure) for departure in self._departures[1:]]}


def leaves_at(departure: JSON) -> datetime:
    """The expected time of a departure."""
    return dt_util.utc_from_timestamp(departure["expected_epoch_s"])


def departure_attributes(departure: JSON) -> dict[str, Any]:
    """A departure's line, lateness and confidence; the chance in percent that a bridge delays it, and by how much."""
    delay = departure["bridge_delay"] or {}
    return {
        "line": departure["route"],
        "destination": departure["headsign"],
        "status": departure["status"],
        "confidence": departure["confidence"],
        "delay_s": departure["delay_s"],
        "occupancy": departure["occupancy_status"] is not None and departure["occupancy"] or None,
        "bridges": [bridge["bridge"] for bridge in departure["bridges"]],
        "waits_at_bridge": any(bridge["is_waiting"] for bridge in departure["bridges"]),
        "bridge_chance": percent(delay.get("probability_stopped")),
        "bridge_delay_s": delay.get("mean_s"),
        "bridge_delay_p80_s": delay.get("p80_s"),
        "bridge_text": [bridge["text"] for bridge in departure["bridges"]],
    }
