// A route of an OSRM reply as it is written; what it means is told by OSRMRoute+Candidate.

/// A route with `geometry` (polyline, polyline6 or GeoJSON; also of the legs or the steps), `duration` in seconds
/// (`summary.duration` in openrouteservice's), and where they are given the durations of `legs`, `steps` and
/// `annotation`s.
struct OSRMRoute: Decodable {
    @Lenient var geometry: LineGeometry?
    /// A duration that is given counts, whatever it is; so does a distance.
    let duration: Lenient<Double>?
    let distance: Lenient<Double>?
    @Lenient var legs: [Leg]?
    @Lenient var summary: Summary?
    @Lenient var segments: [ServiceSegment]?
    /// The numbers of its waypoints' points; the last one is the line's last.
    @Lenient var waypoints: [Lenient<Double>]?

    private enum CodingKeys: String, CodingKey {
        case geometry, duration, distance, legs, summary, segments
        case waypoints = "way_points"
    }

    /// The whole route in openrouteservice's reply.
    struct Summary: Decodable {
        let duration: Lenient<Double>?
        let distance: Lenient<Double>?
    }

    /// A part of a route from one waypoint to the next.
    struct Leg: Decodable {
        @Lenient var geometry: LineGeometry?
        @Lenient var summary: String?
        @Lenient var distance: Double?
        @Lenient var duration: Double?
        @Lenient var annotation: Annotation?
        @Lenient var steps: [Step]?
    }

    /// Values of each piece of a leg's line.
    struct Annotation: Decodable {
        @Lenient var duration: [Lenient<Double>]?
    }

    /// A part of a leg from one turn to the next.
    struct Step: Decodable {
        @Lenient var geometry: LineGeometry?
        @Lenient var distance: Double?
        @Lenient var duration: Double?
        @Lenient var maneuver: Maneuver?
    }

    /// The turn at which a step begins.
    struct Maneuver: Decodable {
        @Lenient var type: String?
    }
}
