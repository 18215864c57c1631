// GraphHopper's route reply as candidates.
import BridgecastCore
import Foundation

extension CandidateReader {
    /// Reads `paths`: `points` encoded or as a GeoJSON line, `time` in milliseconds, and where they are given the
    /// times of `details.time` or of the `instructions`.
    mutating func addGraphHopper(_ paths: [Any]) throws(CandidateMistake) {
        try attemptEach(of: paths, "paths") { (reader, path, place) throws(CandidateMistake) in
            try reader.addPath(path, place)
        }
    }

    private mutating func addPath(
        _ path: [String: Any], _ place: String
    ) throws(CandidateMistake) {
        let instructions = path["instructions"] as? [[String: Any]] ?? []
        let details = (path["details"] as? [String: Any])?["time"] as? [[Any]] ?? []
        let seconds = try duration(path["time"], "\(place).time", unitSeconds: 0.001)
        let spans = details.map { Self.stretch($0, milliseconds: $0.count > 2 ? $0[2] : nil) }
        let legs = instructions.map {
            Self.stretch($0["interval"] as? [Any] ?? [], milliseconds: $0["time"])
        }
        let last = (spans.isEmpty ? legs : spans).map(\.to).max()
        var line = CandidateLine(
            points: try points(of: path, count: last.map { $0 + 1 }, place), seconds: seconds)
        line.pieceSeconds =
            trusted(line.pieceSeconds(of: spans), of: seconds, "details", place)
            ?? trusted(line.pieceSeconds(of: legs), of: seconds, "instructions", place)
        let words = (path["description"] as? [String])?.joined(separator: ", ")
        let street = Self.longest(instructions, by: "distance")?["street_name"] as? String
        try add([CandidatePart(line: line)], name: words ?? street ?? "", place)
    }

    /// A path's points.
    ///
    /// With elevations an encoded line has three numbers a point, which nothing in the reply
    /// says: it is read so where only that gives the points that its instructions count, or its length.
    private mutating func points(
        of path: [String: Any], count expected: Int?, _ place: String
    ) throws(CandidateMistake) -> [GeoPoint] {
        let place = "\(place).points"
        let scale = Self.number(path["points_encoded_multiplier"]) ?? 1e5
        guard scale >= 1, scale.isFinite else {
            throw CandidateMistake("\(place)_encoded_multiplier", "\(scale) is no multiplier")
        }
        let isAsLong = Self.isAsLong(as: Self.number(path["distance"]))
        let isFit: ((CandidateLine) -> Bool)? =
            expected.map { count in { $0.points.count == count } } ?? isAsLong
        return try line(Reading(precision: 5), place, isFit: isFit) {
            (reader, reading) throws(CandidateMistake) in
            if let geometry = path["points"] as? [String: Any] {
                return CandidateLine(
                    points: try reader.coordinates(geometry["coordinates"], place, reading))
            }
            guard let text = path["points"] as? String else {
                throw CandidateMistake(place, "are missing; ask for calc_points=true")
            }
            return CandidateLine(
                points: try reader.polyline(
                    text, place, scale: scale, dimensions: reading.dimensions))
        }.line.points
    }

    private static func stretch(
        _ interval: [Any], milliseconds: Any?
    ) -> (from: Int, to: Int, seconds: Double) {
        let ends = interval.prefix(2).map(pointIndex)
        let time = number(milliseconds) ?? -1
        return (ends.first ?? -1, ends.count > 1 ? ends[1] : -1, time / 1000)
    }
}
