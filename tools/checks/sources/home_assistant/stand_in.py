"""A service that answers as a test says and records what it is asked: for answers that a real one gives only under load."""
from aiohttp import web
from aiohttp.test_utils import TestServer

BRIDGE = {
    "bridge": "Fremont", "state": "lowered", "since": None, "has_live_sensor": True, "probability_stopped": 0.1,
    "climatology_probability_stopped": 0.2, "expected_delay_s": 3, "expected_delay_if_stopped_s": 30,
    "delay_quantiles_s": [0] * 20, "delay_quantiles_if_stopped_s": [30] * 20, "confidence": "HIGH", "reasons": [],
    "outlook": [],
}
BRIDGES = {"issue_time": "2026-02-20T18:00:00-08:00", "sources": [], "has_timetable": False, "bridges": [BRIDGE]}


class StandIn:
    """Answers by path, and the requests to each."""

    def __init__(self):
        self.requests = []
        self.answers = {"/healthz": {"json": {"status": "alive", "version": "0.9.0"}}, "/api/v1/bridges": {"json": BRIDGES}}
        application = web.Application()
        application.router.add_get("/{path:.*}", self._answer)
        self._server = TestServer(application, host="127.0.0.1")

    async def _answer(self, request):
        self.requests.append((request.path, dict(request.headers)))
        answer = self.answers.get(request.path, {"status": 404, "text": "nothing"})
        if answer.get("headers", {}).get("ETag") and request.headers.get("If-None-Match") == answer["headers"]["ETag"]:
            return web.Response(status=304, headers=answer["headers"])
        if "json" in answer:
            return web.json_response(answer["json"], **{name: answer[name] for name in ("status", "headers") if name in answer})
        return web.Response(**answer)

    def asked(self, path):
        """The header fields of each request to a path."""
        return [headers for asked, headers in self.requests if asked == path]

    @property
    def address(self):
        return str(self._server.make_url("")).rstrip("/")

    async def __aenter__(self):
        await self._server.start_server()
        return self

    async def __aexit__(self, *_):
        await self._server.close()
