// A run as GeoJSON (RFC 7946): its line, its stops, its vehicle and the bridges before it; what `GET /trips/{id}/map` answers.
package import BridgecastAnswers
internal import BridgecastCore
internal import BridgecastTransit

/// A run for maps.
package struct TripMap: Sendable, JSONAnswer {
    private let trip: TripDocument
    /// The points of its line; from stop to stop where the feed has no shape.
    private let line: [GeoPoint]
    private let hasShape: Bool

    /// The map of a run; without any place it has no features.
    package init(_ trip: TripDocument) {
        self.trip = trip
        let shape = trip.trip.shape.map { trip.snapshot.feed.points(of: $0) } ?? []
        hasShape = shape.count > 1
        line = hasShape ? shape : trip.stops.compactMap(\.stop.point)
    }

    /// Writes it as a FeatureCollection; what every answer begins with stands in it as further members.
    package func write(to json: inout JSONWriter) {
        var clock = MomentText(trip.envelope.zone)
        json.object { json in
            json.field("type", "FeatureCollection")
            trip.envelope.write(into: &json, &clock)
            if let box = GeoBox(line) {
                json.list(
                    "bbox", [box.west, box.south, box.east, box.north], decimals: 6)
            }
            json.value(features: "features") { json in
                if line.count > 1 { writeLine(into: &json) }
                writeStops(into: &json, &clock)
                writeVehicle(into: &json, &clock)
                writeBridges(into: &json, &clock)
            }
        }
    }

    private func writeLine(into json: inout JSONWriter) {
        json.object { json in
            json.field("type", "Feature")
            json.object("geometry") { json in
                json.field("type", "LineString")
                json.list("coordinates", line) {
                    $0.value([$1.longitude, $1.latitude], decimals: 6)
                }
            }
            json.object("properties") { json in
                json.field("feature", "line")
                // Straight from stop to stop: not the way that it takes.
                json.field("approximate", !hasShape)
                trip.trip.write(into: &json)
            }
        }
    }

    private func writeStops(into json: inout JSONWriter, _ clock: inout MomentText) {
        for entry in trip.stops {
            json.feature(at: entry.stop.point) { json in
                json.field("feature", "stop")
                json.field("sequence", entry.departure.stopOrder + 1)
                entry.writeStop(into: &json)
                entry.writeTimes(into: &json, &clock)
                json.field("bridge_delay", entry.outlook)
            }
        }
    }

    private func writeVehicle(into json: inout JSONWriter, _ clock: inout MomentText) {
        guard let vehicle = trip.vehicle else { return }
        json.feature(at: vehicle.point) { json in
            json.field("feature", "vehicle")
            vehicle.writePlace(into: &json, &clock)
        }
    }

    private func writeBridges(into json: inout JSONWriter, _ clock: inout MomentText) {
        for entry in trip.bridges {
            let facts = BridgeCatalogue[entry.bridge.bridge]
            let point = GeoPoint(latitude: facts.latitude, longitude: facts.longitude)
            json.feature(at: point) { json in
                json.field("feature", "bridge")
                entry.writeFields(into: &json, &clock)
                json.list("reasons", entry.bridge.reasons)
            }
        }
    }
}

/// The smallest box around points.
private struct GeoBox {
    let west, south, east, north: Double

    /// Nil without points.
    init?(_ points: [GeoPoint]) {
        guard let first = points.first else { return nil }
        var (west, east) = (first.longitude, first.longitude)
        var (south, north) = (first.latitude, first.latitude)
        for point in points {
            (west, east) = (min(west, point.longitude), max(east, point.longitude))
            (south, north) = (min(south, point.latitude), max(north, point.latitude))
        }
        (self.west, self.south, self.east, self.north) = (west, south, east, north)
    }
}

extension JSONWriter {
    /// Writes a list of features, however they are come by.
    fileprivate mutating func value(
        features name: StaticString, _ body: (inout JSONWriter) -> Void
    ) { list(name, CollectionOfOne(())) { json, _ in body(&json) } }

    /// Writes a point with properties as a value; nothing where there is no point.
    fileprivate mutating func feature(
        at point: GeoPoint?, _ properties: (inout JSONWriter) -> Void
    ) {
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
