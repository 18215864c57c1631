// What a way has that another one has not: by it people tell two ways over the same bridges apart.

extension Path {
    /// Minutes on roads that none of some other paths takes; ramps are no roads to those who tell of a way.
    ///
    /// - Precondition: It was found on the network.
    package func minutesApart(from others: [Path], on network: RoadNetwork) -> Double {
        let taken = Set(others.flatMap { $0.pieces.map(\.arc) })
        return pieces.reduce(0) { minutes, piece in
            let isApart =
                !taken.contains(piece.arc) && !network.map.arcs[piece.arc].flags.contains(.link)
            return minutes + (isApart ? piece.minutes : 0)
        }
    }

    /// The longest road that it takes and another path does not, by name; nil if no road on which they differ has a name.
    ///
    /// - Precondition: Both were found on the network.
    package func roadApart(from other: Path, on network: RoadNetwork) -> String? {
        let taken = Set(other.pieces.map(\.arc))
        let others = Set(other.pieces.map { network.map.arcs[$0.arc].name })
        var metres: [UInt32: Double] = [:]
        for piece in pieces where !taken.contains(piece.arc) && piece.crossing == nil {
            let arc = network.map.arcs[piece.arc]
            guard arc.name != 0, !arc.flags.contains(.link) else { continue }
            metres[arc.name, default: 0] += piece.metres
        }
        // A road that the other does not take at all tells more, unless it is short beside one of which it takes another part.
        let own = metres.filter { name, _ in !others.contains(name) }
        guard let most = Self.longest(metres) else { return nil }
        let chosen = Self.longest(own).flatMap { $0.value * 2 >= most.value ? $0 : nil } ?? most
        return network.map.names[Int(chosen.key)]
    }

    /// The longest of some roads; of two the one whose name stands first in the map.
    private static func longest(_ metres: [UInt32: Double]) -> (key: UInt32, value: Double)? {
        metres.max { $0.value == $1.value ? $0.key > $1.key : $0.value < $1.value }
    }
}
