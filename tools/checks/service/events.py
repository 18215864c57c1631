"""A client of the stream of events, which remembers what it was told; used by the checks of this folder."""
import http.client, json


class Stream:
    """Listens to /api/v1/events."""

    def __init__(self, service, last=None, timeout=30):
        self.connection = http.client.HTTPConnection(service.host, service.port, timeout=timeout)
        self.connection.request("GET", "/api/v1/events", headers={"Last-Event-ID": last} if last else {})
        self.answer = self.connection.getresponse()
        self.retry = None

    def next(self):
        """The next event as (id, name, data); None at the end of the stream."""
        fields = {}
        while True:
            line = self.answer.readline()
            if not line:
                return None
            text = line.decode().rstrip("\r\n")
            if text.startswith("retry:"):
                self.retry = int(text[6:])
            elif text == "":
                if "data" in fields:
                    return fields.get("id"), fields.get("event", "message"), json.loads(fields["data"])
                fields = {}
            elif not text.startswith(":"):
                name, _, value = text.partition(":")
                fields[name] = value.lstrip(" ")

    def close(self):
        self.connection.close()


def number(identity):
    """The run and the number of an event, from its id."""
    run, _, count = identity.rpartition("-")
    return run, int(count)
