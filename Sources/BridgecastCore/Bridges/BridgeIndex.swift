// A bridge's place in our tables, which must not be mixed up with its id in the city's data.

/// A bridge's place in ``BridgeCatalogue/seattle``, 0..<7: the index of every per-bridge table.
public struct BridgeIndex: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The place, 0..<``BridgeCatalogue/count``.
    public let rawValue: Int

    init(_ rawValue: Int) { self.rawValue = rawValue }

    /// The city's name of the bridge.
    public var description: String { BridgeCatalogue[self].name }

    /// Orders by place in the catalogue.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }

    /// Every place, in order.
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

    /// Writes the city's id of the bridge, a bare number: it stays when the catalogue grows.
    public func encode(to encoder: any Encoder) throws {
        try BridgeCatalogue[self].id.encode(to: encoder)
    }
}
