"""Models and networks that are none, road extracts, places, directions and traffic."""
import pathlib

from rows import AT, PREDICT, ROOT, Row, each, is_json

CONTENT = {
    "network.json": {"nodes": []},
    "traffic.csv": "bridge,time,rho\nFremont,2026-02-20T17:45:00-08:00,NaN\n",
}
MAKERS = {
    "cut.bcm": lambda place, path: pathlib.Path(path).write_bytes(
        (ROOT / "models/bridgecast.int8.bcm").read_bytes()[:100_000]),
}

ROWS = [
    Row("a model from a pipe without a writer", "inspect {pipe}", 74, "does it have a writer", seconds=15, waits=True),
    Row("a forecast with such a model", PREDICT + " --model {pipe}", 74, "does it have a writer", seconds=15, slow=True,
        waits=True),
    Row("a model: folder", "inspect {folder}", 74, "is a folder, not a file"),
    Row("a model: text", "inspect {text}", 65, "not a Bridgecast model"),
    Row("a model: empty", "inspect {empty}", 65, "the file is cut short: 0 bytes"),
    Row("a model: cut", "inspect {cut.bcm}", 65, "the file is damaged: its digest is"),
    Row("a model: none", "inspect {new.bcm}", 66, "there is no such file"),
    Row("a model: without end", "inspect /dev/zero", 65, "more than 67108864"),
    Row("a checkout without models", "inspect", 66, "there is no such file", env={"BRIDGECAST_HOME": "/proc"}),
    Row("a network that is none", "predict --network {network.json} --from Ballard --to Downtown " + AT, 65,
        "not a road network"),
    Row("traffic that is none", PREDICT + " --traffic-file {text}", 65, "needs the columns bridge and time"),
    Row("traffic that cannot be", PREDICT + " --traffic-file {traffic.csv}", 65, "a value out of range"),
]

TOWN = ROOT / "Tests/BridgecastCLITests/Roads/fremont.json"
CONTENT |= {
    "town.json": TOWN.read_bytes(),
    "cut-town.json": TOWN.read_bytes()[:1_500],
    # The head of a PBF whose first block is longer than the file.
    "cut.pbf": b"\x00\x00\x00\x0d\x0a\x09OSMHeader\x18\x7f\x0a",
    "berlin.json": TOWN.read_text().replace('"lat": 47.6', '"lat": 52.5').replace('"lon": -122.3', '"lon": 13.4'),
    "magic.roads": b"BCROADS\n" + bytes(100),
    "lists.json": {"elements": [[[]]]},
    "name.osm": TOWN.read_bytes(),
}
IMPORT = "roads import {%s} --output {new.roads}"
TRIP = "predict %s --from Ballard --to Downtown" % AT

ROWS += [
    Row("roads: a town", IMPORT % "town.json", 0, "writing", ("drawbridge Fremont Bridge", "ODbL"), lines=4),
    Row("roads: a town as JSON", IMPORT % "town.json" + " --format json", 0, "writing", lines=4, checks=(is_json,)),
    *each("roads: import of %s", IMPORT, 65, {
        "text": "text, not an extract", "empty": "the file is empty", "cut.pbf": "", "cut-town.json": ""}, lines=2),
    Row("roads: import of another city", IMPORT % "berlin.json", 65, "has none of Seattle's drawbridges", lines=3),
    Row("roads: import of nothing", IMPORT % "new.json", 66, "there is no such file", lines=2),
    Row("roads: import into no folder", "roads import {town.json} --output {new.folder}/x.roads", 74,
        "cannot be written"),
    *each("roads: info on %s", "roads info {%s}", 65, ["text", "empty", "town.json"], "not a road network"),
    Row("roads: info on a head alone", "roads info {magic.roads}", 65, "version 0 of the network format"),
    Row("roads: info on nothing", "roads info {new.roads}", 66, "there is no such file"),
    Row("roads: import onto itself", "roads import {name.osm} --output {name.osm}", 64, "is the file that is read"),
    Row("roads: import onto the additions", "roads import {town.json} --additions {name.osm} --output {name.osm}", 64,
        "is the file that is read"),
    Row("roads: import of a pipe", IMPORT % "pipe", 74, "is a pipe or device, not a file", lines=2),
    Row("roads: additions from a pipe", IMPORT % "town.json" + " --additions {pipe}", 74, "is a pipe or device"),
    Row("roads: import of a folder", IMPORT % "folder", 74, "is a folder, not a file", lines=2),
    Row("roads: import of lists in lists", IMPORT % "lists.json", 65, "not an extract", lines=2),
    *each("roads: import with the name %s", IMPORT % "town.json" + " --name %s", 64, ["''", "'  '", "x" * 101],
          "--name must have 1 to 100 characters"),
    Row("roads: info on a folder", "roads info {folder}", 74, "is a folder, not a file"),
    *each("roads: info on %s", "roads info %s", 74, ["{pipe}", "/dev/null", "/dev/zero"],
          "is a pipe or device, not a file"),
    Row("roads: a network without a trip", "predict --network {text}", 64, "--network needs --from and --to"),
    Row("roads: a mode without a trip", "predict --mode bike", 64, "--mode needs --from and --to"),
    Row("roads: GeoJSON without a trip", "predict --format geojson", 64, "--format geojson needs --from and --to"),
    Row("roads: a trip on garbage", TRIP + " --network {text}", 65, "not a road network"),
    Row("roads: directions", TRIP + " --directions", 0, shown=("1: ", " km", "Roads: ")),
    Row("roads: GeoJSON", TRIP + " --format geojson", 0, shown=("FeatureCollection",), checks=(is_json,)),
    Row("roads: JSON", TRIP + " --format json", 0, shown=("directions", "attribution"), checks=(is_json,)),
    Row("roads: directions without a trip", "predict --directions", 64, "needs --from and --to"),
    Row("roads: a corner", "roads find '15th Ave NW and NW Market St'", 0, shown=("corner", "47.66")),
    Row("roads: an unknown corner", TRIP.replace("Ballard", "'Foo St and Bar St'"), 64, "no street 'Foo St'"),
    Row("roads: nothing found", "roads find Zzzzqqq", 64, "unknown place"),
]
