// Durations and lines out of JSON values, with the place in what is wrong; used by the readers of each format.
import BridgecastCore
import Foundation

extension CandidateReader {
    /// A number of seconds.
    func duration(
        _ value: Any?, _ place: String, unitSeconds: Double = 1
    ) throws(CandidateMistake) -> Double {
        guard let number = (value as? NSNumber)?.doubleValue else {
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
        guard let number = (value as? NSNumber)?.doubleValue, number >= 0,
            number <= Double(CandidateFile.mostPoints)
        else { return -1 }
        return Int(number)
    }

    /// The points of a polyline near Seattle, in the usual precision or the other one of 5 and 6.
    mutating func polyline(
        _ text: String, _ place: String, usual: Int
    ) throws(CandidateMistake) -> [GeoPoint] {
        for precision in [usual, 11 - usual] {
            let points = try decoded(text, place, scale: Polyline.scale(precision: precision))
            guard SeattleArea.isNear(points) else { continue }
            if precision != usual {
                remark(place, "read with precision \(precision); with \(usual) it is not here")
            }
            try count(points.count, place)
            return points
        }
        throw CandidateMistake(place, "does not come near Seattle, with precision 5 or 6")
    }

    /// The points of a polyline, wherever they lie.
    func decoded(
        _ text: String, _ place: String, scale: Double, dimensions: Int = 2
    ) throws(CandidateMistake) -> [GeoPoint] {
        guard
            let points = Polyline.points(
                text, scale: scale, dimensions: dimensions, most: pointsLeft)
        else {
            guard text.utf8.count / 2 <= pointsLeft else { throw Self.tooManyPoints(place) }
            throw CandidateMistake(place, "is no polyline, or is cut off")
        }
        return points
    }

    /// The points of a GeoJSON line near Seattle.
    mutating func coordinates(
        _ value: Any?, _ place: String
    ) throws(CandidateMistake) -> [GeoPoint] {
        guard let list = value as? [Any] else { throw CandidateMistake(place, "are missing") }
        try count(list.count, place)
        var points: [GeoPoint] = []
        points.reserveCapacity(list.count)
        for (index, entry) in list.enumerated() {
            guard let pair = entry as? [Any], pair.count >= 2,
                let longitude = (pair[0] as? NSNumber)?.doubleValue,
                let latitude = (pair[1] as? NSNumber)?.doubleValue, longitude.isFinite,
                latitude.isFinite
            else { throw CandidateMistake("\(place)[\(index)]", "is not [longitude, latitude]") }
            points.append(GeoPoint(latitude: latitude, longitude: longitude))
        }
        if points.isEmpty || SeattleArea.isNear(points) { return points }
        let swapped = points.map { GeoPoint(latitude: $0.longitude, longitude: $0.latitude) }
        guard SeattleArea.isNear(swapped) else {
            throw CandidateMistake(place, "do not come near Seattle")
        }
        remark(place, "latitude first, where GeoJSON has longitude first; read as meant")
        return swapped
    }

    /// Counts points of the file.
    mutating func count(_ points: Int, _ place: String) throws(CandidateMistake) {
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
