// Where the bridges are on the map, and which of them a line crosses.
import Foundation

/// A bridge's deck over the water: drawbridges, and the fixed bridges next to them.
public struct BridgeDeck: Sendable, Equatable {
    /// The name as people say it.
    public let name: String
    /// The drawbridge, or nil if it never opens.
    public let bridge: BridgeIndex?
    let point: GeoPoint
    private let middle: PlanePoint
    /// Unit vector along the deck.
    private let axis: (x: Double, y: Double)

    /// A line must pass at most this far from the middle of the water, metres: half the distance between the
    /// closest neighbours, and more than the error of simplified lines and parallel lanes.
    static let corridorMetres = 60.0
    /// It must reach both shores, this far from the middle along the deck, metres.
    static let halfSpanMetres = 35.0

    private init(name: String, bridge: BridgeIndex?, point: GeoPoint, bearing: Double) {
        self.name = name
        self.bridge = bridge
        self.point = point
        middle = LocalPlane.seattle.position(of: point)
        axis = (sin(bearing * .pi / 180), cos(bearing * .pi / 180))
    }

    /// Whether both are of the same bridge.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.name == rhs.name }

    /// All decks.
    ///
    /// Middles of drawbridges are the city's; the others, and the bearings, are from maps.
    public static let seattle: [BridgeDeck] = {
        let bearings: [String: Double] = [
            "Ballard": 0, "Fremont": 0, "University": 25, "Montlake": 0, "Lower Spokane St": 90,
            "1st Ave South": 5, "South Park": 0,
        ]
        let drawbridges = BridgeIndex.all.map { index in
            let bridge = BridgeCatalogue[index]
            return BridgeDeck(
                name: bridge.spokenName, bridge: index, point: bridge.point,
                bearing: bearings[bridge.name] ?? 0)
        }
        func fixed(
            _ name: String, at latitude: Double, _ longitude: Double, bearing: Double
        ) -> BridgeDeck {
            BridgeDeck(
                name: name, bridge: nil,
                point: GeoPoint(latitude: latitude, longitude: longitude), bearing: bearing)
        }
        return drawbridges + [
            fixed("Aurora Bridge", at: 47.64665, -122.34735, bearing: 0),
            fixed("I-5 Ship Canal Bridge", at: 47.65345, -122.32235, bearing: 0),
            fixed("West Seattle Bridge", at: 47.57065, -122.35350, bearing: 90),
            fixed("SR 520 floating bridge", at: 47.64000, -122.26000, bearing: 100),
            fixed("I-5 across the Duwamish", at: 47.49900, -122.27560, bearing: 165),
        ]
    }()

    /// Position relative to the middle: metres along the deck, and across it.
    func position(_ point: PlanePoint) -> (along: Double, across: Double) {
        let dx = point.x - middle.x
        let dy = point.y - middle.y
        return (dx * axis.x + dy * axis.y, dx * axis.y - dy * axis.x)
    }

    /// The decks that a line of points crosses, in order; O(points x decks).
    ///
    /// A line crosses a deck if it passes from one shore to the other within the corridor. One that runs
    /// along the water under the bridge, turns round on it or crosses on another bridge does not; where two
    /// decks qualify, the nearer one is meant.
    public static func crossings(of points: [GeoPoint]) -> [DeckCrossing] {
        let line = points.map(LocalPlane.seattle.position)
        let found = seattle.flatMap { $0.crossings(of: line) }.sorted { $0.position < $1.position }
        return found.enumerated().filter { index, crossing in
            !found.enumerated().contains { other, rival in
                other != index && rival.deck != crossing.deck && rival.deck.isNear(crossing.deck)
                    && abs(rival.position - crossing.position) < 1.5
                    && (rival.across, other) < (crossing.across, index)
            }
        }.map(\.element)
    }

    /// Whether both decks could be meant by one crossing.
    private func isNear(_ other: BridgeDeck) -> Bool {
        middle.metres(to: other.middle) < 4 * Self.corridorMetres
    }

    private func crossings(of line: [PlanePoint]) -> [DeckCrossing] {
        guard line.count >= 2 else { return [] }
        var result: [DeckCrossing] = []
        /// The shore last touched within the corridor, -1 or 1; 0 if the line has left the corridor since.
        var shore = 0
        var middlePassed: (position: Double, across: Double)?
        var before = position(line[0])
        if abs(before.across) <= Self.corridorMetres, abs(before.along) >= Self.halfSpanMetres,
            abs(before.along) < 400
        {
            shore = before.along < 0 ? -1 : 1
        }
        for index in 1..<line.count {
            let after = position(line[index])
            defer { before = after }
            // Far from the deck, as nearly all pieces are.
            if min(abs(before.across), abs(after.across)) > 5_000 { continue }
            // Where the piece meets the near shore, the middle and the far shore, in the order it does.
            let lines = [-Self.halfSpanMetres, 0, Self.halfSpanMetres]
            let isForward = after.along >= before.along
            for target in isForward ? lines : lines.reversed() {
                let a = before.along - target
                let b = after.along - target
                guard a != b, (a < 0) != (b < 0) else { continue }
                let share = a / (a - b)
                let across = before.across + share * (after.across - before.across)
                guard abs(across) <= Self.corridorMetres else {
                    shore = 0
                    middlePassed = nil
                    continue
                }
                let side = target < 0 ? -1 : target > 0 ? 1 : 0
                if side == 0 {
                    middlePassed = (Double(index - 1) + share, abs(across))
                } else {
                    if let passed = middlePassed, shore == -side {
                        result.append(
                            DeckCrossing(
                                deck: self, position: passed.position, across: passed.across))
                    }
                    shore = side
                    middlePassed = nil
                }
            }
        }
        return result
    }
}

/// A crossing of a deck by a line.
public struct DeckCrossing: Sendable, Equatable {
    /// The deck.
    public let deck: BridgeDeck
    /// Position along the line: the number of its piece plus the share of it passed, 0 ..< points - 1.
    public let position: Double
    let across: Double
}
