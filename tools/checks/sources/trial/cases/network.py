"""Commands that talk to a network: addresses that are none, nobody at home, and a program that is not there."""
import os
import pathlib
import shutil

from rows import NOBODY, REPLAY, Row, each


def programs(partner=None):
    """A maker of a folder with bridgecast, and something in the place of bridgecast-server."""
    def make(place, path):
        os.mkdir(path)
        shutil.copy2(place.trial.programs / "bridgecast", path)
        if partner:
            partner(pathlib.Path(path, "bridgecast-server"))
    return make


def write_words(partner):
    """A shell would run it."""
    partner.write_text("echo oh\n")
    partner.chmod(0o755)


MAKERS = {
    "linked": programs(lambda partner: partner.symlink_to("bridgecast")),
    "locked-up": programs(lambda partner: partner.touch(0o644)),
    "hollow": programs(lambda partner: partner.touch(0o755)),
    "wordy": programs(write_words),
    "alone": programs(),
}
PARTNERS = {
    "linked": "bridgecast-server is a link to bridgecast itself",
    "alone": "bridgecast-server",
    "locked-up": "cannot be started: Permission denied",
    "hollow": "cannot be started: Exec format error",
    "wordy": "cannot be started: Exec format error",
}

ROWS = [
    Row("no address", "watch --bridges-url ''", 64, "'' is no address of a feed; write https://host/path"),
    Row("an address of another kind", "watch --bridges-url ftp://x", 64, "'ftp://x' is no address of a feed"),
    Row("an address of no port", "watch --bridges-url http://x:99999", 64, "is no address of a feed"),
    Row("a replay of such an address", REPLAY + " --bridges-url ftp://x", 64, "'ftp://x' is no address of a feed"),
    Row("a host that is none", "sync --host nonsense://", 64, "'nonsense://' is no address of a feed"),
    Row("a host of no port", "sync --host http://x:99999 --store {new.store}", 64, "is no address of a feed"),
    Row("no host", "sync --host '' --store {new.store}", 64, "'' is no address of a feed"),
    Row("a data set that is none", "sync --dataset ../../x", 64, "'../../x' is no data set id"),
    Row("nobody at home", "sync --host %s --attempts 1 --store {new.store}" % NOBODY, 74, "cannot be reached",
        makes="new.store"),
    Row("nobody at home: watch", "watch --no-store --seconds 6 --bridges-url " + NOBODY, 0, "feed failed",
        shown=("the live feed failed",)),
    *[row for command in ["sync", "watch --seconds 1", "help sync", "replay --bridges-url " + NOBODY,
                                 "depart --from Ballard --to Downtown --router osrm=" + NOBODY]
      for row in each("%s: " + command, "{%s}/bridgecast " + command, 69, PARTNERS)],
]
