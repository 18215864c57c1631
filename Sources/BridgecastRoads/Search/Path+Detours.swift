// Ways that nobody would take who has a map; the planner does not show them.

extension Path {
    /// Whether it gets off a motorway or an expressway and joins the same one again.
    ///
    /// Only who drives on a street, or on a road of another number, has got off: a ramp, a tunnel or a bridge with a
    /// name of its own, and express lanes are the road itself. Lanes beside a freeway that gather what joins and
    /// leaves it are ramps: who takes them and stays on the freeway has got off.
    /// - Precondition: The path was found on the network.
    package func rejoinsMotorway(on network: RoadNetwork) -> Bool {
        var (left, current): (Set<Substring>, Set<Substring>) = ([], [])
        var (last, rampMetres): (UInt32?, Double) = (nil, 0)
        for piece in pieces {
            let arc = network.map.arcs[piece.arc]
            guard !arc.flags.contains(.link) else {
                rampMetres += piece.metres
                continue
            }
            guard arc.roadClass.isForThroughTraffic else {
                left.formUnion(current)
                (current, last) = ([], nil)
                continue
            }
            if last == arc.name, rampMetres >= Self.longRampMetres { return true }
            (last, rampMetres) = (arc.name, 0)
            // A bridge on the way has a name of its own.
            guard piece.crossing == nil else { continue }
            let name = network.map.names[Int(arc.name)]
            let number = Self.number(of: name)
            let road = number ?? name[...]
            guard !road.isEmpty, !current.contains(road) else { continue }
            // What has a name alone may be the same road, as Aurora Ave N is SR 99.
            if number != nil, current.contains(where: { Self.number(of: $0) != nil }) {
                left.formUnion(current)
                current = []
            }
            if left.contains(road) { return true }
            current.insert(road)
        }
        return false
    }

    /// Ramps between parts of one road that are longer than this lead beside it.
    private static let longRampMetres = 400.0

    /// The number that a road's name begins with: that of "SR 99 Tunnel" is "SR 99", that of "I-5 express lanes" "I-5".
    private static func number(of name: some StringProtocol) -> Substring? {
        let words = name.split(separator: " ", maxSplits: 2)
        if let first = words.first, first.hasPrefix("I-"), Int(first.dropFirst(2)) != nil {
            return Substring(first)
        }
        guard words.count > 1, words[0] == "SR", Int(words[1]) != nil else { return nil }
        return "SR \(words[1])"
    }
}

extension RoadClass {
    fileprivate var isForThroughTraffic: Bool { self == .motorway || self == .trunk }
}
