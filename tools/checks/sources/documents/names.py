"""Names of code in documents: what a text calls a type has to be one, so that no article outlives what it tells of."""
import functools
import re

from blocks import blocks
from findings import ROOT, counts, fail

# A type or a test suite as a text writes it: `TrafficInference`, ``Route/Mode``; not `README` or `HEAD`.
NAME = re.compile(r"`{1,2}([A-Z][a-z]+(?:[A-Z]+[a-z0-9]*)+)\b[^`]*`{1,2}")
# Names of others: GeoJSON's kinds of geometry (RFC 7946), the city's interface, browsers' reader of events, fields of HTTP.
OTHERS = {"LineString", "MultiLineString", "FeatureCollection", "GetBridgeData", "EventSource", "RateLimit"}


@functools.cache
def declared():
    """Every name that a declaration in Sources gives a type or a case, and those of targets and test files."""
    names = {folder.name for folder in (ROOT / "Sources").iterdir()} | {p.stem for p in (ROOT / "Tests").rglob("*.swift")}
    for path in (ROOT / "Sources").rglob("*.swift"):
        names.update(re.findall(r"\b(?:struct|class|enum|actor|protocol|typealias|case)\s+`?(\w+)", path.read_text(encoding="utf-8")))
    return names


def check_names(path):
    for block in blocks(path):
        if block.kind == "code":
            continue
        for name in NAME.findall(block.text):
            counts["names"] += 1
            if name not in declared() and name not in OTHERS:
                fail(path, block.line, f"{name}: nothing in Sources has that name")
