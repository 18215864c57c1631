"""The forms: the service's address, then what to watch; both may be changed later."""
from __future__ import annotations

from typing import Any, TypeAlias

from homeassistant.config_entries import ConfigFlow, ConfigFlowResult, OptionsFlow
from homeassistant.const import CONF_ADDRESS, CONF_MODE
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.aiohttp_client import async_get_clientsession
from homeassistant.helpers.selector import (
    SelectSelector,
    SelectSelectorConfig,
    SelectSelectorMode,
    TextSelector,
    TextSelectorConfig,
    TextSelectorType,
)
import voluptuous as vol
from yarl import URL

from .client import (
    BridgecastClient,
    BridgecastError,
    NotBridgecastError,
    RefusedError,
    ServiceDescription,
    UnsupportedVersionError,
    normalised_address,
    public_address,
)
from .const import CONF_BRIDGES, CONF_DESTINATION, CONF_LINE, CONF_ORIGIN, CONF_STOP, DEFAULT_MODE, DOMAIN, MODES
from .coordinator import BridgecastEntry, board_request, trip_request

Errors: TypeAlias = dict[str, str]

ADDRESS_SCHEMA = vol.Schema({vol.Required(CONF_ADDRESS): TextSelector(TextSelectorConfig(type=TextSelectorType.URL))})


def watch_schema(bridges: list[str]) -> vol.Schema:
    """What to watch of a service with these bridges."""
    return vol.Schema({
        vol.Optional(CONF_BRIDGES): SelectSelector(
            SelectSelectorConfig(options=bridges, multiple=True, mode=SelectSelectorMode.LIST)),
        vol.Optional(CONF_STOP): TextSelector(),
        vol.Optional(CONF_LINE): TextSelector(),
        vol.Optional(CONF_ORIGIN): TextSelector(),
        vol.Optional(CONF_DESTINATION): TextSelector(),
        vol.Required(CONF_MODE, default=DEFAULT_MODE): SelectSelector(
            SelectSelectorConfig(options=MODES, translation_key="mode", mode=SelectSelectorMode.DROPDOWN)),
    })


def cleaned(entered: dict[str, Any]) -> dict[str, Any]:
    """What was entered, without blanks around text and without empty text; all bridges have a list, if an empty one."""
    trimmed = {name: value.strip() if isinstance(value, str) else value for name, value in entered.items()}
    return {CONF_BRIDGES: []} | {name: value for name, value in trimmed.items() if value}


def client_for(hass: HomeAssistant, address: str) -> BridgecastClient:
    """The service at a normalised address."""
    return BridgecastClient(async_get_clientsession(hass), URL(address))


async def check_service(client: BridgecastClient) -> tuple[ServiceDescription | None, str | None]:
    """What runs at the address, or the error to show."""
    try:
        return await client.description(), None
    except NotBridgecastError:
        return None, "not_bridgecast"
    except UnsupportedVersionError:
        return None, "unsupported_version"
    except BridgecastError:
        return None, "cannot_connect"


async def check_watched(client: BridgecastClient, options: dict[str, Any]) -> tuple[Errors, str]:
    """The errors of each field, and what the service says about one of them."""
    if CONF_LINE in options and CONF_STOP not in options:
        return {CONF_STOP: "stop_missing"}, ""
    if (CONF_ORIGIN in options) != (CONF_DESTINATION in options):
        return {CONF_DESTINATION if CONF_ORIGIN in options else CONF_ORIGIN: "other_end_missing"}, ""
    if not (options[CONF_BRIDGES] or CONF_STOP in options or CONF_ORIGIN in options):
        return {CONF_BRIDGES: "nothing_to_watch"}, ""
    try:
        if CONF_STOP in options:
            await client.get_json(*board_request(options[CONF_STOP], options.get(CONF_LINE)))
        if CONF_ORIGIN in options:
            await client.get_json(*trip_request(options[CONF_ORIGIN], options[CONF_DESTINATION], options[CONF_MODE]))
    except RefusedError as error:
        return field_error(error), str(error)
    except BridgecastError:
        return {"base": "cannot_connect"}, ""
    return {}, ""


def field_error(error: RefusedError) -> Errors:
    """Which field the service refuses."""
    if error.code == "noData":
        return {CONF_STOP: "no_timetable"}
    fields = {
        "stop_id": (CONF_STOP, "unknown_stop"), "route_id": (CONF_LINE, "unknown_line"),
        "from": (CONF_ORIGIN, "refused_location"), "to": (CONF_DESTINATION, "refused_location")}
    field, key = fields.get(error.parameter or "", ("base", "refused"))
    return {field: key}


class BridgecastConfigFlow(ConfigFlow, domain=DOMAIN):
    """Adds a service, and changes its address."""

    VERSION = 1

    def __init__(self) -> None:
        self._address = ""
        self._bridges: list[str] = []

    @staticmethod
    @callback
    def async_get_options_flow(config_entry: BridgecastEntry) -> BridgecastOptionsFlow:
        """The form that changes what is watched."""
        return BridgecastOptionsFlow()

    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Asks for the address."""
        errors: Errors = {}
        if user_input is not None:
            errors = await self._check_address(user_input[CONF_ADDRESS])
            if not errors:
                self._abort_if_unique_id_configured()
                return await self.async_step_watch()
        schema = self.add_suggested_values_to_schema(ADDRESS_SCHEMA, user_input or {CONF_ADDRESS: "http://127.0.0.1:8080"})
        return self.async_show_form(step_id="user", data_schema=schema, errors=errors)

    async def async_step_watch(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Asks what to watch."""
        errors: Errors = {}
        detail = ""
        if user_input is not None:
            options = cleaned(user_input)
            errors, detail = await check_watched(client_for(self.hass, self._address), options)
            if not errors:
                title = f"Bridgecast ({URL(self._address).host})"
                return self.async_create_entry(title=title, data={CONF_ADDRESS: self._address}, options=options)
        schema = self.add_suggested_values_to_schema(watch_schema(self._bridges), user_input or {CONF_BRIDGES: self._bridges})
        return self.async_show_form(
            step_id="watch", data_schema=schema, errors=errors, description_placeholders={"detail": detail})

    async def async_step_reconfigure(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Asks for another address of the service; entities stay what they are."""
        entry = self._get_reconfigure_entry()
        errors: Errors = {}
        if user_input is not None:
            errors = await self._check_address(user_input[CONF_ADDRESS])
            if not errors:
                if self.unique_id != entry.unique_id:
                    self._abort_if_unique_id_configured()
                # The entry's listener reloads it.
                self.hass.config_entries.async_update_entry(
                    entry, unique_id=self.unique_id, data={CONF_ADDRESS: self._address},
                    title=f"Bridgecast ({URL(self._address).host})")
                return self.async_abort(reason="reconfigure_successful")
        schema = self.add_suggested_values_to_schema(ADDRESS_SCHEMA, user_input or dict(entry.data))
        return self.async_show_form(step_id="reconfigure", data_schema=schema, errors=errors)

    async def _check_address(self, text: str) -> Errors:
        """Keeps a service's address and bridges, or returns what is wrong with it."""
        try:
            address = normalised_address(text)
        except ValueError:
            return {CONF_ADDRESS: "invalid_address"}
        self._address = str(address).rstrip("/")
        await self.async_set_unique_id(public_address(address), raise_on_progress=False)
        service, error = await check_service(client_for(self.hass, self._address))
        self._bridges = service.bridges if service else []
        return {CONF_ADDRESS: error} if error else {}


class BridgecastOptionsFlow(OptionsFlow):
    """Changes what is watched."""

    async def async_step_init(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Asks what to watch."""
        client = client_for(self.hass, self.config_entry.data[CONF_ADDRESS])
        errors: Errors = {}
        detail = ""
        if user_input is not None:
            options = cleaned(user_input)
            errors, detail = await check_watched(client, options)
            if not errors:
                return self.async_create_entry(data=options)
        service, error = await check_service(client)
        if service is None:
            return self.async_abort(reason=error or "cannot_connect")
        schema = self.add_suggested_values_to_schema(
            watch_schema(service.bridges), self.config_entry.options if user_input is None else user_input)
        return self.async_show_form(
            step_id="init", data_schema=schema, errors=errors, description_placeholders={"detail": detail})
