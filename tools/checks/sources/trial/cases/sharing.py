"""Several programs with one store at once; what races is run again and again."""
from cases.files import RECORDS
from databases import openings
from rows import PREDICT, Row

NAMES, *SHIPPED = RECORDS.read_text().splitlines(keepends=True)[:600]


def shipped(start, end):
    """Some of the shipped records as a file of their own."""
    return NAMES + "".join(SHIPPED[start:end])


CONTENT = {
    "half-1.csv": shipped(0, 300),
    "half-2.csv": shipped(300, None),
    "third-1.csv": shipped(0, 200),
    "third-2.csv": shipped(200, 400),
    "third-3.csv": shipped(400, None),
    "whole.csv": shipped(0, None),
}


def holds_all(place, output):
    """Several programs have filled new.store with what one puts into a store of its own."""
    problems, found = openings(place.value("new.store"))
    expected = openings(place.value("ours"))[1]
    if problems or found != expected:
        return "new.store has %d openings instead of %d %s" % (len(found), len(expected), problems)


def copy_is_sound(place, output):
    return "; ".join(map(str, openings(place.value("new.copy"))[0]))


def ingests(*files):
    return " & ".join("ingest {%s.csv} --store {new.store}" % file for file in files)


ROWS = [
    Row("a store that another program writes for long", "ingest {good.csv} --store {ours-locked}", 74,
        "another process is writing to the store; try again", waits=True),
    Row("two at once", ingests("half-1", "half-2"), (0, 0), checks=(holds_all,)),
    Row("two at once with the same", ingests("whole", "whole"), (0, 0), checks=(holds_all,)),
    Row("three at once", ingests("third-1", "third-2", "third-3"), (0, 0, 0), checks=(holds_all,)),
    # Who comes too early to read says so.
    Row("one writes, one reads", ingests("whole") + " & %s --store {new.store}" % PREDICT, (0, {0, 65, 66}),
        checks=(holds_all,)),
    Row("two write, one looks", ingests("half-1", "half-2") + " & doctor --store {new.store}", (0, 0, {0, 65}),
        checks=(holds_all,)),
    Row("one writes, one copies", "ingest {good.csv} --store {ours} & history backup --store {ours} {new.copy}", (0, 0),
        makes="ours*", checks=(copy_is_sound,)),
]
