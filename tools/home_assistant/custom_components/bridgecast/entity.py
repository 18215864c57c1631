"""What entities share: their devices, which are the service's bridges, its stop and its trip."""
from __future__ import annotations

from typing import Any, Generic, TypeAlias, TypeVar

from homeassistant.const import CONF_ADDRESS
from homeassistant.helpers.device_registry import DeviceEntryType, DeviceInfo
from homeassistant.helpers.update_coordinator import CoordinatorEntity

from .client import JSON, normalised_address, public_address
from .const import CONF_BRIDGES, CONF_DESTINATION, CONF_LINE, CONF_ORIGIN, CONF_STOP, DOMAIN
from .coordinator import BridgecastCoordinator, BridgecastEntry, BridgesCoordinator, DeparturesCoordinator

Identifier: TypeAlias = tuple[str, str]
Coordinator = TypeVar("Coordinator", bound=BridgecastCoordinator[Any])


def identifier(entry: BridgecastEntry, device: str = "service") -> Identifier:
    """What Home Assistant knows a device of an entry by: the service, a bridge, `stop` or `trip`."""
    return (DOMAIN, f"{entry.entry_id}_{device}")


def current_identifiers(entry: BridgecastEntry) -> set[Identifier]:
    """Those of all devices that the settings ask for."""
    devices = ["service", *entry.options[CONF_BRIDGES]]
    devices += [device for device, setting in (("stop", CONF_STOP), ("trip", CONF_ORIGIN)) if entry.options.get(setting)]
    return {identifier(entry, device) for device in devices}


def service_device(entry: BridgecastEntry, version: str) -> DeviceInfo:
    """The service itself."""
    return DeviceInfo(
        identifiers={identifier(entry)}, name="Bridgecast", manufacturer="Bridgecast", entry_type=DeviceEntryType.SERVICE,
        sw_version=version, configuration_url=public_address(normalised_address(entry.data[CONF_ADDRESS])))


def bridge_device(entry: BridgecastEntry, bridge: str) -> DeviceInfo:
    """A bridge."""
    return DeviceInfo(
        identifiers={identifier(entry, bridge)}, via_device=identifier(entry), entry_type=DeviceEntryType.SERVICE,
        translation_key="bridge", translation_placeholders={"bridge": bridge}, manufacturer="Bridgecast", model="Drawbridge")


def stop_device(entry: BridgecastEntry, coordinator: DeparturesCoordinator) -> DeviceInfo:
    """A stop, or a line at it."""
    stop, line = entry.options[CONF_STOP], entry.options.get(CONF_LINE)
    name = coordinator.data["stop"]["name"] if coordinator.data else stop
    return DeviceInfo(
        identifiers={identifier(entry, "stop")}, via_device=identifier(entry), entry_type=DeviceEntryType.SERVICE,
        name=f"{name} ({line})" if line else name, manufacturer="Bridgecast", model="Stop")


def trip_device(entry: BridgecastEntry) -> DeviceInfo:
    """A trip."""
    return DeviceInfo(
        identifiers={identifier(entry, "trip")}, via_device=identifier(entry), entry_type=DeviceEntryType.SERVICE,
        name=f"{entry.options[CONF_ORIGIN]} → {entry.options[CONF_DESTINATION]}", manufacturer="Bridgecast", model="Trip")


class BridgecastEntity(CoordinatorEntity[Coordinator], Generic[Coordinator]):
    """An entity that is unavailable while the service does not answer."""

    _attr_has_entity_name = True

    def __init__(self, coordinator: Coordinator, key: str, device: str, info: DeviceInfo) -> None:
        super().__init__(coordinator)
        self._attr_translation_key = key
        self._attr_unique_id = f"{coordinator.config_entry.entry_id}_{device}_{key}"
        self._attr_device_info = info


class BridgeEntity(BridgecastEntity[BridgesCoordinator]):
    """An entity of a bridge."""

    def __init__(self, coordinator: BridgesCoordinator, key: str, bridge: str) -> None:
        super().__init__(coordinator, key, bridge, bridge_device(coordinator.config_entry, bridge))
        self._bridge = bridge

    @property
    def available(self) -> bool:
        """Whether the service answers, and knows the bridge."""
        return super().available and self._bridge in self.coordinator.data.bridges

    @property
    def reading(self) -> JSON:
        """The bridge as the service describes it."""
        return self.coordinator.data.bridges[self._bridge]
