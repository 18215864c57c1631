"""Makes the databases of rows: stores of ours, whole and damaged, and those of other programs."""
import os
import pathlib
import sqlite3
import subprocess
import sys

# Ends of the numbers that a store can hold.
EARLIEST, LATEST = -2**63, 2**63 - 1
WAL = "PRAGMA journal_mode = WAL"
NOTES = ["CREATE TABLE note (words TEXT)", "INSERT INTO note VALUES ('not yours')"]
# Named as ours are.
COLLIDING = ["CREATE TABLE opening (chess TEXT)", "CREATE TABLE file (path TEXT)", "INSERT INTO opening VALUES ('e4')"]
# Of another program that uses the same library.
GRDB = ["CREATE TABLE grdb_migrations (identifier TEXT PRIMARY KEY)", "INSERT INTO grdb_migrations VALUES ('v1')"]
# In another process: hashing the file in this one would give up its locks.
HOLDER = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
for statement in sys.argv[2:]: connection.execute(statement)
print(flush=True)
sys.stdin.read()
"""


def database(place, path, *statements):
    connection = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        connection.execute(statement)
    connection.close()


def held(place, path, *statements):
    """A database that another program has open."""
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, path, *statements], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE)
    place.holders.append(holder)
    holder.stdout.readline()


def killed(place, path, *statements):
    """A database of another program that was killed: what it wrote is in the log."""
    held(place, path, *statements)
    place.holders[-1].kill()
    place.holders[-1].wait()
    os.unlink(path + "-shm")


def ours(place, path, *statements):
    """A store of ours."""
    pathlib.Path(path).write_bytes(place.trial.store)
    if statements:
        database(place, path, *statements)


def cut(place, path, length):
    pathlib.Path(path).write_bytes(place.trial.store[:length])


def noisy(place, path):
    """A store of which only the first page is left as it was."""
    rest = len(place.trial.store) - 4096
    pathlib.Path(path).write_bytes(place.trial.store[:4096] + bytes(range(1, 251)) * (rest // 250 + 1))


def unmarked(place, path):
    """A store of the time before stores were marked."""
    steps = ["1: files, openings, coverage", "2: synced feeds and live observations"]
    ours(place, path, "PRAGMA application_id = 0", "PRAGMA user_version = 0",
         "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)",
         *["INSERT INTO grdb_migrations VALUES ('%s')" % step for step in steps])


def held_store(place, path):
    """A store that another program has open, with an opening in its log only."""
    ours(place, path)
    held(place, path, "INSERT INTO opening SELECT bridge, start + 1, end + 1, file, number FROM opening LIMIT 1")


def beside_log(make, log):
    """A maker of what another makes, with a log next to it."""
    def maker(place, path):
        make(place, path)
        pathlib.Path(path + "-wal").write_bytes(log(place))
    return maker


def log_of_ours(place):
    """The log of a store of ours whose program was killed."""
    path = place.path + "/killed"
    ours(place, path)
    killed(place, path, WAL, "INSERT INTO opening SELECT bridge, start + 1, end + 1, file, number FROM opening LIMIT 1")
    log = pathlib.Path(path + "-wal").read_bytes()
    os.unlink(path)
    os.unlink(path + "-wal")
    return log


def noise(place):
    return bytes(range(250)) * 100


def made(kind, *statements):
    """A maker: of this kind, with these statements."""
    return lambda place, path: kind(place, path, *statements)


MAKERS = {
    "link-to-rollback": lambda place, path: os.symlink(place.value("rollback"), path),
    "link-to-ours": lambda place, path: os.symlink(place.value("ours"), path),
    # Databases of other programs.
    "rollback": made(database, *NOTES),
    "wal": made(database, WAL, *NOTES),
    "wal-killed": made(killed, WAL, *NOTES),
    "wal-open": made(held, WAL, *NOTES),
    "colliding": made(database, *COLLIDING),
    "colliding-wal": made(database, WAL, *COLLIDING),
    "other-id": made(database, "PRAGMA application_id = 1234", *COLLIDING),
    "other-id-open": made(held, WAL, "PRAGMA application_id = 1234", *COLLIDING),
    "other-version": made(database, "PRAGMA user_version = 7"),
    "other-grdb": made(database, *GRDB),
    # Stores of ours.
    "ours": ours,
    "ours-open": held_store,
    "ours-locked": lambda place, path: (ours(place, path), held(place, path, "BEGIN EXCLUSIVE")),
    "half": lambda place, path: cut(place, path, len(place.trial.store) // 2),
    "first-page": made(cut, 4096),
    "first-100": made(cut, 100),
    "first-50": made(cut, 50),
    "noisy": noisy,
    # The same next to a log: one of ours, or one that is none.
    "text-log": beside_log(lambda place, path: pathlib.Path(path).write_text("Dear diary.\n" * 20), log_of_ours),
    "rollback-log": beside_log(made(database, *NOTES), noise),
    "other-id-log": beside_log(made(database, "PRAGMA application_id = 1234", *COLLIDING), log_of_ours),
    "half-log": beside_log(lambda place, path: cut(place, path, len(place.trial.store) // 2), log_of_ours),
    "half-noise": beside_log(lambda place, path: cut(place, path, len(place.trial.store) // 2), noise),
    "first-50-log": beside_log(made(cut, 50), log_of_ours),
    "noisy-log": beside_log(noisy, log_of_ours),
    "noisy-noise": beside_log(noisy, noise),
    "empty-log": beside_log(lambda place, path: pathlib.Path(path).touch(), log_of_ours),
    "ours-noise": beside_log(ours, noise),
    "newer": made(ours, "PRAGMA user_version = 99"),
    "unmarked": unmarked,
    "opening-at-the-end": made(ours, "INSERT INTO opening SELECT 3, %d, NULL, sha256, 1 FROM file LIMIT 1" % LATEST),
    "opening-for-ever": made(
        ours, "INSERT INTO opening SELECT 3, %d, %d, sha256, 1 FROM file LIMIT 1" % (EARLIEST, LATEST)),
    "coverage-for-ever": made(
        ours, "INSERT INTO coverage SELECT 3, %d, %d, sha256 FROM file LIMIT 1" % (EARLIEST, LATEST)),
    "coverage-at-the-end": made(
        ours, "INSERT INTO coverage SELECT 3, %d, %d, sha256 FROM file LIMIT 1" % (LATEST - 1, LATEST)),
    "synced-long-ago": made(ours, "INSERT INTO feed VALUES ('x', 'y', 1, '', '', %d)" % EARLIEST),
    "no-openings": made(ours, "DROP TABLE opening"),
}


def openings(path):
    """What is wrong with a store, and the openings in it."""
    connection = sqlite3.connect(path)
    try:
        problems = [row for row in connection.execute("PRAGMA integrity_check") if row != ("ok",)]
        return problems, sorted(connection.execute("SELECT bridge, start, end FROM opening"))
    finally:
        connection.close()
