// A line from above for the largest widget: its way, stops, drawbridges and vehicles, the way from left to right.
internal import BridgecastCore
internal import BridgecastTransit
internal import BridgecastTransitAnswers
private import Foundation

struct LineSketch: Sendable {
    struct Vehicle: Sendable {
        let point: PlanePoint
        /// Degrees clockwise from the picture's right.
        let degrees: Double
    }

    struct Bridge: Sendable {
        let point: PlanePoint
        /// Of the way, degrees clockwise from the picture's right.
        let degrees: Double
        let isRaised: Bool
    }

    /// Metres along and across the straight line from its first point, the origin, to its last; so are all points.
    let way: [PlanePoint]
    let stops: [PlanePoint]
    /// The stop that the widget is of.
    let selectedStop: PlanePoint?
    let bridges: [Bridge]
    let vehicles: [Vehicle]

    private static let maxVehicles = 60

    /// The pattern with the most trips that calls at a stop; nil where the feed has no coordinates.
    init?(of route: RouteIndex, at stop: StopIndex, _ direction: Int?, _ view: TransitView) {
        let feed = view.feed
        let platforms = view.snapshot.platforms(of: stop)
        let calling = feed.patterns(of: route).all.filter { pattern in
            (direction == nil || pattern.direction == direction)
                && pattern.stops.contains(where: platforms.contains)
        }
        guard let pattern = calling.max(by: { $0.trips < $1.trips }),
            let geometry = feed.geometry(of: pattern.trip)
        else { return nil }
        let points = geometry.line.points
        let rotation = Rotation(from: points[0], to: points[points.count - 1])
        way = points.map(rotation.position)
        stops = pattern.stops.compactMap { feed.stops.point($0) }.map(rotation.position)
        selectedStop = pattern.stops.first(where: platforms.contains).flatMap {
            feed.stops.point($0)
        }
        .map(rotation.position)
        let crossings = geometry.isShape ? view.timetable.crossings.of(pattern.trip, in: feed) : []
        bridges = crossings.map { crossing in
            Bridge(
                point: rotation.position(geometry.line.point(atMetres: crossing.metres)),
                degrees: rotation.degrees(
                    ofBearing: geometry.line.heading(atMetres: crossing.metres)),
                isRaised: view.bridges?.knowledge.raised(crossing.bridge) != nil)
        }
        vehicles = view.snapshot.vehicles.indices.lazy.filter { index in
            let vehicle = view.snapshot.vehicles[index]
            return vehicle.route == route
                && vehicle.run.flatMap { feed[$0.trip].direction } == pattern.direction
        }.prefix(Self.maxVehicles).compactMap { index in
            let entry = VehicleEntry(
                index, view.snapshot, at: view.now, bridges: nil, includesNextStops: false)
            return entry.point.map {
                Vehicle(
                    point: rotation.position($0),
                    degrees: rotation.degrees(ofBearing: entry.bearing ?? 90))
            }
        }
    }

    /// A map that is turned so that a way leads to the right.
    private struct Rotation {
        private let plane: LocalPlane
        private let cosine, sine, degrees: Double

        /// Both sides of a street, or of a terminus.
        private static let maxLoopGapMetres = 150.0

        init(from start: GeoPoint, to end: GeoPoint) {
            plane = LocalPlane(around: start)
            let last = plane.position(of: end)
            // A loop ends about where it starts, and keeps north at the top.
            let isLoop = hypot(last.x, last.y) < Self.maxLoopGapMetres
            let angle = isLoop ? 0 : atan2(last.y, last.x)
            cosine = cos(angle)
            sine = sin(angle)
            degrees = angle * 180 / .pi
        }

        func position(_ point: GeoPoint) -> PlanePoint {
            let position = plane.position(of: point)
            return PlanePoint(
                x: position.x * cosine + position.y * sine,
                y: position.y * cosine - position.x * sine)
        }

        /// Degrees clockwise from the right, of degrees clockwise from north.
        func degrees(ofBearing bearing: Double) -> Double { bearing - 90 + degrees }
    }
}

/// A part of a picture that points on the ground are drawn in, as large as they fit.
struct SketchFrame {
    private let centre: PlanePoint
    private let middle: (x: Double, y: Double)
    private let pixelsPerMetre: Double

    init(_ points: [PlanePoint], x: Double, y: Double, width: Double, height: Double) {
        let (left, right) = (points.map(\.x).min() ?? 0, points.map(\.x).max() ?? 0)
        let (bottom, top) = (points.map(\.y).min() ?? 0, points.map(\.y).max() ?? 0)
        centre = PlanePoint(x: (left + right) / 2, y: (bottom + top) / 2)
        middle = (x + width / 2, y + height / 2)
        pixelsPerMetre = min(width / max(right - left, 1), height / max(top - bottom, 1))
    }

    /// Downwards is to the right of the way.
    func position(_ point: PlanePoint) -> (x: Double, y: Double) {
        (
            middle.x + (point.x - centre.x) * pixelsPerMetre,
            middle.y - (point.y - centre.y) * pixelsPerMetre
        )
    }

    /// A way without points that are closer to the one before than can be seen.
    func way(_ points: [PlanePoint], minPixels: Double = 1.5) -> [(x: Double, y: Double)] {
        var kept: [(x: Double, y: Double)] = []
        for point in points.map(position) {
            guard let last = kept.last else {
                kept.append(point)
                continue
            }
            let (dx, dy) = (point.x - last.x, point.y - last.y)
            if (dx * dx + dy * dy).squareRoot() >= minPixels { kept.append(point) }
        }
        // Its end is kept, in place of a point that is too close to it.
        if let last = points.last.map(position), let end = kept.last, end != last {
            if kept.count > 1, hypot(end.x - last.x, end.y - last.y) < minPixels {
                kept.removeLast()
            }
            kept.append(last)
        }
        return kept
    }
}
