// Valhalla's route reply as candidates.
import BridgecastCore
import Foundation

extension CandidateReader {
    /// Reads `trip` and `alternates`, whose legs have a `shape` and maneuvers with times.
    mutating func addValhalla(_ value: [String: Any]) throws(CandidateMistake) {
        let others = (value["alternates"] as? [Any] ?? []).map { ($0 as? [String: Any])?["trip"] }
        for (number, trip) in ([value["trip"]] + others).enumerated() {
            let place = number == 0 ? "trip" : "alternates[\(number - 1)].trip"
            try attempt { (reader) throws(CandidateMistake) in
                try reader.addTrip(trip as? [String: Any] ?? [:], place)
            }
        }
    }

    private mutating func addTrip(
        _ trip: [String: Any], _ place: String
    ) throws(CandidateMistake) {
        guard let legs = trip["legs"] as? [[String: Any]], !legs.isEmpty else {
            throw CandidateMistake("\(place).legs", "are missing")
        }
        let (line, _) = try line(Reading(precision: 6), place) {
            (reader, reading) throws(CandidateMistake) in
            try reader.tripLine(legs, place, reading)
        }
        try add([CandidatePart(line: line)], name: Self.longestStreet(legs), place)
    }

    private mutating func tripLine(
        _ legs: [[String: Any]], _ place: String, _ reading: Reading
    ) throws(CandidateMistake) -> CandidateLine {
        var line = CandidateLine(points: [], seconds: 0, pieceSeconds: [])
        for (index, leg) in legs.enumerated() {
            let at = "\(place).legs[\(index)]"
            guard let shape = leg["shape"] as? String else {
                throw CandidateMistake("\(at).shape", "is missing")
            }
            let part = CandidateLine(
                points: try polyline(shape, "\(at).shape", scale: reading.scale))
            let summary = leg["summary"] as? [String: Any]
            let seconds = try duration(summary?["time"], "\(at).summary.time")
            line.seconds = (line.seconds ?? 0) + seconds
            let isJoined = try line.append(part.points, at)
            let pieces = part.pieceSeconds(of: Self.maneuvers(leg))
            if let times = trusted(pieces, of: seconds, "maneuvers", at) {
                line.pieceSeconds?.append(contentsOf: (isJoined ? [0] : []) + times)
            } else {
                line.pieceSeconds = nil
            }
        }
        return line
    }

    private static func maneuvers(
        _ leg: [String: Any]
    ) -> [(from: Int, to: Int, seconds: Double)] {
        (leg["maneuvers"] as? [[String: Any]] ?? []).map { maneuver in
            (
                pointIndex(maneuver["begin_shape_index"]),
                pointIndex(maneuver["end_shape_index"]),
                number(maneuver["time"]) ?? -1
            )
        }
    }

    private static func longestStreet(_ legs: [[String: Any]]) -> String {
        let maneuvers = legs.flatMap { $0["maneuvers"] as? [[String: Any]] ?? [] }
        return (longest(maneuvers, by: "length")?["street_names"] as? [String])?.first ?? ""
    }
}
