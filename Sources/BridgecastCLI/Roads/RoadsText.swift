// Words about roads that several commands print: whose data they are, and the roads of a way in one line.
import BridgecastCore
import BridgecastRoads

/// Words about roads.
enum RoadsText {
    /// Whose data the roads are made from; shown wherever routes on them are.
    static func attribution(_ words: String) -> String { "Roads: \(printable(words, most: 200))" }

    /// The roads of a way in order, each with how far one follows it, and its minutes where they are worth a word.
    static func directions(_ path: Path, on network: RoadNetwork) -> String {
        path.directions(on: network).filter { $0.manoeuvre != .arrive }.map { step in
            let minutes = step.minutes < 1 ? "" : " (\(fixed(step.minutes, 0)) min)"
            return "\(printable(step.name, most: 100)) \(distance(step.metres))\(minutes)"
        }.joined(separator: ", ")
    }

    /// `60 m`, `1.2 km`.
    static func distance(_ metres: Double) -> String {
        metres < 95
            ? "\(fixed((metres / 10).rounded() * 10, 0)) m" : "\(fixed(metres / 1000, 1)) km"
    }
}
