// Names and colours that transit documents use for what feeds write as numbers.
package import BridgecastAnswers
internal import BridgecastSupport
package import BridgecastTransit

extension Accessibility {
    /// `accessible`, `inaccessible` or `unknown`.
    package var name: String {
        switch self {
        case .unknown: "unknown"
        case .accessible: "accessible"
        case .inaccessible: "inaccessible"
        }
    }
}

extension TransitKind {
    /// Such as `bus` or `cable_tram`.
    package var name: String {
        switch self {
        case .tram: "tram"
        case .subway: "subway"
        case .rail: "rail"
        case .bus: "bus"
        case .ferry: "ferry"
        case .cableTram: "cable_tram"
        case .aerialLift: "aerial_lift"
        case .funicular: "funicular"
        case .trolleybus: "trolleybus"
        case .monorail: "monorail"
        }
    }
}

extension TransitRoute {
    /// Its colour as web pages write it, such as `#E74C3C`; nil where the feed gives none.
    package var webColour: String? { colour.map { "#" + $0.uppercased() } }
    package var webTextColour: String? { textColour.map { "#" + $0.uppercased() } }
}

extension TripRelationship {
    /// As GTFS-realtime spells it, in small letters.
    package var name: String {
        switch self {
        case .scheduled: "scheduled"
        case .added: "added"
        case .unscheduled: "unscheduled"
        case .cancelled: "canceled"
        case .replacement: "replacement"
        case .duplicated: "duplicated"
        case .deleted: "deleted"
        case .new: "new"
        }
    }
}
