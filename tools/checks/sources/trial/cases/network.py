"""Commands that use a network: invalid addresses, unreachable hosts, a missing server program, and route servers."""
import os
import pathlib
import shutil
import subprocess
import sys

from rows import AT, UNREACHABLE, RECORDS, REPLAY, ROOT, Row, each, is_json

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
    Row("no address", "watch --bridges-url ''", 64, "'' is not an address of a feed; write https://host/path"),
    Row("an address of another kind", "watch --bridges-url ftp://x", 64, "'ftp://x' is not an address of a feed"),
    Row("an address of no port", "watch --bridges-url http://x:99999", 64, "is not an address of a feed"),
    Row("a replay of such an address", REPLAY + " --bridges-url ftp://x", 64, "'ftp://x' is not an address of a feed"),
    Row("a host that is none", "sync --host nonsense://", 64, "'nonsense://' is not an address of a feed"),
    Row("a host of no port", "sync --host http://x:99999 --store {new.store}", 64, "is not an address of a feed"),
    Row("no host", "sync --host '' --store {new.store}", 64, "'' is not an address of a feed"),
    Row("a data set that is none", "sync --dataset ../../x", 64, "'../../x' is not a data set id"),
    Row("an unreachable host", "sync --host %s --attempts 1 --store {new.store}" % UNREACHABLE, 74, "cannot be reached",
        makes="new.store"),
    Row("an unreachable host: watch", "watch --no-store --seconds 6 --log-file {new.log} --bridges-url " + UNREACHABLE, 74,
        "no reading in all this time", makes="new.log",
        shown=("the live feed failed",)),
    *[row for command in ["sync", "watch --seconds 1", "help sync", "replay --bridges-url " + UNREACHABLE,
                                 "depart --from Ballard --to Downtown --router osrm=" + UNREACHABLE]
      for row in each("%s: " + command, "{%s}/bridgecast " + command, 69, PARTNERS)],
]

def server(*words):
    """A starter of a server for a place, which prints its address."""
    def start(place):
        process = subprocess.Popen([sys.executable, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        place.holders.append(process)
        return process.stdout.readline().strip()
    return start


FEEDS = ROOT / "tools/checks/feeds"
SERVERS = {"stand-in": server(FEEDS / "stand_in.py", "--records", RECORDS, "--until-eof"),
           "tls": server(FEEDS / "tls_server.py")}
TRIP = "predict --from Ballard --to Downtown %s --router" % AT
BOTH = ["osrm", "valhalla"]

ROWS += [
    Row("a server with a certificate of its own", "sync --host {tls} --attempts 1 --store {new.store}", 74,
        "cannot be reached (its certificate is not trusted); check the address and the network", makes="new.store"),
    Row("the city's message", "sync --host {stand-in}/message --attempts 1 --store {new.store}", 74,
        "the server says: no such dataset", makes="new.store"),
    Row("the city's message with a status", "sync --host {stand-in}/message-404 --attempts 1 --store {new.store}", 65,
        "the server says: Not found (HTTP 404); check the address", makes="new.store"),
    *each("a router that is %s", TRIP + " '%s'", 64,
          ["", "osrm", "osrm=", "=http://localhost", "http://localhost", "graphhopper=http://localhost"],
          "write osrm=URL or valhalla=URL"),
    *each("a router at %s", TRIP + " osrm=%s", 64, ["ftp://x", "x", "http://x:99999", "/etc/passwd"],
          "is not an address of a route server"),
    Row("a router without a trip", "predict %s --router osrm=%s" % (AT, UNREACHABLE), 64,
        "--router needs --from and --to"),
    Row("a fallback without a router", "predict --from Ballard --to Downtown --router-fallback", 64, "needs --router"),
    Row("a router for no trip", "predict --from Ballard --to Ballard --router osrm=" + UNREACHABLE, 64,
        "are the same place"),
    *each("%s on an unreachable host", TRIP + " %s=" + UNREACHABLE, 74, BOTH, "cannot be reached"),
    Row("an unreachable host, and our own roads", TRIP + " osrm=%s --router-fallback" % UNREACHABLE, 0,
        "these are our own roads instead", ("Leary Way NW, Fremont Bridge",)),
    *each("%s as it should be", TRIP + " %s={stand-in}/ok/car --format json", 0,
          dict.fromkeys(BOTH, ("", ('"route_source"', "By Ballard"))), checks=(is_json,)),
    Row("leaving by a router's routes", "depart --from Ballard --to Downtown --arrive-by 2026-02-20T18:40 "
        "--at 2026-02-20T17:50 --router osrm={stand-in}/ok", 0, "", ("Routes of OSRM at", "leave by")),
    Row("OSRM that knows no way", TRIP + " osrm={stand-in}/noroute", 65, "NoRoute: Impossible route between points"),
    Row("Valhalla that knows no way", TRIP + " valhalla={stand-in}/noroute", 65,
        "No path could be found for input (error 442)"),
    Row("a router that is none", TRIP + " osrm={stand-in}/ok/route/v1/x/y", 65, "(HTTP 404)"),
    Row("a router that knows no bridge", TRIP + " osrm={stand-in}/vias-fail", 0, "5 of 6 requests failed",
        ("Aurora Bridge",)),
    *[row for kind in BOTH for row in each(kind + ": %s", TRIP + " " + kind + "={stand-in}/%s", 74, {
        "500": "HTTP status 500", "html": "is not valid JSON", "wrongjson": "is not valid JSON",
        "cut": "cannot be reached", "reset": "cannot be reached"})],
    *each("a router's answer: %s", TRIP + " osrm={stand-in}/%s", 65, {
        "huge": "more than 4194304 bytes", "loop": "redirects in a circle"}),
    Row("a router that is slow", TRIP + " osrm={stand-in}/drip", 74, "no complete answer in 10 s", waits=True,
        seconds=30),
]
