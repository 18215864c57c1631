// What is known of the bridges at issue time: the only door from records to features.

/// What is known of all bridges at issue time.
public struct Situation: Sendable, Equatable {
    /// The moment the forecast is made.
    public let issueTime: Timestamp
    /// One entry per bridge, by ``BridgeIndex``.
    public package(set) var bridges: [BridgeSituation]

    /// A situation in which nothing is known but the time.
    public static func unknown(at issueTime: Timestamp) -> Situation {
        Situation(issueTime: issueTime, bridges: unknownBridges)
    }

    private static let unknownBridges = Array(
        repeating: BridgeSituation.unknown, count: BridgeCatalogue.count)

    /// What is known of one bridge.
    public subscript(bridge: BridgeIndex) -> BridgeSituation {
        get { bridges[bridge.rawValue] }
        set { bridges[bridge.rawValue] = newValue }
    }
}
