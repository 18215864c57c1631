// Where bridges stand on the ground: how a line on the map is found to cross one.
import Foundation

/// A bridge's deck over the water: drawbridges, and the fixed bridges that stand beside them.
public struct BridgeDeck: Sendable, Equatable {
    /// For people.
    public let name: String
    /// The drawbridge, or nil if it never opens.
    public let bridge: BridgeIndex?
    /// The middle of the water.
    let point: GeoPoint
    let middle: LocalPlane
    /// Degrees from north along the deck, 0 ..< 180.
    private let degrees: Double
    /// Unit vector along the deck.
    private let axis: (x: Double, y: Double)

    /// A line must pass at most so far from the middle of the water, metres: half of what lies between the
    /// closest neighbours, and more than what simplified lines and parallel lanes are off.
    static let corridorMetres = 60.0
    /// It must reach both shores, so far from the middle along the deck, metres.
    static let halfSpanMetres = 35.0

    private init(
        _ name: String, _ bridge: BridgeIndex?, _ point: GeoPoint, bearing: Double
    ) {
        self.name = name
        self.bridge = bridge
        self.point = point
        middle = LocalPlane(point)
        degrees = bearing
        axis = (sin(bearing * .pi / 180), cos(bearing * .pi / 180))
    }

    /// Decks that stand for the same bridge.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.name == rhs.name }

    /// All decks.
    ///
    /// Middles of drawbridges are the city's; the others, and the directions in degrees from
    /// north, are read off maps.
    public static let seattle: [BridgeDeck] = {
        let bearings: [String: Double] = [
            "Ballard": 0, "Fremont": 0, "University": 25, "Montlake": 0, "Lower Spokane St": 90,
            "1st Ave South": 5, "South Park": 0,
        ]
        let drawbridges = BridgeIndex.all.map { index in
            let bridge = BridgeCatalogue[index]
            return BridgeDeck(
                bridge.spokenName, index, bridge.point, bearing: bearings[bridge.name] ?? 0)
        }
        func fixed(
            _ name: String, _ latitude: Double, _ longitude: Double, _ bearing: Double
        ) -> BridgeDeck {
            BridgeDeck(
                name, nil, GeoPoint(latitude: latitude, longitude: longitude), bearing: bearing)
        }
        return drawbridges + [
            fixed("Aurora Bridge", 47.64665, -122.34735, 0),
            fixed("I-5 Ship Canal Bridge", 47.65345, -122.32235, 0),
            fixed("West Seattle Bridge", 47.57065, -122.35350, 90),
            fixed("SR 520 floating bridge", 47.64000, -122.26000, 100),
            fixed("I-5 across the Duwamish", 47.49900, -122.27560, 165),
        ]
    }()

    /// Degrees from north of those who cross it the way it is directed, or the other way.
    func bearing(isForward: Bool) -> Double { isForward ? degrees : degrees + 180 }

    /// Position relative to the middle: metres along the deck, and beside it.
    func position(_ point: LocalPlane) -> (along: Double, beside: Double) {
        let (dx, dy) = (point.x - middle.x, point.y - middle.y)
        return (dx * axis.x + dy * axis.y, dx * axis.y - dy * axis.x)
    }
}

extension BridgeDeck {
    /// The decks that a line of points crosses, in order; O(points x decks).
    ///
    /// A line crosses a deck if it passes from one shore to the other within the corridor. One that runs
    /// along the water under the bridge, turns round on it or crosses on another bridge does not; where two
    /// decks qualify, the nearer one is meant.
    public static func crossings(of points: [GeoPoint]) -> [DeckCrossing] {
        let line = points.map(LocalPlane.init)
        let found = seattle.flatMap { $0.crossings(of: line) }.sorted { $0.position < $1.position }
        return found.enumerated().filter { index, crossing in
            !found.enumerated().contains { other, rival in
                other != index && rival.deck != crossing.deck
                    && rival.deck.isBeside(crossing.deck)
                    && abs(rival.position - crossing.position) < 1.5
                    && (rival.beside, other) < (crossing.beside, index)
            }
        }.map(\.element)
    }

    /// Whether both decks could be meant by one crossing.
    private func isBeside(_ other: BridgeDeck) -> Bool {
        let (dx, dy) = (middle.x - other.middle.x, middle.y - other.middle.y)
        return (dx * dx + dy * dy).squareRoot() < 4 * Self.corridorMetres
    }

    private func crossings(of line: [LocalPlane]) -> [DeckCrossing] {
        guard line.count >= 2 else { return [] }
        var result: [DeckCrossing] = []
        /// The shore last touched within the corridor, -1 or 1; 0 if the line has left the corridor since.
        var shore = 0
        var middlePassed: (position: Double, beside: Double)?
        var before = position(line[0])
        if abs(before.beside) <= Self.corridorMetres, abs(before.along) >= Self.halfSpanMetres,
            abs(before.along) < 400
        {
            shore = before.along < 0 ? -1 : 1
        }
        for index in 1..<line.count {
            let after = position(line[index])
            defer { before = after }
            // Nothing near: the usual case.
            if min(abs(before.beside), abs(after.beside)) > 5_000 { continue }
            // Where the piece meets the near shore, the middle and the far shore, in the order it does.
            let lines = [-Self.halfSpanMetres, 0, Self.halfSpanMetres]
            let isForward = after.along >= before.along
            for target in isForward ? lines : lines.reversed() {
                let (a, b) = (before.along - target, after.along - target)
                guard a != b, (a < 0) != (b < 0) else { continue }
                let share = a / (a - b)
                let beside = before.beside + share * (after.beside - before.beside)
                guard abs(beside) <= Self.corridorMetres else {
                    shore = 0
                    middlePassed = nil
                    continue
                }
                let side = target < 0 ? -1 : target > 0 ? 1 : 0
                if side == 0 {
                    middlePassed = (Double(index - 1) + share, abs(beside))
                } else if let passed = middlePassed, shore == -side {
                    result.append(
                        DeckCrossing(deck: self, position: passed.position, beside: passed.beside))
                    (shore, middlePassed) = (side, nil)
                } else {
                    (shore, middlePassed) = (side, nil)
                }
            }
        }
        return result
    }
}
