"""What is asked of the service, one coordinator for each need; and when it is asked again after a failure."""
from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from datetime import timedelta
import logging
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeAlias, TypeVar
from urllib.parse import quote

from homeassistant.config_entries import ConfigEntry
from homeassistant.const import CONF_MODE
from homeassistant.core import HomeAssistant
from homeassistant.helpers.update_coordinator import DataUpdateCoordinator, UpdateFailed
from homeassistant.util import dt as dt_util

from .client import JSON, BridgecastClient, BridgecastError, BusyError, ServiceDescription
from .closed_hours import ClosedHours, read_calendar
from .const import (
    CLOSED_HOURS_INTERVAL,
    CONF_BRIDGES,
    CONF_DESTINATION,
    CONF_LINE,
    CONF_ORIGIN,
    CONF_STOP,
    DEFAULT_MODE,
    DEPARTURES_INTERVAL,
    MAX_BACK_OFF,
    POLL_INTERVAL,
    POLL_INTERVAL_WITH_EVENTS,
    SEATTLE,
)

if TYPE_CHECKING:
    from .events import LiveUpdates

_LOGGER = logging.getLogger(__name__)


@dataclass
class BridgecastData:
    """What an entry has while it is loaded."""

    service: ServiceDescription
    bridges: BridgesCoordinator
    closed_hours: ClosedHoursCoordinator
    departures: DeparturesCoordinator | None
    trip: TripCoordinator | None
    live: LiveUpdates

    def coordinators(self) -> list[BridgecastCoordinator[Any]]:
        """Those that the settings need."""
        all_of_them = (self.bridges, self.closed_hours, self.departures, self.trip)
        return [coordinator for coordinator in all_of_them if coordinator]


BridgecastEntry: TypeAlias = ConfigEntry[BridgecastData]
Data = TypeVar("Data")


class BridgecastCoordinator(DataUpdateCoordinator[Data], Generic[Data]):
    """Asks when an event says so, else at an interval, which doubles with each failure."""

    config_entry: BridgecastEntry
    # The events of the service's stream after which to ask again.
    events: ClassVar[frozenset[str]] = frozenset()
    interval: ClassVar[timedelta] = POLL_INTERVAL
    interval_with_events: ClassVar[timedelta] = POLL_INTERVAL_WITH_EVENTS

    def __init__(self, hass: HomeAssistant, entry: BridgecastEntry, client: BridgecastClient, name: str) -> None:
        super().__init__(hass, _LOGGER, config_entry=entry, name=f"bridgecast {name}", update_interval=self.interval)
        self.client = client
        self.has_events = False
        self._failures = 0

    @abstractmethod
    async def fetch(self) -> Data:
        """Asks the service. Raises a BridgecastError, or KeyError for an answer of another form."""

    async def _async_update_data(self) -> Data:
        interval = self.interval_with_events if self.has_events else self.interval
        try:
            data = await self.fetch()
        except (BridgecastError, KeyError, IndexError, TypeError, ValueError) as error:
            pause = min(interval * 2**self._failures, MAX_BACK_OFF)
            asked_s = error.retry_after_s if isinstance(error, BusyError) else 0
            self.update_interval = max(pause, timedelta(seconds=asked_s))
            self._failures = min(self._failures + 1, 10)
            raise UpdateFailed(f"{type(error).__name__}: {error}") from error
        self._failures = 0
        self.update_interval = interval
        return data


@dataclass(frozen=True)
class BridgeReading:
    """All bridges by name, at the time of their forecast, and the feeds whose data is too old to be used."""

    issue_time: str | None
    bridges: dict[str, JSON]
    stale_sources: list[str]


class BridgesCoordinator(BridgecastCoordinator[BridgeReading]):
    """The bridges, with the outlook of two hours."""

    events = frozenset({"state", "forecast", "reset", "feed"})

    async def fetch(self) -> BridgeReading:
        """All bridges now."""
        answer = await self.client.get_json("/api/v1/bridges")
        stale = [str(source["id"]) for source in answer["sources"] if source["stale"]]
        return BridgeReading(answer["issue_time"], {bridge["bridge"]: bridge for bridge in answer["bridges"]}, stale)


class DeparturesCoordinator(BridgecastCoordinator[JSON]):
    """The board of the stop: `stop`, `departures`, `no_service`, `problem`."""

    events = frozenset({"state", "reset", "transit"})
    interval = interval_with_events = DEPARTURES_INTERVAL

    async def fetch(self) -> JSON:
        """The next departures."""
        options = self.config_entry.options
        board: JSON = (await self.client.get_json(*board_request(options[CONF_STOP], options.get(CONF_LINE))))["data"]
        # These change with every request, departures or not.
        return {name: board[name] for name in ("stop", "departures", "no_service", "problem")}


class TripCoordinator(BridgecastCoordinator[JSON]):
    """The ranked routes of the trip: a group with `routes`, the best first."""

    events = frozenset({"state", "forecast", "reset"})

    async def fetch(self) -> JSON:
        """The routes when leaving now."""
        options = self.config_entry.options
        request = trip_request(options[CONF_ORIGIN], options[CONF_DESTINATION], options.get(CONF_MODE, DEFAULT_MODE))
        group: JSON = (await self.client.get_json(*request))["groups"][0]
        if not group["routes"]:
            raise ValueError("the service knows no route")
        return group


class ClosedHoursCoordinator(BridgecastCoordinator[dict[str, list[ClosedHours]]]):
    """The hours in which each bridge stays down for smaller vessels, this year and the next."""

    interval = interval_with_events = CLOSED_HOURS_INTERVAL

    async def fetch(self) -> dict[str, list[ClosedHours]]:
        """The calendar of each bridge."""
        zone = await dt_util.async_get_time_zone(SEATTLE)
        if zone is None:
            raise ValueError(f"this system has no time zone {SEATTLE}")
        calendars = {}
        for name in self.config_entry.options[CONF_BRIDGES]:
            text = await self.client.get_text(f"/calendar/{quote(name, safe='')}.ics")
            calendars[name] = read_calendar(text, zone)
        return calendars


def board_request(stop: str, line: str | None) -> tuple[str, dict[str, str]]:
    """Path and parameters of a stop's next departures, of one line or all."""
    return f"/api/v1/stops/{quote(stop, safe='')}/board", {"limit": "5"} | ({"route_id": line} if line else {})


def trip_request(origin: str, destination: str, mode: str) -> tuple[str, dict[str, str]]:
    """Path and parameters of the routes of a trip."""
    return "/api/v1/routes", {"from": origin, "to": destination, "mode": mode}
