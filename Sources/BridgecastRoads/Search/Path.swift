// A way through the network, as the search finds it; directions and routes are made from it.

/// A way through the network: stretches of road with crossings of water between them.
public struct Path: Sendable, Equatable {
    /// A piece of road, as far as it is travelled.
    public struct Piece: Sendable, Equatable {
        /// Metres, and minutes at the pace of the hour, with what the turn onto it takes.
        public let metres, minutes: Double
        /// Index into ``RoadNetwork/crossings``, if it crosses water.
        public let crossing: Int?
        /// Its arc of the map.
        package let arc: Int
        /// Where on the arc it begins and ends, 0...1.
        package let start, end: Double

        package init(
            arc: Int, start: Double, end: Double, metres: Double, minutes: Double, crossing: Int?
        ) {
            (self.arc, self.start, self.end) = (arc, start, end)
            (self.metres, self.minutes, self.crossing) = (metres, minutes, crossing)
        }
    }

    /// In order.
    public let pieces: [Piece]
    /// Minutes with the network's ``Reluctance`` on top, by which it was chosen.
    package let costMinutes: Double
    /// How the search came by it; nil of a way on one piece of road, or of pieces that somebody has put together.
    let trace: PathTrace?

    package init(pieces: [Piece], costMinutes: Double? = nil) {
        self.init(pieces: pieces, costMinutes: costMinutes, trace: nil)
    }

    init(pieces: [Piece], costMinutes: Double?, trace: PathTrace?) {
        self.pieces = pieces
        self.costMinutes = costMinutes ?? pieces.reduce(0) { $0 + $1.minutes }
        self.trace = trace
    }

    /// Whether both take the same roads, and were chosen at the same cost; by which search does not matter.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.pieces == rhs.pieces && lhs.costMinutes == rhs.costMinutes
    }

    /// Minutes without delays at bridges.
    public var minutes: Double { pieces.reduce(0) { $0 + $1.minutes } }
    /// Metres.
    public var metres: Double { pieces.reduce(0) { $0 + $1.metres } }
    /// Crossings in order, indices into ``RoadNetwork/crossings``; a crossing is one piece of road.
    public var crossings: [Int] { pieces.compactMap(\.crossing) }

    /// Minutes on roads that another path does not take.
    package func minutes(besides other: Path) -> Double {
        let taken = Set(other.pieces.map(\.arc))
        return pieces.reduce(0) { $0 + (taken.contains($1.arc) ? 0 : $1.minutes) }
    }

    /// Whether another path crosses all that this one crosses, in the same order, and more.
    package func crossesLess(than other: Path) -> Bool {
        let (own, others) = (crossings, other.crossings)
        var rest = own[...]
        for crossing in others where crossing == rest.first { rest.removeFirst() }
        return rest.isEmpty && own.count < others.count
    }
}
