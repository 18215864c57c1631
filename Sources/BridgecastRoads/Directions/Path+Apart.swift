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

    /// The roads that it takes and some other paths do not, by name; the one that tells it apart best comes first.
    ///
    /// - Precondition: All were found on the network.
    package func roadsApart(from others: [Path], on network: RoadNetwork) -> [String] {
        let map = network.map
        let pieces = others.flatMap(\.pieces)
        let (taken, known) = (Set(pieces.map(\.arc)), Set(pieces.map { map.arcs[$0.arc].name }))
        var metres: [UInt32: Double] = [:]
        for piece in self.pieces where !taken.contains(piece.arc) && piece.crossing == nil {
            let arc = map.arcs[piece.arc]
            guard arc.name != 0, !arc.flags.contains(.link) else { continue }
            // A road that no other way takes tells twice as much as another part of one that they do.
            metres[arc.name, default: 0] +=
                known.contains(arc.name) ? piece.metres : 2 * piece.metres
        }
        return metres.sorted { $0.value == $1.value ? $0.key < $1.key : $0.value > $1.value }
            .map { map.names[Int($0.key)] }
    }
}
