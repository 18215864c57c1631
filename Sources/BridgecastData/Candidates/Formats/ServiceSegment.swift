// The segments of openrouteservice's replies; in its JSON and in its GeoJSON. Used by OSRMReply and GeoJSONMember.

/// A part of a route from one of its waypoints to the next.
struct ServiceSegment: Decodable {
    @Lenient var steps: [Step]?

    /// A piece of the way.
    struct Step: Decodable {
        @Lenient var duration: Double?
        /// The numbers of its first and its last point.
        @Lenient var points: [Lenient<Double>]?

        private enum CodingKeys: String, CodingKey {
            case duration
            case points = "way_points"
        }
    }
}

extension [ServiceSegment] {
    /// From which point to which, and for how long.
    var stretches: [LineStretch] {
        flatMap { $0.steps ?? [] }.map { step in
            LineStretch(
                from: step.points?.first?.wrappedValue, to: step.points?.last?.wrappedValue,
                seconds: step.duration)
        }
    }
}
