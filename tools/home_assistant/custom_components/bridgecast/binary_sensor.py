"""Whether a bridge is raised."""
from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from homeassistant.components.binary_sensor import BinarySensorDeviceClass, BinarySensorEntity
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.util import dt as dt_util

from .const import CONF_BRIDGES
from .coordinator import BridgecastEntry
from .entity import BridgeEntity

PARALLEL_UPDATES = 0


async def async_setup_entry(
    hass: HomeAssistant, entry: BridgecastEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Adds one for each bridge."""
    async_add_entities(RaisedSensor(entry.runtime_data.bridges, "raised", bridge) for bridge in entry.options[CONF_BRIDGES])


class RaisedSensor(BridgeEntity, BinarySensorEntity):
    """On while the span is up; unknown where the service does not know, as for bridges without a sensor."""

    _attr_device_class = BinarySensorDeviceClass.OPENING

    @property
    def is_on(self) -> bool | None:
        """Whether the span is up."""
        return {"raised": True, "lowered": False}.get(self.reading["state"])

    @property
    def extra_state_attributes(self) -> dict[str, Any]:
        """Since when, and for a raised bridge when a car that arrives now is across, in half of all cases."""
        return {
            "since": dt_util.parse_datetime(self.reading["since"] or ""),
            "expected_down": self._expected_down(),
            # With this state: a trigger on it may run before the other sensors have their new values.
            "expected_wait_s": self.reading["expected_delay_s"],
            "has_live_sensor": self.reading["has_live_sensor"],
            "stale_sources": self.coordinator.data.stale_sources,
        }

    def _expected_down(self) -> datetime | None:
        """The service forecasts no lowering, but the wait until traffic moves: half wait no longer than this."""
        issued = dt_util.parse_datetime(self.coordinator.data.issue_time or "")
        quantiles = self.reading["delay_quantiles_if_stopped_s"]
        if not self.is_on or issued is None or not quantiles:
            return None
        # 20 quantiles, at 2.5 %, 7.5 % and so on: the median is between the tenth and the next.
        return issued + timedelta(seconds=round((quantiles[9] + quantiles[10]) / 2))
