"""Where results go: full disks, readers that close early, folders in place of files and the reverse."""
from rows import AT, FULL, LIVE, LOG, UNREACHABLE, PREDICT, REPLAY, ROUTES, Row, each

# What prints.
PRINTS = [PREDICT, PREDICT + " --format json", PREDICT + " --format csv",
          "predict %s --from Ballard --to Downtown" % AT,
          "doctor --store {new.store}", "inspect", "inspect --format json", "bridge Fremont " + AT,
          "depart --from Ballard --to Downtown " + AT, REPLAY, "--help", "help predict", "--version"]
# Prints after seconds of work, which a busy machine of CI made more than 20.
PRINTS_LATE = ["evaluate --routes --from 2026-02-20T17:00 --to 2026-02-20T17:30"]
PRINTS_A_STORE = ["history export --store {ours}", "history export --format json --store {ours}",
                  "doctor --store {ours}"]
UNWRITTEN = "standard output cannot be written: " + FULL

ROWS = [
    *each("a full disk: %s", "%s > /dev/full", 74, PRINTS, UNWRITTEN),
    *each("a full disk: %s", "%s > /dev/full", 74, PRINTS_LATE, UNWRITTEN, seconds=120, waits=True),
    *each("a full disk: %s", "%s > /dev/full", 74, PRINTS_A_STORE, UNWRITTEN, makes=LOG),
    Row("a full disk: ingest", "ingest {good.csv} --store {new.store} > /dev/full", 74, "standard output cannot be",
        makes="new*"),
    Row("a full disk: bench", "bench --parts load > /dev/full", 74, UNWRITTEN, lines=2),
    Row("a day's evaluation onto a full disk", "evaluate --from 2026-02-20 --to 2026-02-20 > /dev/full", 74, FULL,
        seconds=120, slow=True, waits=True),
    *each("a reader that closes: %s", "%s | head -1", 0, PRINTS),
    *each("a reader that closes: %s", "%s | head -1", 0, PRINTS_LATE, seconds=120, waits=True),
    *each("a reader that closes: %s", "%s | head -1", 0, PRINTS_A_STORE, makes=LOG),
    Row("a reader that closes: watch",
        "watch --no-store --seconds 6 --log-file {new.log} --bridges-url %s | head -1" % UNREACHABLE, 74,
        "no reading in all this time", makes="new.log"),

    Row("an export into a folder", "history export --store {ours} -o {folder}", 74, "is a folder; name a file in it",
        makes=LOG),
    Row("an export onto a full disk", "history export --store {ours} -o /dev/full", 74,
        "/dev/full: cannot be written: " + FULL, makes=LOG),
    Row("an export into no folder", "history export --store {ours} -o {new.folder}/x.csv", 74,
        "No such file or directory", makes=LOG),
    Row("an export into a file's folder", "history export --store {ours} -o {text}/x.csv", 74, "Not a directory",
        makes=LOG),
    Row("an export over a file", "history export --store {ours} -o {text}", 0, "openings written to",
        makes=LOG + " text"),
    Row("an export backwards", "history export --store {ours} --from 2026-01-01 --to 2025-01-01", 64,
        "--to is before --from", makes=LOG),
    Row("a name of nothing", "history export --store {ours} -o ''", 64, "an empty name", makes=LOG),
    Row("metrics into no folder", REPLAY + " --metrics-file {new.folder}/m", 74,
        "cannot be written: No such file or directory"),
    Row("metrics into a folder", REPLAY + " --metrics-file {folder}", 74, "is a folder; name a file in it"),
    Row("metrics onto a full disk", REPLAY + " --metrics-file /dev/full", 74, "/dev/full: cannot be written: " + FULL,
        shown=("watching",)),
    Row("a log into no folder", REPLAY + " --log-file {new.folder}/l", 74,
        "cannot be written: No such file or directory"),
    Row("a log onto a full disk", REPLAY + " --log-level debug --log-file /dev/full", 0, "log lines are lost: " + FULL,
        shown=("watching",)),

    # The system's reasons, not the library's.
    *each("a file for a folder: %s", "%s", 74, [
        "ingest {text}/x.csv --store {new.s}", ROUTES + " {text}/x", LIVE + " {text}/x", "evaluate --report {text}/x",
        "features export {text}/x", PREDICT + " --traffic-file {text}/x", "ingest {good.csv} --store {text}/x",
        "ingest {good.csv} --coverage {text}/x --store {new.s}", REPLAY + " --metrics-file {text}/x",
        PREDICT + " --store {text}/x"], "Not a directory"),
]
