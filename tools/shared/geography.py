"""Distance and direction on the globe, for all tools in Python."""
import math

EARTH_METRES = 6_371_009.0


def metres(a, b, library=math):
    """Great-circle distance of two (latitude, longitude) points in degrees, by the haversine formula.

    With `library=numpy` (2.0 or newer) either point may hold arrays.
    """
    north = library.radians(b[0] - a[0]) / 2
    east = library.radians(b[1] - a[1]) / 2
    shrink = library.cos(library.radians(a[0])) * library.cos(library.radians(b[0]))
    haversine = library.sin(north) ** 2 + shrink * library.sin(east) ** 2
    return 2 * EARTH_METRES * library.asin(library.sqrt(haversine))


def bearing(a, b):
    """Degrees clockwise from north of the straight line from one point to a near one."""
    east = (b[1] - a[1]) * math.cos(math.radians((a[0] + b[0]) / 2))
    return math.degrees(math.atan2(east, b[0] - a[0]))
