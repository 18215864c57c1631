// The seven bridges themselves are in BridgeCatalogue.swift.

/// A movable bridge and its fixed facts.
public struct Bridge: Sendable, Equatable {
    /// The city's id.
    public let id: BridgeID
    /// The city's name.
    public let name: String
    /// Other spellings people and feeds use.
    let aliases: [String]
    /// Degrees north, as in the city's records.
    public let latitude: Double
    /// Degrees east, as in the city's records.
    public let longitude: Double
    /// The channel it crosses.
    public let waterway: Waterway
    /// Miles from the channel's mouth (33 CFR 117.1041, 117.1051).
    public let waterwayMile: Double
    /// Vertical clearance of the lowered span in feet (seattle.gov bridge pages).
    public let clearanceFeet: Double
    /// When its tender need not open (33 CFR 117.1041, 117.1051).
    public let rules: NavigationRules
    /// Road traffic on an ordinary weekday.
    public let traffic: TrafficCounts
    /// The name as people say it: "Fremont Bridge".
    public var spokenName: String { "\(name) Bridge" }
    /// Where it is.
    public var point: GeoPoint { GeoPoint(latitude: latitude, longitude: longitude) }
    /// Whether the city's live feed has a sensor at it.
    public var hasLiveSensor: Bool { BridgeCatalogue.idsWithLiveSensor.contains(id) }
}

extension Bridge: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, name, latitude, longitude, waterway, waterwayMile, clearanceFeet, hasLiveSensor
    }

    /// Reads a bridge by its id; the other facts are the catalogue's.
    ///
    /// - Throws: `DecodingError` if the catalogue has no bridge of that id.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self = BridgeCatalogue[try container.decode(BridgeIndex.self, forKey: .id)]
    }

    /// Writes its names and position; rules and traffic are the catalogue's.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(name, forKey: .name)
        try container.encode(latitude, forKey: .latitude)
        try container.encode(longitude, forKey: .longitude)
        try container.encode(waterway, forKey: .waterway)
        try container.encode(waterwayMile, forKey: .waterwayMile)
        try container.encode(clearanceFeet, forKey: .clearanceFeet)
        try container.encode(hasLiveSensor, forKey: .hasLiveSensor)
    }
}

/// A channel whose bridges the same vessels pass one after another.
public enum Waterway: String, Sendable, Codable {
    /// Lake Washington Ship Canal, from the locks to Union Bay.
    case shipCanal = "Lake Washington Ship Canal"
    /// Duwamish Waterway, upstream from Elliott Bay.
    case duwamish = "Duwamish Waterway"
}

/// A bridge's id in the city's data (`entityid` of data set gm8h-9449, `BridgeID` of the live feed).
public struct BridgeID: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// The city's number.
    public let rawValue: Int

    /// Creates an id from the city's number.
    public init(_ rawValue: Int) { self.rawValue = rawValue }

    /// Creates an id from a bare number.
    public init(from decoder: any Decoder) throws {
        rawValue = try decoder.singleValueContainer().decode(Int.self)
    }

    /// Writes the id as a bare number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    /// Orders by number.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }

    /// The number as text.
    public var description: String { String(rawValue) }
}

/// A bridge's index in ``BridgeCatalogue/seattle``, 0..<7, and in every per-bridge table; not its id in the city's
/// data.
public struct BridgeIndex: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// 0..<``BridgeCatalogue/count``.
    public let rawValue: Int

    init(_ rawValue: Int) { self.rawValue = rawValue }

    /// The city's name of the bridge.
    public var description: String { BridgeCatalogue[self].name }

    /// Orders as the catalogue does.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }

    /// Every index, in order.
    public static let all = (0..<BridgeCatalogue.count).map(BridgeIndex.init)

    /// 15th Ave NW over the Ship Canal.
    public static let ballard = BridgeIndex(0)
    /// Fremont Ave N over the Ship Canal.
    public static let fremont = BridgeIndex(1)
    /// Eastlake Ave NE over the Ship Canal.
    public static let university = BridgeIndex(2)
    /// Montlake Blvd NE over the Ship Canal.
    public static let montlake = BridgeIndex(3)
    /// The swing bridge of SW Spokane St over the Duwamish.
    public static let lowerSpokaneSt = BridgeIndex(4)
    /// 1st Ave S over the Duwamish.
    public static let firstAveSouth = BridgeIndex(5)
    /// 14th Ave S over the Duwamish.
    public static let southPark = BridgeIndex(6)
}

extension BridgeIndex: Codable {
    /// Reads the city's id of a bridge, a bare number.
    ///
    /// - Throws: `DecodingError` if the catalogue has no bridge of that id.
    public init(from decoder: any Decoder) throws {
        let id = try BridgeID(from: decoder)
        guard let index = BridgeCatalogue.index(of: id) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription:
                        "there is no bridge \(id); known: \(BridgeCatalogue.namesByID)"))
        }
        self = index
    }

    /// Writes the city's id of the bridge, a bare number, which stays the same when the catalogue grows.
    public func encode(to encoder: any Encoder) throws {
        try BridgeCatalogue[self].id.encode(to: encoder)
    }
}
