// What a drawbridge is: position, waterway and the rules its tender follows.
// Belongs here: what the drawbridges are: facts, ids, decks, rules; not: what they do (Openings, Live).

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
    /// The name as people say it, such as "Fremont Bridge".
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

    /// Writes what tells it apart and where it is; rules and traffic are the catalogue's.
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
