// A way through the network, as the search finds it.

/// A way through the network: stretches of road with crossings of water between them.
public struct Path: Sendable, Equatable {
    /// A piece of road.
    public struct Piece: Sendable, Equatable {
        /// Name of the road.
        public let road: String
        /// Metres, and minutes at the speed of the hour.
        public let metres, minutes: Double
        /// Index into ``RoadNetwork/crossings``, if it crosses water.
        public let crossing: Int?
        /// Where it ends.
        public let end: GeoPoint
    }

    /// In order.
    public let pieces: [Piece]

    /// Minutes without delays at bridges.
    public var minutes: Double { pieces.reduce(0) { $0 + $1.minutes } }
    /// Metres.
    public var metres: Double { pieces.reduce(0) { $0 + $1.metres } }
    /// Crossings in order, indices into ``RoadNetwork/crossings``.
    public var crossings: [Int] { pieces.compactMap(\.crossing) }
}
