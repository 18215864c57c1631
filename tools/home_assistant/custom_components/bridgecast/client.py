"""Requests to the Bridgecast service: kept answers, waiting times that the service asks for, and its errors."""
from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
import json
import re
from typing import Any, TypeAlias

import aiohttp
from yarl import URL

from .const import REQUEST_TIMEOUT_S, SUPPORTED_VERSIONS

JSON: TypeAlias = dict[str, Any]

DEFAULT_RETRY_S = 30.0
MAX_RETRY_S = 3600.0


class BridgecastError(Exception):
    """A request that was not answered."""


class CannotConnectError(BridgecastError):
    """The service cannot be reached, or fails."""


class NotBridgecastError(BridgecastError):
    """Something answers at the address, but it is not Bridgecast."""


class UnsupportedVersionError(BridgecastError):
    """A version of Bridgecast that this integration does not understand."""


class RefusedError(BridgecastError):
    """The service refused a request; `parameter` names what is wrong with it, `code` says why."""

    def __init__(self, detail: str, code: str | None, parameter: str | None) -> None:
        super().__init__(detail)
        self.code = code
        self.parameter = parameter


class BusyError(BridgecastError):
    """The service asks to wait `retry_after_s` seconds."""

    def __init__(self, detail: str, retry_after_s: float) -> None:
        super().__init__(detail)
        self.retry_after_s = retry_after_s


@dataclass(frozen=True)
class ServiceDescription:
    """What the service is: its version, its bridges from the sea inland, and whether it knows buses."""

    version: str
    bridges: list[str]
    has_timetable: bool


@dataclass
class KeptAnswer:
    """An answer with its ETag, and until when by the event loop's clock it may be used without asking."""

    body: str
    etag: str | None
    fresh_until: float


def normalised_address(text: str) -> URL:
    """The service's address without query and final slash; http where no scheme is given.

    Raises ValueError for text that is no address.
    """
    text = text.strip()
    url = URL(text if "://" in text else f"http://{text}")
    if url.scheme not in ("http", "https") or not url.host or any(character.isspace() for character in text):
        raise ValueError(f"'{text}' is no address of a service")
    return url.with_path(url.path.rstrip("/")).with_query(None).with_fragment(None)


def public_address(url: URL) -> str:
    """The address without user name and password."""
    return str(url.with_user(None)).rstrip("/")


class BridgecastClient:
    """The service at an address. Answers are kept by their ETag, and asked for again only when they may have changed."""

    def __init__(self, session: aiohttp.ClientSession, address: URL) -> None:
        self.address = address
        self._session = session
        self._kept: dict[URL, KeptAnswer] = {}
        self._not_before = 0.0

    async def description(self) -> ServiceDescription:
        """Asks what runs at the address. Raises a BridgecastError."""
        try:
            alive = await self.get_json("/healthz")
        except RefusedError as error:
            raise NotBridgecastError(str(error)) from error
        version = alive.get("version")
        if not isinstance(version, str):
            raise NotBridgecastError("/healthz has no version")
        require_supported(version)
        try:
            answer = await self.get_json("/api/v1/bridges")
        except RefusedError as error:
            raise UnsupportedVersionError(f"version {version} has no /api/v1/bridges") from error
        try:
            names = [str(bridge["bridge"]) for bridge in answer["bridges"]]
            return ServiceDescription(version, names, bool(answer["has_timetable"]))
        except (KeyError, TypeError) as error:
            raise NotBridgecastError(f"/api/v1/bridges has no {error}") from error

    async def get_json(self, path: str, parameters: Mapping[str, str] | None = None) -> JSON:
        """The object at a path. Raises a BridgecastError."""
        try:
            answer = json.loads(await self.get_text(path, parameters))
        except ValueError as error:
            raise NotBridgecastError(f"{path} is not JSON: {error}") from error
        if not isinstance(answer, dict):
            raise NotBridgecastError(f"{path} is not a JSON object")
        return answer

    async def get_text(self, path: str, parameters: Mapping[str, str] | None = None) -> str:
        """The text at a path: the kept one while it is fresh or has not changed. Raises a BridgecastError."""
        url = self.url(path).with_query(parameters or {})
        kept = self._kept.get(url)
        now = asyncio.get_running_loop().time()
        if kept and now < kept.fresh_until:
            return kept.body
        if now < self._not_before:
            raise BusyError("the service asked to wait", self._not_before - now)
        headers = {"If-None-Match": kept.etag} if kept and kept.etag else {}
        try:
            timeout = aiohttp.ClientTimeout(REQUEST_TIMEOUT_S)
            # Only the address that was entered is asked.
            async with self._session.get(url, headers=headers, timeout=timeout, allow_redirects=False) as response:
                return await self._read(url, response, kept)
        except (aiohttp.ClientError, TimeoutError) as error:
            raise CannotConnectError(f"{path}: {error or type(error).__name__}") from error
        except UnicodeDecodeError as error:
            raise NotBridgecastError(f"{path} is no text") from error

    def get_stream(
        self, path: str, headers: Mapping[str, str], timeout: aiohttp.ClientTimeout
    ) -> AbstractAsyncContextManager[aiohttp.ClientResponse]:
        """An answer that does not end."""
        return self._session.get(self.url(path), headers=headers, timeout=timeout, allow_redirects=False)

    def url(self, path: str) -> URL:
        """The address of a path of the service, whose parts are percent-encoded already."""
        return URL(f"{str(self.address).rstrip('/')}{path}", encoded=True)

    def expire(self) -> None:
        """Something has changed: kept answers are asked for again, with their ETag."""
        for kept in self._kept.values():
            kept.fresh_until = 0

    def wait(self, seconds: float) -> None:
        """The service asked for no request in the next seconds."""
        self._not_before = max(self._not_before, asyncio.get_running_loop().time() + seconds)

    async def _read(self, url: URL, response: aiohttp.ClientResponse, kept: KeptAnswer | None) -> str:
        if response.status == HTTPStatus.NOT_MODIFIED and kept:
            body, etag = kept.body, kept.etag
        else:
            body, etag = await response.text(), response.headers.get("ETag")
            if response.status != HTTPStatus.OK:
                raise self._refusal(response, body)
        fresh_until = asyncio.get_running_loop().time() + max_age_s(response.headers.get("Cache-Control", ""))
        self._kept[url] = KeptAnswer(body, etag, fresh_until)
        return body

    def _refusal(self, response: aiohttp.ClientResponse, body: str) -> BridgecastError:
        """The error for an answer that is not 200. Requests wait where the service asks for it."""
        try:
            problem = json.loads(body)
        except ValueError:
            problem = {}
        problem = problem if isinstance(problem, dict) else {}
        detail = str(problem.get("detail") or f"{response.url.path}: status {response.status}")
        if response.status in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE):
            seconds = retry_after_s(response.headers.get("Retry-After"))
            self.wait(seconds)
            return BusyError(detail, seconds)
        if response.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            return CannotConnectError(detail)
        return RefusedError(detail, problem.get("code"), problem.get("parameter"))


def require_supported(version: str) -> None:
    """Raises UnsupportedVersionError for a version that is too old, too new, or no version."""
    first, end = SUPPORTED_VERSIONS
    numbers = re.match(r"(\d+)\.(\d+)", version)
    if not numbers or not first <= (int(numbers[1]), int(numbers[2])) < end:
        raise UnsupportedVersionError(
            f"version {version}; from {first[0]}.{first[1]} to before {end[0]}.{end[1]} are supported")


def max_age_s(cache_control: str) -> float:
    """Seconds for which an answer is fresh by its Cache-Control; 0 without one."""
    if re.search(r"\bno-(store|cache)\b", cache_control):
        return 0
    age = re.search(r"\bmax-age=(\d+)", cache_control)
    return float(age[1]) if age else 0


def retry_after_s(field: str | None) -> float:
    """Seconds of a Retry-After, which is a number or a date; an hour at most."""
    if field and field.strip().isdigit():
        return float(min(MAX_RETRY_S, int(field)))
    try:
        date = parsedate_to_datetime(field or "")
    except ValueError:
        return DEFAULT_RETRY_S
    return min(MAX_RETRY_S, max(0.0, (date.astimezone(UTC) - datetime.now(UTC)).total_seconds()))
