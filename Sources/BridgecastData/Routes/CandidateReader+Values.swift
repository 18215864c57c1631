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

    /// How lines are read: sources differ in the precision of polylines, and some put the latitude first.
    struct Reading {
        let precision: Int
        var isLatitudeFirst = false

        var scale: Double { Polyline.scale(precision: precision) }
    }

    /// A candidate's whole line, in the usual reading or in the one that brings it near Seattle.
    ///
    /// - Parameters:
    ///   - usual: The precision that the source writes.
    ///   - build: Reads the line.
    mutating func line(
        usual: Int, _ place: String,
        _ build: (inout Self, Reading) throws(CandidateMistake) -> CandidateLine
    ) throws(CandidateMistake) -> (line: CandidateLine, reading: Reading) {
        let before = (points: pointsLeft, notes: notes)
        var first: CandidateMistake?
        for reading in [
            Reading(precision: usual), Reading(precision: 11 - usual),
            Reading(precision: usual, isLatitudeFirst: true),
        ] {
            (pointsLeft, notes) = (before.points, before.notes)
            do throws(CandidateMistake) {
                let line = try build(&self, reading)
                guard !line.points.isEmpty else { throw CandidateMistake(place, "has no length") }
                guard SeattleArea.isNear(line.points) else {
                    throw CandidateMistake(place, "does not come near Seattle")
                }
                if reading.precision != usual {
                    remark(
                        place,
                        "read with precision \(reading.precision); with \(usual) it is not here")
                } else if reading.isLatitudeFirst {
                    remark(
                        place, "latitude first, where GeoJSON has longitude first; read as meant")
                }
                return (line, reading)
            } catch {
                guard !error.isFatal else { throw error }
                first = first ?? error
            }
        }
        throw first ?? CandidateMistake(place, "has no length")
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
        let sum = seconds.reduce(0, +)
        guard seconds.allSatisfy({ $0 >= 0 }), abs(sum - whole) <= 0.1 * whole else {
            let text = abs(sum) < Self.longestSeconds ? "\(Int(sum)) s" : "no number of seconds"
            remark(
                place, "its \(what) add up to \(text), it takes \(Int(whole)) s: they are not used")
            return nil
        }
        return seconds
    }
}
