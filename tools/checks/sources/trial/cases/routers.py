"""Route servers: addresses that are none, nobody at home, and answers that are none."""
import subprocess
import sys

from cases.files import RECORDS, ROOT
from rows import AT, NOBODY, Row, each, is_json


def stand_in(place):
    """Starts the stand-in for this place; its address."""
    process = subprocess.Popen([sys.executable, ROOT / "tools/checks/feeds/stand_in.py", "--records", RECORDS,
                                "--until-eof"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    place.holders.append(process)
    return process.stdout.readline().strip()


SERVERS = {"stand-in": stand_in}
TRIP = "predict --from Ballard --to Downtown %s --router" % AT
BOTH = ["osrm", "valhalla"]

ROWS = [
    *each("a router that is %s", TRIP + " '%s'", 64,
          ["", "osrm", "osrm=", "=http://localhost", "http://localhost", "graphhopper=http://localhost"],
          "write osrm=URL or valhalla=URL"),
    *each("a router at %s", TRIP + " osrm=%s", 64, ["ftp://x", "x", "http://x:99999", "/etc/passwd"],
          "is no address of a route server"),
    Row("a router without a trip", "predict %s --router osrm=%s" % (AT, NOBODY), 64, "--router needs --from and --to"),
    Row("a fallback without a router", "predict --from Ballard --to Downtown --router-fallback", 64, "needs --router"),
    Row("a router for no trip", "predict --from Ballard --to Ballard --router osrm=" + NOBODY, 64, "are the same place"),
    *each("%s with nobody at home", TRIP + " %s=" + NOBODY, 74, BOTH, "cannot be reached"),
    Row("nobody at home, and our own roads", TRIP + " osrm=%s --router-fallback" % NOBODY, 0,
        "these are our own roads instead", ("Leary Way NW, Fremont Bridge",)),
    *each("%s as it should be", TRIP + " %s={stand-in}/ok/car --format json", 0,
          dict.fromkeys(BOTH, ("", ('"route_source"', "By Ballard"))), checks=(is_json,)),
    Row("leaving by a router's routes", "depart --from Ballard --to Downtown --arrive-by 2026-02-20T18:40 "
        "--at 2026-02-20T17:50 --router osrm={stand-in}/ok", 0, "", ("Routes of OSRM at", "leave by")),
    Row("OSRM that knows no way", TRIP + " osrm={stand-in}/noroute", 65, "NoRoute: Impossible route between points"),
    Row("Valhalla that knows no way", TRIP + " valhalla={stand-in}/noroute", 65, "No path could be found for input (error 442)"),
    Row("a router that is none", TRIP + " osrm={stand-in}/ok/route/v1/x/y", 65, "(HTTP 404)"),
    Row("a router that knows no bridge", TRIP + " osrm={stand-in}/vias-fail", 0, "5 of 6 requests came to nothing",
        ("Aurora Bridge",)),
    *[row for kind in BOTH for row in each(kind + ": %s", TRIP + " " + kind + "={stand-in}/%s", 74, {
        "500": "HTTP status 500", "html": "is not valid JSON", "wrongjson": "is not valid JSON",
        "cut": "cannot be reached", "reset": "cannot be reached"})],
    *each("a router's answer: %s", TRIP + " osrm={stand-in}/%s", 65, {
        "huge": "more than 4194304 bytes", "loop": "redirects in a circle"}),
    Row("a router that dawdles", TRIP + " osrm={stand-in}/drip", 74, "no complete answer in 10 s", waits=True, seconds=30),
]
