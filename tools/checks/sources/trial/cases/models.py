"""Models, networks of roads, and traffic."""
import pathlib

from cases.files import ROOT
from rows import AT, PREDICT, Row

CONTENT = {
    "network.json": {"nodes": []},
    "traffic.csv": "bridge,time,rho\nFremont,2026-02-20T17:45:00-08:00,NaN\n",
}
MAKERS = {
    "cut.bcm": lambda place, path: pathlib.Path(path).write_bytes(
        (ROOT / "models/bridgecast.int8.bcm").read_bytes()[:100_000]),
}

ROWS = [
    Row("a model from a pipe that nobody writes", "inspect {pipe}", 74, "that nobody", seconds=15, waits=True),
    Row("a forecast with such a model", PREDICT + " --model {pipe}", 74, "that nobody", seconds=15, slow=True,
        waits=True),
    Row("a model: folder", "inspect {folder}", 74, "it is not a file"),
    Row("a model: text", "inspect {text}", 65, "not a Bridgecast model"),
    Row("a model: empty", "inspect {empty}", 65, "the file is cut short: 0 bytes"),
    Row("a model: cut", "inspect {cut.bcm}", 65, "the file is damaged: its digest is"),
    Row("a model: none", "inspect {new.bcm}", 66, "there is no such file"),
    Row("a model: without end", "inspect /dev/zero", 65, "more than 67108864"),
    Row("a checkout without models", "inspect", 66, "there is no such file", env={"BRIDGECAST_HOME": "/proc"}),
    Row("a network that is none", "predict --network {network.json} --from Ballard --to Downtown " + AT, 65,
        "not a road network"),
    Row("traffic that is none", PREDICT + " --traffic-file {text}", 65, "needs the columns bridge and time"),
    Row("traffic that cannot be", PREDICT + " --traffic-file {traffic.csv}", 65, "a value that cannot be measured"),
]
