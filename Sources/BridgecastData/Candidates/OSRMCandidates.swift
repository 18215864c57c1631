// OSRM's route reply as candidates, and those that are like it: Mapbox Directions, openrouteservice, Valhalla and
// GraphHopper in OSRM's form.
import BridgecastCore
import Foundation

extension CandidateReader {
    /// Reads `routes` with `geometry` (polyline, polyline6 or GeoJSON; also of the legs or the steps), `duration`
    /// in seconds (`summary.duration` in openrouteservice's), and where they are given the durations of `legs`,
    /// `steps` and `annotation`s.
    mutating func addOSRM(_ value: [String: Any]) throws(CandidateMistake) {
        guard let list = value["routes"] as? [Any] else {
            throw CandidateMistake("routes", "are missing")
        }
        // openrouteservice repeats the request, which says whether points have heights.
        let query = (value["metadata"] as? [String: Any])?["query"] as? [String: Any]
        let usual = Reading(
            precision: 5, dimensions: query?["elevation"] as? Bool == true ? 3 : 2)
        try attemptEach(of: list, "routes") { (reader, entry, place) throws(CandidateMistake) in
            try reader.addOSRMRoute(entry, usual, place)
        }
    }

    private mutating func addOSRMRoute(
        _ entry: [String: Any], _ usual: Reading, _ place: String
    ) throws(CandidateMistake) {
        let legs = entry["legs"] as? [[String: Any]] ?? []
        let summary = entry["summary"] as? [String: Any]
        let seconds = try duration(
            entry["duration"] ?? summary?["duration"], "\(place).duration")
        let metres = Self.number(entry["distance"] ?? summary?["distance"])
        // openrouteservice numbers its points; of others only the length can tell how to read a line.
        let last = (entry["way_points"] as? [Any])?.last.map(Self.pointIndex)
        let isFit: ((CandidateLine) -> Bool)? =
            last.map { last in { $0.points.count == last + 1 } } ?? Self.isAsLong(as: metres)
        var (line, reading) = try line(usual, place, isFit: isFit) {
            (reader, reading) throws(CandidateMistake) in
            try reader.osrmLine(entry, legs, place, reading)
        }
        line.seconds = seconds
        let annotated = legs.flatMap { leg in
            ((leg["annotation"] as? [String: Any])?["duration"] as? [Any] ?? [])
                .map { Self.number($0) ?? -1 }
        }
        if let pieces = trusted(annotated, of: seconds, "annotations", place) {
            if pieces.count != line.points.count - 1 {
                // Annotations are of the whole line, also where the overview is simplified: the steps have it.
                let whole = try? stepLine(legs, place, reading)
                if let whole, whole.points.count - 1 == pieces.count { line.points = whole.points }
            }
            if pieces.count == line.points.count - 1 {
                line.pieceSeconds = pieces
            } else {
                remark(place, "its annotations are not of its points: they are not used")
            }
        }
        let steps = legs.flatMap { $0["steps"] as? [[String: Any]] ?? [] }
        for (what, parts) in [("steps", steps), ("legs", legs)] {
            guard line.pieceSeconds == nil, line.marks.isEmpty else { break }
            let marks = Self.marks(of: parts)
            let seconds = zip(marks.dropFirst(), marks).map { $0.seconds - $1.seconds }
            if trusted(seconds, of: line.seconds ?? 0, what, place) != nil { line.marks = marks }
        }
        if line.pieceSeconds == nil, line.marks.isEmpty {
            line.pieceSeconds = trusted(
                line.pieceSeconds(of: Self.segmentSteps(entry["segments"])), of: seconds, "steps",
                place)
        }
        let names = legs.compactMap { $0["summary"] as? String }.filter { !$0.isEmpty }
        try add([CandidatePart(line: line)], name: names.joined(separator: ", "), place)
    }

    private mutating func osrmLine(
        _ entry: [String: Any], _ legs: [[String: Any]], _ place: String, _ reading: Reading
    ) throws(CandidateMistake) -> CandidateLine {
        if let points = try geometry(entry, place, reading) {
            // An overview is simplified unless asked for in full; the steps have every point.
            let before = pointsLeft
            let whole = try? stepLine(legs, place, reading)
            if let whole, whole.points.count > points.count { return whole }
            pointsLeft = before
            return CandidateLine(points: points)
        }
        var line = CandidateLine(points: [])
        for (number, leg) in legs.enumerated() {
            let at = "\(place).legs[\(number)]"
            if let points = try geometry(leg, at, reading) { try line.append(points, at) }
        }
        return line.points.isEmpty ? try stepLine(legs, place, reading) : line
    }

    /// The points of an object's `geometry`; nil if it has none.
    private mutating func geometry(
        _ object: [String: Any], _ place: String, _ reading: Reading
    ) throws(CandidateMistake) -> [GeoPoint]? {
        let place = "\(place).geometry"
        if let text = object["geometry"] as? String {
            return try polyline(
                text, place, scale: reading.scale, dimensions: reading.dimensions)
        }
        guard let geometry = object["geometry"] as? [String: Any] else { return nil }
        return try coordinates(geometry["coordinates"], place, reading)
    }

    /// The line of the steps; the last of a leg is the arrival, a point.
    private mutating func stepLine(
        _ legs: [[String: Any]], _ place: String, _ reading: Reading
    ) throws(CandidateMistake) -> CandidateLine {
        var line = CandidateLine(points: [])
        for (index, leg) in legs.enumerated() {
            for (number, step) in (leg["steps"] as? [[String: Any]] ?? []).enumerated() {
                let at = "\(place).legs[\(index)].steps[\(number)]"
                let type = (step["maneuver"] as? [String: Any])?["type"] as? String
                guard type != "arrive" || line.points.isEmpty else { continue }
                if let points = try geometry(step, at, reading) { try line.append(points, at) }
            }
        }
        guard !line.points.isEmpty else {
            throw CandidateMistake("\(place).geometry", "is missing; ask for overview=full")
        }
        return line
    }

    /// Metres and seconds from the start to the end of each step or leg.
    private static func marks(
        of parts: [[String: Any]]
    ) -> [(metres: Double, seconds: Double)] {
        var marks: [(metres: Double, seconds: Double)] = [(0, 0)]
        for part in parts {
            guard let metres = number(part["distance"]), let seconds = number(part["duration"]),
                metres >= 0, seconds >= 0, metres.isFinite, let last = marks.last
            else { return [] }
            marks.append((last.metres + metres, last.seconds + seconds))
        }
        return marks.count > 1 ? marks : []
    }

    /// The steps of openrouteservice's segments: from which point to which, and for how long.
    static func segmentSteps(_ segments: Any?) -> [(from: Int, to: Int, seconds: Double)] {
        (segments as? [[String: Any]] ?? []).flatMap { $0["steps"] as? [[String: Any]] ?? [] }
            .map { step in
                let points = step["way_points"] as? [Any] ?? []
                return (
                    pointIndex(points.first), pointIndex(points.last),
                    number(step["duration"]) ?? -1
                )
            }
    }
}
