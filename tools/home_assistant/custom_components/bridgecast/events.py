"""The service's event stream: it says when something has changed, and the coordinators then ask for it."""
from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from http import HTTPStatus
import logging
import random
from typing import Any

import aiohttp

from homeassistant.core import HomeAssistant, callback

from .client import BridgecastClient, retry_after_s
from .const import BURST_S, MAX_STREAM_RETRY_S, STREAM_RETRY_S, STREAM_SILENCE_S
from .coordinator import BridgecastCoordinator, BridgecastEntry

_LOGGER = logging.getLogger(__name__)


class StreamRefusedError(Exception):
    """The service gives no stream; it may be asked again in `retry_after_s` seconds."""

    def __init__(self, status: int, retry_after_s: float) -> None:
        super().__init__(f"the event stream was refused with {status}")
        self.retry_after_s = retry_after_s


class EventReader:
    """Reads server-sent events line by line. Only names, ids and `retry` matter: data is asked for."""

    def __init__(self) -> None:
        self.last_id: str | None = None
        self.retry_s = STREAM_RETRY_S
        self._name: str | None = None

    def read(self, line: str) -> str | None:
        """Takes a line without its end, and returns the name of an event that is complete with it."""
        if not line:
            name, self._name = self._name, None
            return name
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            self._name = value
        elif field == "id":
            self.last_id = value
        elif field == "retry" and value.isdigit():
            self.retry_s = min(float(value) / 1000, MAX_STREAM_RETRY_S)
        return None


class LiveUpdates:
    """Keeps the event stream open, and refreshes each coordinator that an event concerns."""

    def __init__(self, hass: HomeAssistant, client: BridgecastClient, coordinators: list[BridgecastCoordinator[Any]]) -> None:
        self.is_connected = False
        self._hass = hass
        self._client = client
        self._coordinators = coordinators
        self._reader = EventReader()
        self._failures = 0
        self._pending: set[str] = set()
        self._wake = asyncio.Event()

    @callback
    def start(self, entry: BridgecastEntry) -> None:
        """Starts the two tasks; Home Assistant ends them when it unloads the entry."""
        tasks: dict[str, Callable[[], Coroutine[None, None, None]]] = {"event stream": self._stay_connected, "refreshes": self._refresh}
        for name, task in tasks.items():
            entry.async_create_background_task(self._hass, task(), f"bridgecast {name}")

    async def _stay_connected(self) -> None:
        while True:
            delay_s = self._reader.retry_s
            try:
                await self._listen()
            except StreamRefusedError as error:
                delay_s = max(delay_s, error.retry_after_s)
                _LOGGER.debug("%s", error)
            # ValueError: a line that is too long to be an event.
            except (aiohttp.ClientError, TimeoutError, ValueError) as error:
                _LOGGER.debug("The event stream ended: %r", error)
            self._set_connected(False)
            delay_s = max(delay_s, min(self._reader.retry_s * 2**self._failures, MAX_STREAM_RETRY_S))
            self._failures = min(self._failures + 1, 10)
            # Many clients of a service that restarts do not come back at once.
            await asyncio.sleep(delay_s * random.uniform(0.8, 1.2))

    async def _listen(self) -> None:
        headers = {"Accept": "text/event-stream"}
        if self._reader.last_id:
            headers["Last-Event-ID"] = self._reader.last_id
        timeout = aiohttp.ClientTimeout(total=None, sock_connect=STREAM_SILENCE_S, sock_read=STREAM_SILENCE_S)
        async with self._client.get_stream("/api/v1/events", headers, timeout) as response:
            if response.status != HTTPStatus.OK:
                raise StreamRefusedError(response.status, retry_after_s(response.headers.get("Retry-After")))
            self._failures = 0
            self._set_connected(True)
            # `bye` needs no care: the service then closes the stream.
            async for line in response.content:
                name = self._reader.read(line.decode("utf-8", "replace").rstrip("\r\n"))
                if name:
                    self._take({name})

    def _set_connected(self, is_connected: bool) -> None:
        """Whatever happened while there was no stream is asked for; and whether the service is gone."""
        if is_connected == self.is_connected:
            return
        self.is_connected = is_connected
        for coordinator in self._coordinators:
            coordinator.has_events = is_connected
        self._take({name for coordinator in self._coordinators for name in coordinator.events})

    def _take(self, names: set[str]) -> None:
        self._pending |= names
        self._wake.set()

    async def _refresh(self) -> None:
        while True:
            await self._wake.wait()
            await asyncio.sleep(BURST_S)
            self._wake.clear()
            names, self._pending = self._pending, set()
            self._client.expire()
            concerned = [coordinator for coordinator in self._coordinators if coordinator.events & names]
            # A coordinator keeps its errors to itself, and reports them.
            await asyncio.gather(*(coordinator.async_refresh() for coordinator in concerned))
