"""Replies of route servers for the stand-in: OSRM's and Valhalla's, with lines over the decks of the request."""
import json
import math

from geography import metres

# As the city and maps have them: latitude, longitude, degrees from north along the deck.
DECKS = {
    "Ballard": (47.659817, -122.376190, 0), "Fremont": (47.647602, -122.349731, 0),
    "University": (47.652653, -122.320427, 25), "Montlake": (47.647285, -122.304588, 0),
    "Lower Spokane St": (47.571377, -122.353546, 90), "1st Ave South": (47.542213, -122.334465, 5),
    "South Park": (47.529236, -122.314117, 0), "Aurora": (47.64665, -122.34735, 0),
    "I-5": (47.65345, -122.32235, 0), "West Seattle High": (47.57065, -122.35350, 90),
}
METRES_PER_DEGREE = 111_195.0
# Replies that are an answer, though not a good one.
FAULTS = [
    "noroute", "vias-fail", "fremont-fails", "detour", "back-and-forth", "500", "html", "huge", "loop", "drip", "cut",
    "wrongjson", "reset"]


def moved(point, degrees, by):
    turn = math.radians(degrees)
    return (point[0] + by * math.cos(turn) / METRES_PER_DEGREE,
            point[1] + by * math.sin(turn) / METRES_PER_DEGREE / math.cos(math.radians(47.6)))


def encoded(points, precision):
    """Google's polyline."""
    text, before = "", (0, 0)
    for point in points:
        now = tuple(round(value * 10 ** precision) for value in point)
        for step in (now[0] - before[0], now[1] - before[1]):
            step = step << 1 if step >= 0 else ~(step << 1)
            while step >= 32:
                text, step = text + chr((step & 31 | 32) + 63), step >> 5
            text += chr(step + 63)
        before = now
    return text


def line(start, decks, end, back=False):
    """Points that pass the decks from shore to shore."""
    points = [start]
    for name in decks:
        latitude, longitude, degrees = DECKS[name]
        deck = (latitude, longitude)
        shores = sorted([moved(deck, degrees, 150), moved(deck, degrees + 180, 150)], key=lambda p: -metres(p, end))
        points += [shores[0], deck, shores[1]] + ([deck, shores[0]] if back else [])
    return points + [end]


def deck_at(point):
    near = min(DECKS, key=lambda name: metres(point, DECKS[name]))
    return near if metres(point, DECKS[near]) < 150 else None


def routes(points, fault):
    """Names and lines with seconds: over the decks of the request, or directly over Aurora and over Fremont."""
    start, *between, end = points
    decks = [name for name in map(deck_at, between) if name]
    if between:
        slow = 5 if fault == "detour" else 1
        found = [("By %s" % " and ".join(decks), line(start, decks, end, fault == "back-and-forth"), slow)]
    elif (start[0] > 47.65) != (end[0] > 47.65):
        found = [("Aurora Ave N", line(start, ["Aurora"], end), 1),
                 ("Dexter Ave N", line(start, ["Fremont"], end), 1.02)]
    else:
        found = [("Some Street", [start, end], 1)]
    return [(name, way, sum(map(metres, way, way[1:])) / 9 * slow) for name, way, slow in found]


def osrm(points, fault):
    def route(name, way, seconds):
        length = sum(map(metres, way, way[1:]))
        step = {"geometry": encoded(way, 5), "distance": round(length, 1), "duration": round(seconds, 1),
                "name": name, "mode": "driving", "maneuver": {"type": "depart"}}
        end = {"geometry": encoded(way[-1:] * 2, 5), "distance": 0, "duration": 0, "name": name,
               "mode": "driving", "maneuver": {"type": "arrive"}}
        return {"geometry": encoded(way, 5), "distance": round(length, 1), "duration": round(seconds, 1),
                "weight_name": "routability", "weight": round(seconds, 1),
                "legs": [{"summary": name, "distance": round(length, 1), "duration": round(seconds, 1),
                          "weight": round(seconds, 1), "steps": [step, end]}]}
    ends = [{"hint": "", "distance": 1.5, "name": "", "location": [point[1], point[0]]}
            for point in (points[0], points[-1])]
    return {"code": "Ok", "routes": [route(*found) for found in routes(points, fault)], "waypoints": ends}


def valhalla(points, fault):
    def trip(name, way, seconds):
        length = sum(map(metres, way, way[1:])) / 1000
        summary = {"time": round(seconds, 3), "length": round(length, 3), "has_toll": False}
        maneuvers = [{"type": 1, "street_names": [name], "time": round(seconds, 3), "length": round(length, 3),
                      "begin_shape_index": 0, "end_shape_index": len(way) - 1},
                     {"type": 4, "time": 0, "length": 0, "begin_shape_index": len(way) - 1,
                      "end_shape_index": len(way) - 1}]
        return {"status": 0, "status_message": "Found route between points", "units": "kilometers",
                "legs": [{"shape": encoded(way, 6), "summary": summary, "maneuvers": maneuvers}], "summary": summary}
    first, *others = [trip(*found) for found in routes(points, fault)]
    return {"trip": first, "alternates": [{"trip": other} for other in others]}


def answer(rest, query, fault):
    """The body and the status of an answer; None if the path is not one of a route server."""
    if rest[-1:] == ["route"] and "json" in query:
        points = [(place["lat"], place["lon"]) for place in json.loads(query["json"])["locations"]]
        make, refusal = valhalla, {"error_code": 442, "error": "No path could be found for input", "status_code": 400,
                                   "status": "Bad Request"}
    elif rest[-4:-2] == ["route", "v1"]:
        points = [tuple(map(float, reversed(pair.split(",")))) for pair in rest[-1].split(";")]
        make, refusal = osrm, {"code": "NoRoute", "message": "Impossible route between points"}
    else:
        return None
    between = [deck_at(point) for point in points[1:-1]]
    refused = (
        fault == "noroute" or fault == "vias-fail" and between or fault == "fremont-fails" and "Fremont" in between)
    return json.dumps(refusal if refused else make(points, fault)).encode(), 400 if refused else 200
