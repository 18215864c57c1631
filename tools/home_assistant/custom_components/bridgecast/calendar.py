"""A calendar for each bridge: the hours in which it stays down for smaller vessels."""
from __future__ import annotations

from datetime import datetime, timedelta

from homeassistant.components.calendar import CalendarEntity, CalendarEvent
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.util import dt as dt_util

from .const import CONF_BRIDGES
from .coordinator import BridgecastEntry, ClosedHoursCoordinator
from .entity import BridgecastEntity, bridge_device

PARALLEL_UPDATES = 0
# Longer than any run of holidays and weekends.
SEARCHED = timedelta(days=14)


async def async_setup_entry(
    hass: HomeAssistant, entry: BridgecastEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Adds one for each bridge, unless it has no closed hours."""
    coordinator = entry.runtime_data.closed_hours
    async_add_entities(
        ClosedHoursCalendar(coordinator, bridge, entry)
        for bridge in entry.options[CONF_BRIDGES] if not coordinator.data or coordinator.data[bridge])


class ClosedHoursCalendar(BridgecastEntity[ClosedHoursCoordinator], CalendarEntity):
    """On during closed hours."""

    def __init__(self, coordinator: ClosedHoursCoordinator, bridge: str, entry: BridgecastEntry) -> None:
        super().__init__(coordinator, "closed_hours", bridge, bridge_device(entry, bridge))
        self._bridge = bridge

    @property
    def event(self) -> CalendarEvent | None:
        """The closed hours that hold now, else the next."""
        now = dt_util.now()
        return next(iter(self._between(now, now + SEARCHED)), None)

    async def async_get_events(self, hass: HomeAssistant, start_date: datetime, end_date: datetime) -> list[CalendarEvent]:
        """The closed hours of a period."""
        return self._between(start_date, end_date)

    def _between(self, start: datetime, end: datetime) -> list[CalendarEvent]:
        hours = self.coordinator.data.get(self._bridge, []) if self.coordinator.data else []
        events = [
            CalendarEvent(
                start=begins, end=ends, summary=closed.summary, description=closed.description,
                location=closed.location, uid=closed.uid)
            for closed in hours for begins, ends in closed.between(start, end)]
        return sorted(events, key=lambda event: event.start_datetime_local)
