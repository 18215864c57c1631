// A stop as JSON: what it is called, where it is, what can be done there; part of lists, boards and trips.
internal import BridgecastAnswers
internal import BridgecastCore
package import BridgecastTransit

/// A stop or station for documents.
package struct StopEntry: Sendable {
    /// The stop.
    package let stop: TransitStop
    /// The station that it belongs to; nil if to none.
    package let station: TransitStop?
    /// Where it stands on its route; nil outside of one.
    package let call: RouteStops.Call?
    /// Metres from where somebody is; nil where nobody asks.
    package let metres: Double?

    /// An entry of a stop.
    package init(
        _ stop: StopIndex, in feed: TransitFeed, call: RouteStops.Call? = nil, metres: Double? = nil
    ) {
        self.stop = feed[stop]
        station = self.stop.parent.map { feed[$0] }
        (self.call, self.metres) = (call, metres)
    }

    func write(to json: inout JSONWriter) { json.object { writeFields(into: &$0) } }

    /// Writes its fields into an object that is open.
    func writeFields(into json: inout JSONWriter) {
        json.field("id", stop.id)
        json.field("code", stop.code.isEmpty ? nil : stop.code)
        json.field("name", stop.name)
        json.field("lat", stop.point?.latitude, decimals: 6)
        json.field("lon", stop.point?.longitude, decimals: 6)
        json.field("kind", stop.kind.word)
        json.field("platform", stop.platform.isEmpty ? nil : stop.platform)
        json.field("station_id", station?.id)
        json.field("wheelchair", stop.wheelchair.word)
        if let call {
            json.field("direction", call.direction)
            json.field("sequence", call.sequence)
        }
        if let metres { json.field("distance_m", metres, decimals: 1) }
    }
}

extension TransitStop.Kind {
    /// `stop`, `station`, `entrance`, `node` or `boarding_area`.
    package var word: String {
        switch self {
        case .stop: "stop"
        case .station: "station"
        case .entrance: "entrance"
        case .node: "node"
        case .boardingArea: "boarding_area"
        }
    }
}
