"""Live states of the bridges from files, and replays and watches with invalid spans, speeds and records."""
from rows import LIVE, REPLAY, Row, each

RAISED = {"bridge": "Fremont", "state": "raised", "since": "2026-02-20T17:48:00-08:00"}


def live(*bridges, **more):
    return dict({"asOf": "2026-02-20T17:50:00-08:00", "bridges": list(bridges)}, **more)


CONTENT = {
    "live.json": live(RAISED),
    "live-twice.json": live(RAISED, dict(RAISED, state="lowered", bridge="fremont")),
    "live-later.json": live(dict(RAISED, since="2026-02-20T17:51:00-08:00")),
    "live-field.json": live(dict(RAISED, colour="red")),
    "live-top-field.json": live(RAISED, opening=[]),
    "live-state.json": live(dict(RAISED, state="\x1b[5mopen")),
    "live-bridge.json": live(dict(RAISED, bridge="Golden\x1b[2J Gate")),
    "live-lowered.json": live(dict(RAISED, state="lowered"), openings=[
        {"bridge": "Fremont", "raised": "2026-02-20T17:20:00-08:00"}]),
    "live-backwards.json": live(RAISED, openings=[
        {"bridge": "Ballard", "raised": "2026-02-20T17:20:00-08:00", "lowered": "2026-02-20T17:10:00-08:00"}]),
    "live-old.json": live(asOf="2026-02-20T10:00:00-08:00"),
    "live-soon.json": live(RAISED, asOf="soon"),
    "live-city.json": [{"BridgeID": 3, "Status": "Ajar\x1b[2J"}],
    "live-city-twice.json": [{"BridgeID": 3, "Status": "Open"}, {"BridgeID": 3, "Status": "Closed"}],
}

ROWS = [
    Row("live: raised", LIVE + " {live.json}", 0, shown=("Fremont has been raised for 2 min",)),
    Row("live: of the morning", LIVE + " {live-old.json}", 0,
        "more than 5 minutes before the issue time or after it: they are not used", shown=("Ballard Bridge",)),
    *each("live: %s", LIVE + " {%s}", 65, {
        "live-twice.json": "bridges[1].bridge: Fremont appears twice",
        "live-later.json": "bridges[0].since: is after asOf",
        "live-field.json": "bridges[0]: unknown field 'colour' (known: bridge, state, since)",
        "live-top-field.json": "unknown field 'opening' (known: asOf, observedSince, bridges, openings)",
        "live-state.json": "'\ufffd[5mopen' is not raised, lowered or unknown",
        "live-bridge.json": "unknown bridge 'Golden\ufffd[2J Gate'",
        "live-lowered.json": "openings[0].lowered: is missing, but Fremont is lowered",
        "live-backwards.json": "openings[0].lowered: is before raised",
        "live-soon.json": "asOf: 'soon' is not a time",
        "live-city.json": "[0].Status: 'Ajar\ufffd[2J' is neither Open nor Closed",
        "live-city-twice.json": "[1].BridgeID: bridge 3 appears twice",
        "empty": "the file is empty",
        "text": "not valid JSON",
        "own.json": "an object with \"bridges\""}),
]

ROWS += [
    Row("a replay of no records", "replay --from 2019-01-01 --to 2019-01-02", 65, "no covered records from 2019-01-01"),
    Row("a replay of the future", "replay --from 2126-01-01 --to 2126-01-02", 65, "they are between 2015-08-25"),
    Row("a replay backwards", "replay --from 2026-02-21 --to 2026-02-20", 64, "--to is before --from"),
    Row("a replay that stands", "replay --speed 0", 64, "'0' is neither a number"),
    *each("a replay too fast or slow: %s", "replay --speed %s", 64, ["1e300", "1e-18", "nan"],
          "is neither a number"),
    Row("a watch for ever", "watch --seconds 9223372036854775807", 64, "1 to 315360000"),
    Row("a replay of a text", REPLAY + " --records {text}", 65, "not SDOT opening records"),
]
