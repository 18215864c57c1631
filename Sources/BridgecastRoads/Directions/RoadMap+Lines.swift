// Parts of arcs as lines; what is shown of a path is made of them.
internal import BridgecastCore
private import Foundation

extension RoadMap {
    /// The points of a part of an arc, shares of its length.
    func line(_ arc: Int, from start: Double, to end: Double) -> [GeoPoint] {
        let all = line(arc)
        if start <= 0, end >= 1 { return all }
        let metres = zip(all, all.dropFirst()).map { $0.metres(to: $1) }
        let whole = metres.reduce(0, +)
        let (from, to) = (start * whole, max(start, end) * whole)
        var line: [GeoPoint] = []
        var behind = 0.0
        for (number, length) in metres.enumerated() {
            let ahead = behind + length
            if ahead > from || number == metres.count - 1, line.isEmpty {
                line.append(
                    Self.between(
                        all[number], all[number + 1], length > 0 ? (from - behind) / length : 0))
            }
            if !line.isEmpty {
                if ahead >= to || number == metres.count - 1 {
                    line.append(
                        Self.between(
                            all[number], all[number + 1], length > 0 ? (to - behind) / length : 1))
                    break
                }
                line.append(all[number + 1])
            }
            behind = ahead
        }
        return line
    }

    /// A point of an arc.
    func point(of arc: Int, at share: Double) -> GeoPoint { line(arc, from: share, to: share)[0] }

    /// The direction in which a line begins, looking so far along it; degrees clockwise from north.
    static func bearing(_ line: [GeoPoint], metres: Double) -> Double {
        guard let start = line.first else { return 0 }
        var behind = 0.0
        var end = start
        for (a, b) in zip(line, line.dropFirst()) {
            let length = a.metres(to: b)
            if behind + length >= metres {
                end = between(a, b, length > 0 ? (metres - behind) / length : 0)
                break
            }
            behind += length
            end = b
        }
        let east = (end.longitude - start.longitude) * cos(start.latitude * .pi / 180)
        return atan2(east, end.latitude - start.latitude) * 180 / .pi
    }

    private static func between(_ a: GeoPoint, _ b: GeoPoint, _ share: Double) -> GeoPoint {
        let share = min(1, max(0, share))
        return GeoPoint(
            latitude: a.latitude + share * (b.latitude - a.latitude),
            longitude: a.longitude + share * (b.longitude - a.longitude))
    }
}
