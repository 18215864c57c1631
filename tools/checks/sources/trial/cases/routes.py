"""Candidate routes: GeoJSON, replies of route services, and files of ours."""
import csv
import io

from rows import REPLAY, ROUTES, Row, each, is_json

# Over Fremont Bridge, from shore to shore.
FREMONT = [[-122.3499, 47.6522], [-122.3498, 47.6489], [-122.3497, 47.6464], [-122.342, 47.64], [-122.34, 47.6325]]
# From Everett over Ballard Bridge to Tacoma.
FAR = [[-122.2021, 47.979], [-122.3762, 47.68], [-122.3762, 47.663], [-122.3762, 47.656], [-122.4443, 47.2529]]


def feature(points, **properties):
    return {"type": "Feature", "properties": properties, "geometry": {"type": "LineString", "coordinates": points}}


def features(*members):
    return {"type": "FeatureCollection", "features": list(members)}


def route(*steps, **changes):
    return dict({"id": "a", "name": "A", "origin": "Home", "destination": "Work", "mode": "car", "steps": list(steps)},
                **changes)


def own(*steps, **changes):
    return {"routes": [route(*steps, **changes)]}


def osrm(seconds):
    line = {"type": "LineString", "coordinates": FREMONT}
    return {"code": "Ok", "routes": [{"duration": 600, "distance": 2400, "geometry": line,
                                      "legs": [{"summary": "", "annotation": {"duration": seconds}}]}]}


CONTENT = {
    "string.json": '"routes"',
    "html": "<html><body>502 Bad Gateway</body></html>",
    "line.geojson": feature(FREMONT, duration=600, name="Way"),
    "bare.geojson": feature(FREMONT)["geometry"],
    "gap.geojson": {"type": "MultiLineString", "coordinates": [
        [[-122.3499, 47.6522], [-122.3498, 47.6489]], [[-122.3497, 47.6461], [-122.34, 47.6325]]]},
    "far.geojson": feature(FAR, duration=5400),
    "null-beside.geojson": features(
        {"type": "Feature", "properties": {}, "geometry": None}, feature(FREMONT, duration=600, name="Way")),
    "null.geojson": {"type": "Feature", "properties": {}, "geometry": None},
    "10001.geojson": features(*[feature(FREMONT, duration=600)] * 10_001),
    "collection.geojson": {"type": "GeometryCollection", "geometries": [feature(FREMONT)["geometry"]]},
    "none.geojson": features(),
    "elsewhere.geojson": feature([[13.4, 52.5], [13.5, 52.6]]),
    "nan.geojson": '{"type": "LineString", "coordinates": [[-122.35, NaN], [-122.35, 47.64]]}',
    "point.geojson": feature(FREMONT[:1]),
    "still.geojson": feature(FREMONT[:1] * 3),
    "no-time.geojson": feature(FREMONT, duration=0),
    "escape.geojson": feature(FREMONT, duration=600, name="\x1b[2JOver\r\nFremont\x9b31m"),
    "osrm.json": osrm([131, 60, 169, 240]),
    "osrm-endless.json": osrm([1e308, 1e308]),
    "osrm-no.json": {"code": "NoRoute", "message": "Impossible route between points"},
    "osrm-escape.json": {"code": "InvalidUrl", "message": "URL string malformed: \x1b[2J"},
    "mapbox-no.json": {"message": "Not Authorized - Invalid Token", "error_code": "INVALID_TOKEN"},
    "valhalla-no.json": {"error_code": 442, "error": "No path could be found for input", "status_code": 400,
                         "status": "Bad Request"},
    "graphhopper-no.json": {"message": "Point 0 is out of bounds", "hints": [
        {"message": "Point 0 is out of bounds", "details": "PointOutOfBoundsException"}]},
    "graphhopper-none.json": {"hints": {}, "info": {}, "paths": []},
    "otp-no.json": {"plan": {"itineraries": []}, "error": {"id": 404, "msg": "No trip found"}},
    "otp-graphql-no.json": {"errors": [{"message": "Field 'x' is undefined"}], "data": None},
    "ors-no.json": {"error": {"code": 2010, "message": "Could not find routable point"}},
    "google.json": {"status": "ZERO_RESULTS", "routes": [], "geocoded_waypoints": []},
    "own.json": own({"minutes": 6}, {"bridge": "Fremont"}),
    "own-field.json": own({"minutes": 6}, colour="red"),
    "own-step-field.json": own({"minutes": 6, "minuets": 7}),
    "own-top-field.json": dict(own({"minutes": 6}), route=[]),
    "own-bridge.json": own({"bridge": "\x1b[2JGolden Gate"}),
    "own-twice.json": {"routes": [route({"minutes": 6})] * 2},
    "own-none.json": {"routes": []},
    "own-null.json": own({"minutes": None}),
    "own-text.json": own({"minutes": "six"}),
    "own-negative.json": own({"minutes": -6}),
    "own-endless.json": own({"minutes": 1e308}),
    "own-0.json": own({"minutes": 0}),
    "own-10001.json": {"routes": [route({"minutes": 6}, id=str(number)) for number in range(10_001)]},
    "own-escape.json": own({"minutes": 6}, {"bridge": "Fremont"}, name='\x1b[31m"red",\nrow\x07',
                           origin="\x1b]0;title\x07Home", destination="Wo\rrk\x9b2J"),
}


def is_csv(place, output):
    widths = {len(fields) for fields in csv.reader(io.StringIO(output))}
    if len(widths) != 1:
        return "its rows have %s fields" % sorted(widths)


SERVICE = "the route service answered: "
PRINTED = ["own-escape.json", "escape.geojson", "own-0.json"]

ROWS = [
    *each("routes: %s", ROUTES + " {%s}", 0, {
        "line.geojson": ("", ("Way, Fremont Bridge", "Fremont 17:5")),
        "bare.geojson": ("no duration; taken at 30 km/h", ("Fremont Bridge",)),
        "far.geojson": ("", ("Ballard Bridge", "Ballard 18:")),
        "null-beside.geojson": ("features[0]: geometry: is missing: set aside", ("Way, Fremont Bridge",)),
        "escape.geojson": ("", ("\ufffd[2JOver\ufffd\ufffdFremont\ufffd31m, Fremont Bridge",)),
        "osrm.json": ("", ("Fremont Bridge",)),
        "osrm-endless.json": ("annotations contain an invalid duration", ("Fremont Bridge",)),
        "own.json": ("", ("Home -> Work", "Fremont 17:5")),
        "own-0.json": ("", ("A          0:00  0:00",)),
        "own-escape.json": ("", ("\ufffd]0;title\ufffdHome -> Wo\ufffdrk\ufffd2J",))}),
    *each("routes: %s", ROUTES + " {%s}", 65, {
        "gap.geojson": "coordinates[1]: begins 311 m from where the part before it ends; parts must touch",
        "null.geojson": "geometry: is missing",
        "none.geojson": "holds no route",
        "10001.geojson": "features[10000]: more than 10000 routes at once; split the file",
        "collection.geojson": "looks like a GeoJSON GeometryCollection, which",
        "elsewhere.geojson": "not come near Seattle",
        "nan.geojson": "not valid JSON",
        "point.geojson": "has no length",
        "still.geojson": "has no length",
        "no-time.geojson": "0.0 is not a duration",
        "osrm-no.json": SERVICE + "NoRoute: Impossible route between points",
        "osrm-escape.json": SERVICE + "InvalidUrl: URL string malformed: \ufffd[2J",
        "mapbox-no.json": SERVICE + "Not Authorized - Invalid Token",
        "valhalla-no.json": SERVICE + "No path could be found for input",
        "graphhopper-no.json": SERVICE + "Point 0 is out of bounds",
        "graphhopper-none.json": "holds no route",
        "otp-no.json": SERVICE + "No trip found",
        "otp-graphql-no.json": SERVICE + "Field 'x' is undefined",
        "ors-no.json": SERVICE + "Could not find routable point",
        "google.json": SERVICE + "ZERO_RESULTS",
        "array.json": "is a JSON array, not an object",
        "string.json": "is a bare JSON value",
        "html": "not valid JSON",
        "deep.json": "not valid JSON",
        "live.json": "holds no \"routes\"",
        "empty": "the file is empty",
        "ours": "not a text file",
        "own-field.json": "routes[0]: unknown field 'colour' (known: id, name, origin",
        "own-step-field.json": "routes[0].steps[0]: unknown field 'minuets' (known: minutes, spread",
        "own-top-field.json": "unknown field 'route' (known: about, routes)",
        "own-bridge.json": "routes[0].steps[0].bridge: unknown bridge '\ufffd[2JGolden Gate'",
        "own-twice.json": "routes[1].id: 'a' appears twice",
        "own-none.json": "routes: there are none",
        "own-null.json": "routes[0].steps[0]: needs \"minutes\" or \"bridge\"",
        "own-text.json": "routes[0].steps[0].minutes: should be a number",
        "own-negative.json": "-6.0 is not between 0 and 1440",
        "own-endless.json": "is not between 0 and 1440",
        "own-10001.json": "10001 of them, at most 10000 at once"}),
    Row("routes: folder", ROUTES + " {folder}", 74, "is a folder, not a file"),
    Row("routes: none", ROUTES + " {new.json}", 66, "there is no such file"),
    *each("routes: %s as JSON", ROUTES + " {%s} --format json", 0, PRINTED, checks=(is_json,)),
    *each("routes: %s as CSV", ROUTES + " {%s} --format csv", 0, PRINTED, checks=(is_csv,)),
    Row("routes: escapes in a replay", REPLAY + " --routes {own-escape.json}", 0, shown=("watching",)),
]
