"""What is at the path of a store: nothing, stores, damaged and foreign files; several programs with one store."""
from databases import openings
from rows import AT, FOREIGN, LOG, UNREACHABLE, PREDICT, RECORDS, REPLAY, Row, each, stored

# What is at the path of a store, with the exit code and message of every command.
PLACES = [
    ("folder", 74, "is a folder, not a file"), ("pipe", 74, "is a pipe, not a file"),
    ("text", 65, FOREIGN), ("rollback", 65, FOREIGN), ("link-to-rollback", 65, FOREIGN), ("wal", 65, FOREIGN),
    ("wal-killed", 65, FOREIGN), ("wal-open", 65, FOREIGN), ("colliding", 65, FOREIGN), ("colliding-wal", 65, FOREIGN),
    ("other-id", 65, FOREIGN), ("other-id-open", 65, FOREIGN), ("other-version", 65, FOREIGN),
    ("other-grdb", 65, FOREIGN),
    ("newer", 65, "a store of a newer version of bridgecast"),
    ("half", 65, "the store is damaged"), ("first-page", 65, "the store is damaged"),
    ("first-100", 65, "the store is damaged"), ("first-50", 65, FOREIGN), ("noisy", 65, "the store is damaged"),
    # With a log next to them.
    ("text-log", 65, FOREIGN), ("rollback-log", 65, FOREIGN), ("other-id-log", 65, FOREIGN),
    ("first-50-log", 65, FOREIGN), ("half-log", 65, "the store is damaged"), ("half-noise", 65, "the store is damaged"),
    ("noisy-log", 65, "the store is damaged"), ("noisy-noise", 65, "the store is damaged"),
]
USERS = ["ingest {good.csv}", "history export", "history backup {new.copy}",
         "history prune --before 2026-01-01 --of all", PREDICT, "bridge Fremont " + AT, REPLAY]


OPENED = ("newer", "half", "first-page", "first-100", "noisy", "half-log", "half-noise", "noisy-log", "noisy-noise")


def left_by(place):
    """Files that may appear next to a refused one: a store of ours is opened before it is refused."""
    # SQLite moves the log of a store into it before it sees what is in its pages.
    return (LOG if place in OPENED else "") + (" noisy-log" if place == "noisy-log" else "")


def copy_holds_the_log(place, output):
    """new.copy holds what ours-open held, the log included."""
    problems, found = openings(place.value("new.copy"))
    expected = openings(place.value("ours-open"))[1]
    if problems or found != expected or len(found) != len(openings(place.value("ours"))[1]) + 1:
        return "new.copy has %d openings instead of %d %s" % (len(found), len(expected), problems)


ROWS = [
    # Places for the store.
    Row("a forecast without HOME", PREDICT, 0, shown=("Ballard Bridge",), env={"HOME": None}),
    *each("no HOME: %s", "%s", 64, ["ingest {good.csv}", "doctor", "history export", "sync --host " + UNREACHABLE],
          "name one with --store", env={"HOME": None}),
    Row("a HOME that is a device", "ingest {good.csv}", 74, "cannot be read (Not a directory)",
        env={"HOME": "/dev/null"}),
    Row("a HOME that is not writable", "ingest {good.csv}", 74, "its folder cannot be created", env={"HOME": "/proc"}),
    Row("a forecast with such a HOME", PREDICT, 0, shown=("Ballard Bridge",), env={"HOME": "/proc"}),
    Row("a normal HOME", "ingest {good.csv}", 0, shown=stored(2), makes="home/.local*"),
    Row("a relative place for data", "ingest {good.csv}", 0, makes="home/.local*", env={"XDG_DATA_HOME": "here"}),

    # Stores that are none, or not of use.
    *[Row("%s: %s" % (place, user), "%s --store {%s}" % (user, place), code, message, makes=left_by(place))
      for place, code, message in PLACES for user in USERS],
    *[Row("%s: doctor" % place, "doctor --store {%s}" % place, 65, shown=("ERROR     file: ", message),
          makes=left_by(place))
      for place, code, message in PLACES],
    Row("rollback: sync", "sync --host %s --store {rollback}" % UNREACHABLE, 65, FOREIGN),
    Row("rollback: watch", "watch --bridges-url %s --seconds 1 --store {rollback}" % UNREACHABLE, 65, FOREIGN),
    Row("rollback: replay's records", REPLAY + " --records {rollback}", 65, FOREIGN),
    Row("no store: export", "history export --store {new.store}", 66, "there is no such store"),
    Row("no store: forecast", PREDICT + " --store {new.store}", 66, "there is no such store"),
    Row("no store: doctor", "doctor --store {new.store}", 0, shown=("there is no store at",)),
    Row("nothing in it: export", "history export --store {empty}", 65, "nothing is in it yet"),
    Row("nothing in it: ingest", "ingest {good.csv} --store {empty}", 0, shown=stored(2), makes="empty*"),
    *each("a store of nothing: %s", "%s", 65, [
        "history backup --store {empty} {ours}", "history backup --store {empty} {new.copy}",
        "history prune --store {empty} --before 2026-01-01", "history export --store {empty}"], "nothing is in it yet"),
    Row("an unmarked store: export", "history export --store {unmarked}", 0, shown=("Fremont",), makes=LOG),
    Row("an unmarked store: ingest", "ingest {good.csv} --store {unmarked}", 0, shown=stored(2), makes="unmarked*"),
    *[Row("%s: %s" % (place, command), "%s --store {%s}" % (command, place), 65, "the store is damaged", makes=LOG)
      for place in ["opening-at-the-end", "opening-for-ever", "coverage-for-ever", "coverage-at-the-end"]
      for command in ["history export", PREDICT, "bridge Fremont " + AT]],
    *each("damaged: doctor, %s", "doctor --store {%s}", 65, dict.fromkeys(
        ["opening-at-the-end", "coverage-for-ever", "synced-long-ago", "no-openings"], ("", ("ERROR",))), makes=LOG),
    Row("a store without a table", "history export --store {no-openings}", 65, "the store is damaged", makes=LOG),
    Row("pruning before the year 1", "history prune --store {ours} --before 0001-01-01 --of all", 0,
        shown=("0 recorded",)),

    # Backups.
    *[Row("a backup onto %s" % place, "history backup --store {ours} {%s}" % place, code, message, makes=LOG)
      for place, code, message in PLACES if "damaged" not in message],
    Row("a backup of a store in use", "history backup --store {ours-open} {new.copy}", 0, shown=("copied to",),
        makes="*-shm", checks=(copy_holds_the_log,)),
    *[Row("a backup onto " + what, "history backup --store {ours} {%s}" % place, 0, shown=("copied to",),
          makes="%s* %s" % (place, LOG))
      for what, place in [("a backup", "unmarked"), ("an empty file", "empty"), ("a damaged one", "half")]],
    Row("a backup onto the store itself", "history backup --store {ours} {ours}", 64, "is the store itself",
        makes=LOG),
    Row("a backup onto it by another name", "history backup --store {ours} {link-to-ours}", 64,
        "is the store itself", makes=LOG),
    Row("a backup into no folder", "history backup --store {ours} {new.folder}/copy", 74, "cannot be written",
        makes=LOG),
    Row("a backup into a device", "history backup --store {ours} /dev/full", 74, "is a device or socket, not a file",
        makes=LOG),
    Row("a sound copy of no table", "history backup --store {no-openings} {new.copy}", 65, "no table opening",
        makes=LOG),

    # Nothing that is written takes a store's place.
    *each("over a store: %s", "%s", 64, [
        "history export --store {ours} -o {ours}", "history export --store {ours} -o {link-to-ours}",
        "history export --store {ours} -o {ours}-wal", "history export --store {ours} -o {ours}-journal",
        REPLAY + " --store {ours} --metrics-file {ours}", REPLAY + " --metrics-file {ours}",
        REPLAY + " --log-level debug --log-file {ours}"], "is a database or belongs to one", makes=LOG),
]

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


ROWS += [
    Row("a store that another program writes for long", "ingest {good.csv} --store {ours-locked}", 74,
        "another process is writing to the store; try again", waits=True),
    Row("two at once", ingests("half-1", "half-2"), (0, 0), checks=(holds_all,)),
    Row("two at once with the same", ingests("whole", "whole"), (0, 0), checks=(holds_all,)),
    Row("three at once", ingests("third-1", "third-2", "third-3"), (0, 0, 0), checks=(holds_all,)),
    # Reading too early is an error.
    Row("one writes, one reads", ingests("whole") + " & %s --store {new.store}" % PREDICT, (0, {0, 65, 66}),
        checks=(holds_all,)),
    Row("two write, one looks", ingests("half-1", "half-2") + " & doctor --store {new.store}", (0, 0, {0, 65}),
        checks=(holds_all,)),
    Row("one writes, one copies", "ingest {good.csv} --store {ours} & history backup --store {ours} {new.copy}", (0, 0),
        makes="ours*", checks=(copy_is_sound,)),
]
