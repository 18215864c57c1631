"""Records of openings to ingest: line ends, times, quoting, encodings, and what is no records at all."""
import csv
import gzip
import io
import json

from rows import FIRST, GOOD, HEADER, Row, SECOND, each, is_json, stored

CONTENT = {
    "crlf.csv": GOOD.replace("\n", "\r\n"),
    "cr.csv": GOOD.replace("\n", "\r"),
    "mixed.csv": HEADER.replace("\n", "\r\n") + FIRST.replace("\n", "\r") + SECOND,
    "lone-cr.csv": HEADER + FIRST.replace("Fremont", "Fre\rmont") + SECOND,
    "quoted-cr.csv": HEADER + FIRST.replace("Fremont", '"Fre\rmont"') + SECOND,
    "all-bad.csv": HEADER + FIRST.replace("Fremont,3", "Atlantis,99") + SECOND.replace("2026-02-20", "yesterday"),
    "header.csv": HEADER,
    "1970.csv": HEADER + FIRST.replace("2026-02-20", "1970-01-01") + SECOND,
    "0001.csv": HEADER + FIRST.replace("2026-02-20", "0001-01-01") + SECOND,
    "9999.csv": HEADER + FIRST.replace("2026-02-20", "9999-12-31") + SECOND,
    "escape.csv": HEADER + FIRST.replace(",3,", ",\x1b[2J\x1b]0;gone\x07,") + SECOND,
    "escape-header.csv": "entity\x1b[2Jtype,\x1b[31mentityname\n" + FIRST,
    "nul.csv": HEADER + FIRST.replace("Fremont", "Fre\0mont") + SECOND,
    "utf-16.csv": GOOD.encode("utf-16"),
    "utf-16-be.csv": GOOD.encode("utf-16-be"),
    "latin-1.csv": GOOD.replace("Fremont", "Frémont").encode("latin-1"),
    "quote.csv": HEADER + FIRST + SECOND.replace("Ballard", '"Ballard'),
    "quote-above.csv": HEADER + FIRST.replace("Fremont", '"Fremont') + SECOND,
    "long-line.csv": HEADER + FIRST.replace("Fremont", "F" * 1_000_000) + SECOND,
    "long-header.csv": "x" * 1_000_000 + "\n" + FIRST,
    "object.json": {"error": True, "message": "Query coordinator error"},
    "cut.json": '[{"entityname": "Fremont", "opendatetime": "2026-02-20T17:20:0',
    "coverage.json": {"Fremont": "always"},
    "semicolons.csv": GOOD.replace(",", ";"),
    "tabs.csv": GOOD.replace(",", "\t"),
    "good.ndjson": "".join(json.dumps(row) + "\n" for row in csv.DictReader(io.StringIO(GOOD))),
    "good.csv.gz": gzip.compress(GOOD.encode()),
    # As `cat a.gz b.gz` makes.
    "parts.csv.gz": gzip.compress((HEADER + FIRST).encode()) + gzip.compress(SECOND.encode()),
    "cut.csv.gz": gzip.compress(GOOD.encode())[:-20],
    "damaged.csv.gz": gzip.compress(GOOD.encode())[:-8] + b"?" * 8,
}
BOTH = "", stored(2, "2  rows read in all")


def one(*shown):
    """One of the two is stored, and of the other is shown why it is not."""
    return "", stored(1, *shown)


ROWS = [
    *each("records: %s", "ingest {%s} --store {new.store}", 0, {
        "good.csv": BOTH, "crlf.csv": BOTH, "cr.csv": BOTH, "mixed.csv": BOTH, "quoted-cr.csv": BOTH,
        "lone-cr.csv": one("2  rejected: wrong number of fields", "3  rows read in all"),
        "1970.csv": one("too_early: line 2, opendatetime: '1970-01-01T17:20:00.000'"),
        "0001.csv": one("too_early: line 2, opendatetime: '0001-01-01T17:20:00.000'"),
        "9999.csv": one("1  rejected: in the future"),
        "escape.csv": one("1  rejected: unknown bridge", "entityid: '\ufffd[2J\ufffd]0;gone\ufffd'"),
        "good.csv.gz": BOTH, "parts.csv.gz": BOTH, "good.ndjson": BOTH,
        "quote.csv": one("1  rejected: broken quoting", "bad_quoting: line 3"),
        "quote-above.csv": one("1  rejected: broken quoting", "bad_quoting: line 2"),
        "long-line.csv": one("1  rejected: unknown bridge", "entityname: 'FFF")}),
    *each("records: %s", "ingest {%s} --store {new.store}", 65, {
        "empty": "the file is empty",
        "header.csv": "the file holds no records",
        "text": "not SDOT opening records: no column opendatetime, closedatetime",
        "escape-header.csv": "(found: entity\ufffd[2Jtype, \ufffd[31mentityname)",
        "all-bad.csv": "none of its 2 rows is usable; nothing was stored",
        "array.json": "none of its 3 rows is usable; nothing was stored",
        "nul.csv": "not a text file: a zero byte at offset 80",
        "utf-16.csv": "the file is UTF-16; convert it",
        "utf-16-be.csv": "not a text file: a zero byte at offset 0",
        "latin-1.csv": "the text is not UTF-8; convert it",
        "long-header.csv": "not SDOT opening records",
        "object.json": "not records, but a message of the API: Query coordinator error",
        "own.json": "a JSON object that is no record; records are CSV, a JSON array, or an object a line",
        "cut.json": "record 1: not valid JSON, or cut short",
        "deep.json": "record 1: not valid JSON, or cut short",
        "semicolons.csv": "line 1: fields are separated by ';', not by ','; save the file with commas",
        "tabs.csv": "line 1: fields are separated by tabs, not by ','",
        "cut.csv.gz": "compressed with gzip and cut short; download it again",
        "damaged.csv.gz": "compressed with gzip and damaged at byte",
        "ours": "not a text file"}),
    Row("records: none", "ingest {new.csv} --store {new.store}", 66, "there is no such file"),
    Row("records: folder", "ingest {folder} --store {new.store}", 74, "is a folder, not a file"),
    Row("records: a pipe without a writer", "ingest {pipe} --store {new.store}", 66,
        "nothing was written to this pipe within 10 s; does it have a writer?", waits=True),
    Row("records: standard input", "ingest /dev/stdin --store {new.store}", 65, "the file is empty"),
    Row("records: without end", "ingest /dev/zero --store {new.store}", 65, "not a text file: a zero byte at offset 0"),
    Row("records: good and bad", "ingest {good.csv} {all-bad.csv} --store {new.store}", 65, lines=2, makes="new.store",
        message="1 of 2 files stored, nothing of the others", shown=stored(2, "unknown_bridge: line 2")),
    Row("records: the first refusal's code", "ingest {good.csv} {new.csv} {text} --store {new.store}", 66,
        "1 of 3 files stored", lines=3, makes="new.store"),
    Row("records: twice", "ingest {good.csv} {good.csv} --store {new.store}", 0,
        shown=stored(2, "2  in the store already")),
    Row("records: all bad, as JSON", "ingest {all-bad.csv} --format json --store {new.store}", 65,
        "none of its 2 rows is usable", checks=(is_json,)),
    Row("records: coverage that is none", "ingest {good.csv} --coverage {coverage.json} --store {new.store}", 65,
        "not a coverage file"),
    Row("records: to be learned, all bad", "train --records {all-bad.csv} --output {new.model}", 65,
        "covered records are needed", lines=3),
]
