"""Bridgecast in Home Assistant: Seattle's drawbridges, the buses that cross them, and a trip over them."""
from __future__ import annotations

from typing import Any

from homeassistant.const import CONF_ADDRESS
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ConfigEntryNotReady
from homeassistant.helpers import device_registry
from homeassistant.helpers.aiohttp_client import async_get_clientsession

from .client import BridgecastClient, BridgecastError, ServiceDescription, normalised_address
from .const import CONF_ORIGIN, CONF_STOP, PLATFORMS
from .coordinator import (
    BridgecastCoordinator,
    BridgecastData,
    BridgecastEntry,
    BridgesCoordinator,
    ClosedHoursCoordinator,
    DeparturesCoordinator,
    TripCoordinator,
)
from .entity import current_identifiers, service_device
from .events import LiveUpdates


async def async_setup_entry(hass: HomeAssistant, entry: BridgecastEntry) -> bool:
    """Connects to the service, and makes what the settings ask for."""
    client = BridgecastClient(async_get_clientsession(hass), normalised_address(entry.data[CONF_ADDRESS]))
    service = await describe(client)
    bridges = BridgesCoordinator(hass, entry, client, "bridges")
    closed_hours = ClosedHoursCoordinator(hass, entry, client, "closed hours")
    departures = DeparturesCoordinator(hass, entry, client, "departures") if entry.options.get(CONF_STOP) else None
    trip = TripCoordinator(hass, entry, client, "trip") if entry.options.get(CONF_ORIGIN) else None
    await bridges.async_config_entry_first_refresh()
    # A stop that has left the timetable is unavailable; the bridges are not.
    others: list[BridgecastCoordinator[Any]] = [coordinator for coordinator in (closed_hours, departures, trip) if coordinator]
    for coordinator in others:
        await coordinator.async_refresh()

    live = LiveUpdates(hass, client, [bridges, *others])
    entry.runtime_data = BridgecastData(service, bridges, closed_hours, departures, trip, live)
    register_devices(hass, entry, service)
    await hass.config_entries.async_forward_entry_setups(entry, PLATFORMS)
    entry.async_on_unload(entry.add_update_listener(reload_after_change))
    live.start(entry)
    return True


async def describe(client: BridgecastClient) -> ServiceDescription:
    """What the service is. Whatever is wrong with it may be over later: Home Assistant tries again, and shows why."""
    try:
        return await client.description()
    except BridgecastError as error:
        raise ConfigEntryNotReady(str(error)) from error


def register_devices(hass: HomeAssistant, entry: BridgecastEntry, service: ServiceDescription) -> None:
    """Adds the service, which the other devices belong to, and removes devices that the settings ask for no more."""
    registry = device_registry.async_get(hass)
    registry.async_get_or_create(config_entry_id=entry.entry_id, **service_device(entry, service.version))
    wanted = current_identifiers(entry)
    for device in device_registry.async_entries_for_config_entry(registry, entry.entry_id):
        if not device.identifiers & wanted:
            registry.async_update_device(device.id, remove_config_entry_id=entry.entry_id)


async def reload_after_change(hass: HomeAssistant, entry: BridgecastEntry) -> None:
    """New settings make other entities."""
    await hass.config_entries.async_reload(entry.entry_id)


async def async_unload_entry(hass: HomeAssistant, entry: BridgecastEntry) -> bool:
    """Removes the entities; Home Assistant ends the tasks of the event stream."""
    return await hass.config_entries.async_unload_platforms(entry, PLATFORMS)
