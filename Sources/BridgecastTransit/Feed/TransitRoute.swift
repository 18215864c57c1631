// Routes and agencies: routes.txt, agency.txt and directions.txt.
internal import BridgecastSupport
internal import BridgecastCore

/// An agency of agency.txt.
public struct TransitAgency: Sendable, Hashable, Codable {
    /// agency_id; empty if the feed's only agency has none.
    public let id: String
    /// agency_name.
    public let name: String
    /// agency_url.
    public let url: String
    /// agency_timezone, such as `America/Los_Angeles`.
    public let timeZone: String
}

/// A row of routes.txt.
public struct TransitRoute: Sendable, Hashable {
    /// Its row.
    public let index: RouteIndex
    /// route_id.
    public let id: String
    /// The agency's name.
    public let agency: String
    /// route_short_name, such as `542`; empty if it has none.
    public let shortName: String
    /// route_long_name, such as `Redmond - University District`; empty if it has none.
    public let longName: String
    /// Mode of transport.
    public let kind: TransitKind
    /// route_color as `RRGGBB`; nil if it has none.
    public let colour: String?
    /// route_text_color as `RRGGBB`; nil if it has none.
    public let textColour: String?

    /// The first of short name, long name and identifier that is not empty.
    public var title: String { shortName.isEmpty ? longName.isEmpty ? id : longName : shortName }
}

/// Mode of transport: route_type, extended types mapped to basic ones.
public enum TransitKind: UInt16, Sendable, CaseIterable {
    /// Trams, streetcars and light rail.
    case tram = 0
    /// Metros.
    case subway = 1
    /// Trains.
    case rail = 2
    /// Buses and coaches.
    case bus = 3
    /// Ferries.
    case ferry = 4
    /// Cable trams.
    case cableTram = 5
    /// Gondolas.
    case aerialLift = 6
    /// Funiculars.
    case funicular = 7
    /// Trolleybuses.
    case trolleybus = 11
    /// Monorails.
    case monorail = 12

    /// Whether it runs on roads, and so over drawbridges.
    public var isOnRoads: Bool { self == .bus || self == .trolleybus }

    /// Highest plausible speed between two fixes, metres per second.
    package var maxMetresPerSecond: Double {
        switch self {
        case .tram, .cableTram, .funicular, .aerialLift: 28
        case .bus, .trolleybus: 32
        case .ferry: 25
        case .subway, .monorail: 40
        case .rail: 60
        }
    }
}

/// routes.txt in columns.
package struct RouteTable: Sendable {
    package var ids = IdentifierTable()
    /// Indices in ``TransitFeed/agencies``.
    package var agencies: [Int32] = []
    package var shortNames = TextColumn()
    package var longNames = TextColumn()
    /// As ``TransitKind``.
    package var kinds: [UInt16] = []
    /// 0xRRGGBB, or ``noColour``.
    package var colours: [UInt32] = []
    package var textColours: [UInt32] = []
    /// route_sort_order; Int32.max if it has none.
    package var sortOrders: [Int32] = []
    /// Names of directions 0 and 1 from directions.txt, two a route; no texts at all without such a file.
    package var directionNames = TextColumn()

    package init() {}

    package var count: Int { ids.count }
    package static let noColour = UInt32.max
}

extension TransitFeed {
    /// The route of a row.
    public subscript(route: RouteIndex) -> TransitRoute {
        let row = route.position
        return TransitRoute(
            index: route, id: routes.ids[row], agency: agencies[Int(routes.agencies[row])].name,
            shortName: routes.shortNames[row], longName: routes.longNames[row],
            kind: TransitKind(rawValue: routes.kinds[row]) ?? .bus,
            colour: Self.hexadecimal(routes.colours[row]),
            textColour: Self.hexadecimal(routes.textColours[row]))
    }

    private static func hexadecimal(_ colour: UInt32) -> String? {
        guard colour != RouteTable.noColour else { return nil }
        let digits = String(colour, radix: 16)
        return String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }
}
