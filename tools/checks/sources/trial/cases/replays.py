"""Replays and watches: spans, speeds and records that cannot be."""
from rows import REPLAY, Row, each

ROWS = [
    Row("a replay of no records", "replay --from 2019-01-01 --to 2019-01-02", 65, "no covered records from 2019-01-01"),
    Row("a replay of the future", "replay --from 2126-01-01 --to 2126-01-02", 65, "they lie between 2017-10-25"),
    Row("a replay backwards", "replay --from 2026-02-21 --to 2026-02-20", 64, "--to lies before --from"),
    Row("a replay that stands", "replay --speed 0", 64, "'0' is no number above zero"),
    *each("a replay too fast or slow: %s", "replay --speed %s", 64, ["1e300", "1e-18", "nan"],
          "is no number above zero"),
    Row("a watch for ever", "watch --seconds 9223372036854775807", 64, "1 to 315360000"),
    Row("a replay of a text", REPLAY + " --records {text}", 65, "not SDOT opening records"),
]
