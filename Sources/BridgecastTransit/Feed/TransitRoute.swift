// Routes and who runs them: routes.txt and agency.txt.
internal import BridgecastCore

/// An agency of agency.txt.
public struct TransitAgency: Sendable, Hashable, Codable {
    /// Its identifier; empty where the feed has one agency and gives none.
    public let id: String
    /// For people.
    public let name: String
    /// Its page.
    public let url: String
    /// Its clock, such as `America/Los_Angeles`.
    public let timeZone: String
}

/// A line as people know it.
public struct TransitRoute: Sendable, Hashable {
    /// Its row.
    public let index: RouteIndex
    /// Its identifier in the feed.
    public let id: String
    /// Its agency's name.
    public let agency: String
    /// Such as `542`; empty if it has none.
    public let shortName: String
    /// Such as `Redmond - University District`; empty if it has none.
    public let longName: String
    /// What runs on it.
    public let kind: TransitKind
    /// Its colour as `RRGGBB`; nil where the feed gives none.
    public let colour: String?
    /// The colour of letters on it.
    public let textColour: String?

    /// The short name, or the long one where there is none, or the identifier.
    public var title: String { shortName.isEmpty ? longName.isEmpty ? id : longName : shortName }
}

/// What runs on a route: route_type, of which the extended ones are folded onto the basic ones.
public enum TransitKind: UInt16, Sendable, CaseIterable {
    /// Trams, streetcars and light rail.
    case tram = 0
    /// Metros.
    case subway = 1
    /// Trains.
    case rail = 2
    /// Buses and coaches.
    case bus = 3
    /// Ships.
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

    /// Whether it drives on roads, and so over their drawbridges.
    public var isOnRoads: Bool { self == .bus || self == .trolleybus }

    /// The fastest that it plausibly goes between two fixes, metres per second.
    package var mostMetresPerSecond: Double {
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
    /// Places in ``TransitFeed/agencies``.
    package var agencies: [Int32] = []
    package var shortNames = TextColumn()
    package var longNames = TextColumn()
    /// As ``TransitKind``.
    package var kinds: [UInt16] = []
    /// 0xRRGGBB; ``noColour`` where there is none.
    package var colours: [UInt32] = []
    package var textColours: [UInt32] = []
    /// route_sort_order; Int32.max where there is none.
    package var sortOrders: [Int32] = []
    /// What directions.txt calls directions 0 and 1 of each route, two texts a route; without any where there is no
    /// such file.
    package var directionNames = TextColumn()

    package init() {}

    package var count: Int { ids.count }
    package static let noColour = UInt32.max
}

extension TransitFeed {
    /// A route.
    public subscript(route: RouteIndex) -> TransitRoute {
        let row = route.position
        return TransitRoute(
            index: route, id: routes.ids[row], agency: agencies[Int(routes.agencies[row])].name,
            shortName: routes.shortNames[row], longName: routes.longNames[row],
            kind: TransitKind(rawValue: routes.kinds[row]) ?? .bus,
            colour: Self.hexadecimal(routes.colours[row]),
            textColour: Self.hexadecimal(routes.textColours[row]))
    }

    /// What the feed calls a route's direction, 0 or 1, such as `North`; nil where it does not say (directions.txt).
    package func directionName(_ direction: Int, of route: RouteIndex) -> String? {
        let place = 2 * route.position + direction
        guard (0...1).contains(direction), place < routes.directionNames.count,
            !routes.directionNames.isEmpty(place)
        else { return nil }
        return routes.directionNames[place]
    }

    private static func hexadecimal(_ colour: UInt32) -> String? {
        guard colour != RouteTable.noColour else { return nil }
        let digits = String(colour, radix: 16)
        return String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }
}
