"""What a row of the table is, and the words that rows of several topics share."""
import dataclasses
import json
import re


@dataclasses.dataclass
class Row:
    """What is run, and what must come of it."""
    name: str
    # Without "bridgecast". It may end in `> FILE` or `| head -1`; ` & ` runs several at once, each with a code.
    command: str
    code: object
    said: str = ""
    # Texts of standard output.
    shown: tuple = ()
    # Lines of standard error; by default one if something is said.
    lines: int = None
    # Patterns of other files that may come or change.
    makes: str = ""
    # Functions of the row's place and standard output that tell what is wrong.
    checks: tuple = ()
    # Variables of the environment; None takes one away.
    env: dict = dataclasses.field(default_factory=dict)
    seconds: int = 20
    # With --long only.
    slow: bool = False
    # Begun before the others, which go on beside it.
    waits: bool = False

    def needs_server(self):
        return re.match("sync|watch|serve|roads import|replay .*--bridges-url|.* --router ", self.command)


def each(name, command, code, words, said="", **more):
    """A row for each word, which stands where the name and the command have %s.

    With words may stand what is said, or that and what is shown; else `said` is for all of them.
    """
    rows = []
    for word, told in (words if isinstance(words, dict) else dict.fromkeys(words, said)).items():
        said, shown = (told, ()) if isinstance(told, str) else told
        rows.append(Row(name % word, command % word, code, said, shown, **more))
    return rows


AT = "--at 2026-02-20T17:50"
PREDICT = "predict %s --only ballard-downtown" % AT
ROUTES = "predict %s --routes" % AT
LIVE = PREDICT + " --live"
REPLAY = "replay --speed max --format lines --from 2026-02-20T17:50 --to 2026-02-20T18:00"
NOBODY = "http://127.0.0.1:9"
# What SQLite leaves beside a store of ours that was only read.
LOG = "*-wal *-shm"
FULL = "No space left on device"
FOREIGN = "not a history store of bridgecast, and left as it is; choose another file"


def stored(new, *more):
    """What ingest shows."""
    return ("%d  new openings" % new, *more)


def is_json(place, output):
    """A check of a row."""
    try:
        json.loads(output, parse_constant=lambda name: int(name))
    except ValueError as error:
        return "it shows no JSON: %s" % error
