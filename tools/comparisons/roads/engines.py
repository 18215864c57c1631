"""Engines for compare.py: each answers a list of (lat, lon, lat, lon, minute of the day) by (metres, minutes) or None.

`own` is the reference model, `routino` Debian's router over the same extract, `profile` the default speeds of OSRM and
GraphHopper, and nearly those of Valhalla, over our own arcs, and `command` any program that reads trips as CSV lines.
"""

import gzip
import json
import math
import os
import subprocess
import xml.sax.saxutils

import rules
from graph import limit
from model import Model


class Profile:
    """Speeds and penalties of a program: km/h of a way, seconds at a signal node, seconds of a turn by its angle."""

    def __init__(self, default, share, signal=0, turn=lambda angle: 0):
        self.default, self.share, self.signal, self.turn = default, share, signal, turn

    def speed(self, tags):
        return limit(tags) * rules.MILE * self.share if "maxspeed" in tags else self.default.get(tags["highway"], 25)


def osrm_turn(angle, most=7.5, bias=1.075):
    """A sigmoid over the angle, right turns a little cheaper."""
    bias = 1 / bias if angle >= 0 else bias
    return most / (1 + math.exp(6.5 / bias - 13 * bias * abs(angle) / 180))


def valhalla_turn(angle, impact=3):
    """A cost by the kind of the turn, times the impact of a stop, which it takes from the classes that meet."""
    return impact * {"straight": 0.5, "slight": 0.75, "right": 1.0, "left": 2.5, "sharp": 3.5}[rules.turn_kind(angle)]


def classes(*speeds):
    names = ("motorway", "motorway_link", "trunk", "trunk_link", "primary", "primary_link", "secondary",
             "secondary_link", "tertiary", "tertiary_link", "unclassified", "residential", "living_street")
    return dict(zip(names, speeds))


PROFILES = {
    "OSRM": Profile(classes(90, 45, 85, 40, 65, 30, 55, 25, 40, 20, 25, 25, 10), 0.8, 2, osrm_turn),
    "GraphHopper": Profile(classes(100, 70, 70, 65, 65, 60, 60, 50, 50, 40, 30, 30, 6), 0.9),
    "Valhalla": Profile(classes(105, 60, 90, 50, 75, 40, 60, 35, 50, 30, 40, 35, 10), 1.0, 0, valhalla_turn),
}


def model_engine(model, weekend=False):
    def answer(trips):
        found = (model.route(trip[:2], trip[2:4], trip[4], weekend) for trip in trips)
        return [way and (way[1], way[0]) for way in found]
    return answer


def own(extract, weekend=False):
    return model_engine(Model(extract), weekend)


def profile(extract, name):
    return model_engine(Model(extract, PROFILES[name]), None)


def write_osm(extract, path):
    """The extract as OSM XML, which planetsplitter reads."""
    with gzip.open(extract) as file:
        elements = json.load(file)["elements"]
    quote = xml.sax.saxutils.quoteattr
    with gzip.open(path, "wt", compresslevel=1) as out:
        out.write('<?xml version="1.0"?>\n<osm version="0.6">\n')
        for element in sorted(elements, key=lambda e: (e["type"], e["id"])):
            tags = "".join(f"<tag k={quote(k)} v={quote(v)}/>" for k, v in element.get("tags", {}).items())
            if element["type"] == "node":
                out.write(f'<node id="{element["id"]}" lat="{element["lat"]}" lon="{element["lon"]}">{tags}</node>\n')
            elif element["type"] == "way":
                nodes = "".join(f'<nd ref="{node}"/>' for node in element["nodes"])
                out.write(f'<way id="{element["id"]}">{nodes}{tags}</way>\n')
        out.write("</osm>\n")


def routino_rows(extract, folder):
    """Debian's routino, quickest, with its own motorcar profile; its database is made once in the folder.

    Answers a trip by the rows of its way: latitude, longitude, node, kind, and so on; the last is the destination.
    """
    os.makedirs(folder, exist_ok=True)
    if not os.path.exists(f"{folder}/seattle-nodes.mem"):
        write_osm(extract, f"{folder}/seattle.osm.gz")
        subprocess.run(["planetsplitter", f"--dir={folder}", "--prefix=seattle",
                        "--tagging=/usr/share/routino/tagging-drive.xml", f"{folder}/seattle.osm.gz"],
                       check=True, stdout=subprocess.DEVNULL)

    def one(trip):
        ran = subprocess.run(
            ["routino-router", f"--dir={folder}", "--prefix=seattle", "--profiles=/usr/share/routino/profiles.xml",
             "--translations=/usr/share/routino/translations.xml", "--transport=motorcar", "--quickest", "--quiet",
             "--output-text-all", "--output-stdout", *(f"--{key}={value}" for key, value in
                                                   zip(("lat1", "lon1", "lat2", "lon2"), trip))],
            capture_output=True, text=True, check=False)
        rows = [row.split("\t") for row in ran.stdout.split("\n") if row and not row.startswith("#")]
        return rows if rows and "Waypt#2" in rows[-1][3] else None
    return one


def routino(extract, folder):
    """Routino's metres and minutes."""
    rows = routino_rows(extract, folder)

    def one(trip):
        way = rows(trip)
        return way and (float(way[-1][6]) * 1000, float(way[-1][7]))
    return lambda trips: [one(trip) for trip in trips]


def command(line):
    """A program that reads `lat,lon,lat,lon,HH:MM` lines and prints `metres,minutes` for each, empty where no way."""
    def answer(trips):
        text = "".join(f"{a},{b},{c},{d},{int(m) // 60:02}:{int(m) % 60:02}\n" for a, b, c, d, m in trips)
        ran = subprocess.run(line, shell=True, input=text, capture_output=True, text=True, check=True)
        return [tuple(map(float, row.split(","))) if row else None for row in ran.stdout.split("\n")[:len(trips)]]
    return answer
