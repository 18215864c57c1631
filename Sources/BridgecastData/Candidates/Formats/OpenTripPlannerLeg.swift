// A leg of an OpenTripPlanner itinerary as any of its interfaces writes it; used by OpenTripPlannerItinerary.
internal import BridgecastCore

/// A leg with a line, a duration in seconds and, where it is given, its start.
struct OpenTripPlannerLeg: Decodable {
    @Lenient var mode: String?
    @Lenient var duration: Double?
    @Lenient var routeShortName: String?
    @Lenient var route: String?
    @Lenient private var startTime: Double?
    @Lenient private var start: Start?
    @Lenient private var expectedStartTime: String?
    private let legGeometry: Lenient<Geometry>?
    private let pointsOnLink: Lenient<Geometry>?

    private struct Start: Decodable {
        @Lenient var estimated: Estimate?
        @Lenient var scheduledTime: String?
    }

    private struct Estimate: Decodable {
        @Lenient var time: String?
    }

    private struct Geometry: Decodable {
        @Lenient var points: String?
    }

    /// Its polyline, if it is not empty.
    var polyline: String? {
        let points = (legGeometry ?? pointsOnLink)?.wrappedValue?.points
        return points?.isEmpty == true ? nil : points
    }

    /// When it begins: milliseconds since 1970, or a time with an offset, predicted rather than scheduled.
    var startSeconds: Double? {
        if let startTime { return startTime / 1000 }
        let text = start?.estimated?.time ?? start?.scheduledTime ?? expectedStartTime
        return text.flatMap { try? TimeText.parse($0) }.map { Double($0.secondsSinceEpoch) }
    }

    /// What one travels with, and its route, for people.
    var name: String {
        [mode, routeShortName ?? route].compactMap { $0 }.filter { !$0.isEmpty }
            .joined(separator: " ")
    }

    /// How it is travelled, as far as drawbridges are concerned.
    var way: Way { Way(mode) }

    /// How a leg is travelled.
    enum Way {
        /// In the traffic of the road.
        case road
        case bike
        case walk
        /// Not on a bridge's deck.
        case offRoad

        fileprivate init(_ mode: String?) {
            self =
                switch mode?.lowercased() {
                case "walk", "foot": .walk
                case "bicycle", "scooter": .bike
                case "rail", "subway", "metro", "tram", "ferry", "water", "airplane", "air",
                    "cable_car", "cableway", "gondola", "funicular", "lift", "monorail":
                    .offRoad
                default: .road
                }
        }

        /// The mode of a route; nil off the road.
        var mode: Route.Mode? {
            switch self {
            case .road: .car
            case .bike: .bike
            case .walk: .walk
            case .offRoad: nil
            }
        }
    }
}
