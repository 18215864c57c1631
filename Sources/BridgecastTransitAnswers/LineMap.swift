// A line on a map as GeoJSON, with its stops and drawbridges along it; and the lines of a timetable as JSON.
package import BridgecastAnswers
internal import BridgecastCore
package import BridgecastSupport
package import BridgecastTransit

/// A line's patterns, stops and drawbridges as a FeatureCollection: `GET /routes/{id}/map`.
package struct LineMap: Sendable, JSONObjectAnswer {
    private let envelope: TransitEnvelope
    private let route: TransitRoute
    private let feed: TransitFeed
    private let patterns: [RoutePattern]
    /// By pattern; nil where the feed has no coordinates.
    private let geometries: [RunGeometry?]
    /// By pattern.
    private let crossings: [[BridgeCrossings.Crossing]]
    /// Its stops in the order of the patterns, each once.
    private let stops: [StopIndex]

    /// A map of a line; O(trips of the feed) at first, then O(points of its patterns).
    package init(
        _ route: RouteIndex, in feed: TransitFeed, _ crossings: BridgeCrossings,
        envelope: TransitEnvelope
    ) {
        self.envelope = envelope
        self.route = feed[route]
        self.feed = feed
        patterns = feed.patterns(of: route).all
        let geometries = patterns.map { feed.geometry(of: $0.trip) }
        self.geometries = geometries
        // What is before the first stop or after the last is not on the way of riders.
        self.crossings = patterns.map { pattern in
            guard let geometry = geometries[pattern.number], geometry.isShape,
                let first = geometry.stopMetres.first, let last = geometry.stopMetres.last
            else { return [] }
            return crossings.of(pattern.trip, in: feed).filter {
                (first...last).contains($0.metres)
            }
        }
        var seen: Set<StopIndex> = []
        stops = patterns.flatMap(\.stops).filter { seen.insert($0).inserted }
    }

    package func writeFields(into json: inout JSONWriter) {
        var clock = ZonedTimeText(envelope.zone)
        json.field("type", "FeatureCollection")
        envelope.write(into: &json, &clock)
        json.object("route") { $0.fields(of: route) }
        json.field(
            boundsOf: geometries.compactMap { $0 }.flatMap(\.line.points)
                + stops.compactMap { feed.stops.point($0) })
        json.list("features", CollectionOfOne(())) { json, _ in
            for pattern in patterns { write(pattern, into: &json) }
            for stop in stops { write(stop, into: &json) }
            for bridge in BridgeIndex.all { write(bridge, into: &json) }
        }
    }

    private func write(_ pattern: RoutePattern, into json: inout JSONWriter) {
        guard let geometry = geometries[pattern.number] else { return }
        json.feature(along: geometry.line.points) { json in
            json.field("feature", "line")
            json.field("pattern", pattern.number)
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
            json.list("bridges", objects: crossings[pattern.number]) { json, crossing in
                json.fields(of: crossing.bridge)
                json.field("along_m", crossing.metres, decimals: 1)
            }
        }
    }

    private func write(_ stop: StopIndex, into json: inout JSONWriter) {
        json.feature(at: feed.stops.point(stop)) { json in
            json.field("feature", "stop")
            StopEntry(stop, in: feed).writeFields(into: &json)
            let calls = patterns.flatMap { pattern in
                pattern.stops.indices.filter { pattern.stops[$0] == stop }.map { (pattern, $0) }
            }
            json.list("calls", objects: calls) { json, call in
                let (pattern, order) = call
                json.field("pattern", pattern.number)
                json.field("direction", pattern.direction)
                json.field("sequence", order + 1)
                json.field("along_m", geometries[pattern.number]?.stopMetres[order], decimals: 1)
            }
        }
    }

    private func write(_ bridge: BridgeIndex, into json: inout JSONWriter) {
        let calls = patterns.flatMap { pattern in
            crossings[pattern.number].filter { $0.bridge == bridge }.map { (pattern, $0.metres) }
        }
        guard !calls.isEmpty else { return }
        let facts = BridgeCatalogue[bridge]
        json.feature(at: facts.point) { json in
            json.field("feature", "bridge")
            json.fields(of: bridge)
            json.list("calls", objects: calls) { json, call in
                let (pattern, metres) = call
                json.field("pattern", pattern.number)
                json.field("direction", pattern.direction)
                json.field("along_m", metres, decimals: 1)
            }
        }
    }
}

/// The lines of a timetable, or those that a text names: `GET /lines`.
package struct LinesDocument: Sendable, JSONAnswer {
    package let envelope: TransitEnvelope
    /// Those of the page that was asked for.
    package let lines: [TransitRoute]
    /// How many there are in all.
    package let total: Int
    private let crossings: BridgeCrossings

    /// - Parameters:
    ///   - text: Only lines whose names or identifiers contain it, the best first; nil for all.
    ///   - range: Which part of the matching list is shown.
    package init(
        matching text: String?, in feed: TransitFeed, _ crossings: BridgeCrossings,
        showing range: Range<Int>, envelope: TransitEnvelope
    ) {
        self.envelope = envelope
        self.crossings = crossings
        let found = feed.routes(matching: text)
        total = found.count
        lines = found.dropFirst(range.lowerBound).prefix(range.count).map { feed[$0] }
    }

    package func write(to json: inout JSONWriter) {
        envelope.writeDocument(to: &json) { json, _ in
            json.field("total", total)
            json.list("lines", objects: lines) { json, line in
                json.fields(of: line)
                let bridges = BridgeIndex.all.filter {
                    crossings.routes(over: $0).contains(line.index)
                }
                json.list("bridges", objects: bridges) { $0.fields(of: $1) }
            }
        }
    }
}

// MARK: - GeoJSON

extension JSONWriter {
    /// Writes `bbox`: west, south, east, north; nothing without points.
    mutating func field(boundsOf points: [GeoPoint]) {
        guard let south = points.map(\.latitude).min(), let north = points.map(\.latitude).max(),
            let west = points.map(\.longitude).min(), let east = points.map(\.longitude).max()
        else { return }
        list("bbox", [west, south, east, north], decimals: 6)
    }

    /// Writes a line with properties as a value.
    mutating func feature(along line: [GeoPoint], _ properties: (inout JSONWriter) -> Void) {
        object { json in
            json.field("type", "Feature")
            json.object("geometry") { json in
                json.field("type", "LineString")
                json.list("coordinates", line) {
                    $0.value([$1.longitude, $1.latitude], decimals: 6)
                }
            }
            json.object("properties") { properties(&$0) }
        }
    }

    /// Writes a point with properties as a value; nothing where there is no point.
    mutating func feature(at point: GeoPoint?, _ properties: (inout JSONWriter) -> Void) {
        guard let point else { return }
        object { json in
            json.field("type", "Feature")
            json.object("geometry") { json in
                json.field("type", "Point")
                json.list("coordinates", [point.longitude, point.latitude], decimals: 6)
            }
            json.object("properties") { properties(&$0) }
        }
    }
}
