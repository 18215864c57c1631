// A line on a map as GeoJSON, with its stops and drawbridges along it.
package import BridgecastAnswers
internal import BridgecastCore
package import BridgecastSupport
package import BridgecastTransit

/// A line's patterns, stops and drawbridges as a FeatureCollection: `GET /routes/{id}/map`.
package struct LineMap: Sendable, JSONObjectAnswer {
    private let envelope: TransitEnvelope
    private let route: TransitRoute
    private let feed: TransitFeed
    private let patterns: [DrawnPattern]
    /// Its stops in the order of the patterns, each once, with where they are on patterns.
    private let stops: [(stop: StopIndex, calls: [Call])]
    /// Its bridges in the order of the catalogue, with where they are on patterns.
    private let bridges: [(bridge: BridgeIndex, calls: [Call])]

    /// A pattern with its path; nil where the feed has no coordinates.
    private struct DrawnPattern {
        let pattern: RoutePattern
        let geometry: RunGeometry?
        let crossings: [BridgeCrossings.Crossing]
    }

    /// Where a stop or a bridge is on a pattern.
    private struct Call {
        let pattern: RoutePattern
        /// The index among its stops; nil for a bridge.
        var order: Int?
        let metres: Double?
    }

    /// A map of a line; as ``TransitFeed/patterns(of:)``, then O(points and stops of its patterns).
    package init(
        _ route: RouteIndex, in feed: TransitFeed, _ crossings: BridgeCrossings,
        envelope: TransitEnvelope
    ) {
        self.envelope = envelope
        self.route = feed[route]
        self.feed = feed
        patterns = feed.patterns(of: route).all.map { pattern in
            let geometry = feed.geometry(of: pattern.trip)
            return DrawnPattern(
                pattern: pattern, geometry: geometry,
                crossings: Self.crossings(of: pattern, on: geometry, crossings, in: feed))
        }
        stops = Self.calls(of: patterns)
        bridges = Self.bridges(on: patterns)
    }

    /// The bridges of a pattern: what is before the first stop or after the last is not on the way of riders.
    private static func crossings(
        of pattern: RoutePattern, on geometry: RunGeometry?, _ crossings: BridgeCrossings,
        in feed: TransitFeed
    ) -> [BridgeCrossings.Crossing] {
        guard let geometry, geometry.isShape, let first = geometry.stopMetres.first,
            let last = geometry.stopMetres.last
        else { return [] }
        return crossings.of(pattern.trip, in: feed).filter { (first...last).contains($0.metres) }
    }

    private static func calls(of patterns: [DrawnPattern]) -> [(stop: StopIndex, calls: [Call])] {
        var order: [StopIndex] = []
        var calls: [StopIndex: [Call]] = [:]
        for drawn in patterns {
            for (index, stop) in drawn.pattern.stops.enumerated() {
                if calls[stop] == nil { order.append(stop) }
                calls[stop, default: []].append(
                    Call(
                        pattern: drawn.pattern, order: index,
                        metres: drawn.geometry?.stopMetres[index]))
            }
        }
        return order.map { ($0, calls[$0] ?? []) }
    }

    private static func bridges(
        on patterns: [DrawnPattern]
    ) -> [(bridge: BridgeIndex, calls: [Call])] {
        var calls: [BridgeIndex: [Call]] = [:]
        for drawn in patterns {
            for crossing in drawn.crossings {
                calls[crossing.bridge, default: []].append(
                    Call(pattern: drawn.pattern, metres: crossing.metres))
            }
        }
        return BridgeIndex.all.compactMap { bridge in calls[bridge].map { (bridge, $0) } }
    }

    package func writeFields(into json: inout JSONWriter) {
        var clock = ZonedTimeText(envelope.zone)
        json.field("type", "FeatureCollection")
        envelope.write(into: &json, &clock)
        json.object("route") { $0.fields(of: route) }
        json.field(
            boundsOf: patterns.compactMap(\.geometry).flatMap(\.line.points)
                + stops.compactMap { feed.stops.point($0.stop) })
        json.list("features", CollectionOfOne(())) { json, _ in
            for pattern in patterns { write(pattern, into: &json) }
            for (stop, calls) in stops { write(stop, calls, into: &json) }
            for (bridge, calls) in bridges { write(bridge, calls, into: &json) }
        }
    }

    private func write(_ drawn: DrawnPattern, into json: inout JSONWriter) {
        guard let geometry = drawn.geometry else { return }
        let pattern = drawn.pattern
        json.feature(along: geometry.line.points) { json in
            json.field("feature", "line")
            json.field("pattern", pattern.id)
            json.field("direction", pattern.direction)
            let trip = feed[pattern.trip]
            let headsign = trip.headsign
            json.field("headsign", headsign.isEmpty ? nil : headsign)
            json.field("trips", pattern.trips)
            json.field("is_main", pattern.isMain)
            json.field("length_m", geometry.line.length, decimals: 1)
            json.field("approximate", !geometry.isShape)
            json.field(route.serviceClass(ofTrip: trip.shortName, to: headsign))
            json.list("stops", objects: pattern.stops.indices) { json, order in
                json.field("id", feed.stops.ids[pattern.stops[order].position])
                json.field("sequence", order + 1)
                json.field("along_m", geometry.stopMetres[order], decimals: 1)
            }
            json.list("bridges", objects: drawn.crossings) { json, crossing in
                json.fields(of: crossing.bridge)
                json.field("along_m", crossing.metres, decimals: 1)
            }
        }
    }

    private func write(_ stop: StopIndex, _ calls: [Call], into json: inout JSONWriter) {
        json.feature(at: feed.stops.point(stop)) { json in
            json.field("feature", "stop")
            StopEntry(stop, in: feed).writeFields(into: &json)
            write(calls, into: &json)
        }
    }

    private func write(_ bridge: BridgeIndex, _ calls: [Call], into json: inout JSONWriter) {
        json.feature(at: BridgeCatalogue[bridge].point) { json in
            json.field("feature", "bridge")
            json.fields(of: bridge)
            write(calls, into: &json)
        }
    }

    private func write(_ calls: [Call], into json: inout JSONWriter) {
        json.list("calls", objects: calls) { json, call in
            json.field("pattern", call.pattern.id)
            json.field("direction", call.pattern.direction)
            if let order = call.order { json.field("sequence", order + 1) }
            json.field("along_m", call.metres, decimals: 1)
        }
    }
}
