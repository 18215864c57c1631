// Durations and lines out of JSON values, with the place in what is wrong; used by the readers of each format.
import BridgecastCore
import Foundation

extension CandidateReader {
    /// A number of seconds.
    func duration(
        _ value: Any?, _ place: String, unitSeconds: Double = 1
    ) throws(CandidateMistake) -> Double {
        guard let number = Self.number(value) else {
            throw CandidateMistake(place, "is missing or no number")
        }
        let seconds = number * unitSeconds
        guard seconds > 0, seconds <= Self.longestSeconds else {
            throw CandidateMistake(place, "\(number) is no duration")
        }
        return seconds
    }

    /// The place of a point on a line; -1 if the value is none.
    static func pointIndex(_ value: Any?) -> Int {
        guard let number = number(value), number >= 0,
            number <= Double(CandidateFile.mostPoints)
        else { return -1 }
        return Int(number)
    }

    /// How lines are read: sources differ in the precision of polylines, some give each point a height, and some
    /// put the latitude first.
    struct Reading: Equatable {
        var precision: Int
        /// Numbers of a polyline's point.
        var dimensions = 2
        var isLatitudeFirst = false

        var scale: Double { Polyline.scale(precision: precision) }
    }

    /// A candidate's whole line, in the usual reading or in the one that brings it near Seattle with the length
    /// that its source states.
    ///
    /// - Parameters:
    ///   - usual: How the source writes lines.
    ///   - isFit: Whether a line is what the source states of it; nil where it states nothing.
    ///   - build: Reads the line.
    mutating func line(
        _ usual: Reading, _ place: String, isFit: ((CandidateLine) -> Bool)? = nil,
        _ build: (inout Self, Reading) throws(CandidateMistake) -> CandidateLine
    ) throws(CandidateMistake) -> (line: CandidateLine, reading: Reading) {
        var others = [usual, usual, usual]
        others[0].precision = 11 - usual.precision
        others[1].dimensions = 5 - usual.dimensions
        others[2].isLatitudeFirst = true
        // Nothing in a line says that it has heights: only its length does.
        if isFit == nil { others.remove(at: 1) }
        let before = (points: pointsLeft, notes: notes)
        var first: CandidateMistake?
        var near: (line: CandidateLine, reading: Reading, points: Int, notes: [String])?
        for reading in [usual] + others {
            (pointsLeft, notes) = (before.points, before.notes)
            do throws(CandidateMistake) {
                let line = try build(&self, reading)
                guard !line.points.isEmpty else { throw CandidateMistake(place, "has no length") }
                guard SeattleArea.isNear(line.points) else {
                    throw CandidateMistake(place, "does not come near Seattle")
                }
                let isFit = isFit?(line) ?? true
                if isFit || near == nil { near = (line, reading, pointsLeft, notes) }
                if isFit { break }
            } catch {
                guard !error.isFatal else { throw error }
                first = first ?? error
            }
        }
        guard let near else { throw first ?? CandidateMistake(place, "has no length") }
        // What counts is what this reading took and said, not what the others did.
        (pointsLeft, notes) = (near.points, near.notes)
        if near.reading.precision != usual.precision {
            remark(
                place,
                "read with precision \(near.reading.precision); with \(usual.precision) it is not here"
            )
        } else if near.reading.isLatitudeFirst {
            remark(place, "latitude first, where GeoJSON has longitude first; read as meant")
        }
        return (near.line, near.reading)
    }

    /// Whether a line is about as long as its source states; nil where it states nothing.
    ///
    /// A quarter is what simplified lines and units of length leave open; a line read with the wrong numbers is
    /// off by far more.
    static func isAsLong(as metres: Double?) -> ((CandidateLine) -> Bool)? {
        guard let metres, metres > 0, metres.isFinite else { return nil }
        return { abs($0.metres - metres) <= 0.25 * metres + 100 }
    }

    /// The points of a polyline.
    mutating func polyline(
        _ text: String, _ place: String, scale: Double, dimensions: Int = 2
    ) throws(CandidateMistake) -> [GeoPoint] {
        guard
            let points = Polyline.points(
                text, scale: scale, dimensions: dimensions, most: pointsLeft)
        else {
            guard text.utf8.count / 2 <= pointsLeft else { throw Self.tooManyPoints(place) }
            throw CandidateMistake(place, "is no polyline, or is cut off")
        }
        try count(points.count, place)
        return points
    }

    /// The points of a GeoJSON line.
    mutating func coordinates(
        _ value: Any?, _ place: String, _ reading: Reading
    ) throws(CandidateMistake) -> [GeoPoint] {
        guard let list = value as? [Any] else { throw CandidateMistake(place, "are missing") }
        try count(list.count, place)
        var points: [GeoPoint] = []
        points.reserveCapacity(list.count)
        for (index, entry) in list.enumerated() {
            guard let pair = entry as? [Any], pair.count >= 2, let x = Self.number(pair[0]),
                let y = Self.number(pair[1]), x.isFinite, y.isFinite
            else { throw CandidateMistake("\(place)[\(index)]", "is not [longitude, latitude]") }
            points.append(
                reading.isLatitudeFirst
                    ? GeoPoint(latitude: x, longitude: y) : GeoPoint(latitude: y, longitude: x))
        }
        return points
    }

    /// A JSON number.
    static func number(_ value: Any?) -> Double? { (value as? NSNumber)?.doubleValue }

    /// What the longest of some instructions says.
    static func longest(
        _ instructions: [[String: Any]], by length: String
    ) -> [String: Any]? {
        instructions.max { (number($0[length]) ?? 0) < (number($1[length]) ?? 0) }
    }

    /// Counts points of the file.
    private mutating func count(_ points: Int, _ place: String) throws(CandidateMistake) {
        guard points <= pointsLeft else { throw Self.tooManyPoints(place) }
        pointsLeft -= points
    }

    private static func tooManyPoints(_ place: String) -> CandidateMistake {
        CandidateMistake(
            place, "more than \(CandidateFile.mostPoints) points in the file", isFatal: true)
    }

    /// Seconds of the pieces of a line if they add up to what the whole takes; else nil, and it is said.
    ///
    /// - Parameter what: What gave them, for the remark.
    mutating func trusted(
        _ seconds: [Double]?, of whole: Double, _ what: String, _ place: String
    ) -> [Double]? {
        guard let seconds, !seconds.isEmpty else { return nil }
        guard seconds.allSatisfy({ $0 >= 0 && $0 <= Self.longestSeconds }) else {
            remark(place, "its \(what) hold what is no duration: they are not used")
            return nil
        }
        let sum = seconds.reduce(0, +)
        guard abs(sum - whole) <= 0.1 * whole else {
            remark(
                place,
                "its \(what) add up to \(Int(sum)) s, it takes \(Int(whole)) s: they are not used")
            return nil
        }
        return seconds
    }
}
