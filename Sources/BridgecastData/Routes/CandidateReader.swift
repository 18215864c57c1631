// Turns the lines of route responses into routes; used by CandidateFile.
import BridgecastCore
import Foundation

/// Collects routes from the values of a JSON document.
struct CandidateReader {
    let mode: Route.Mode
    private(set) var routes: [Route] = []
    private(set) var notes: [String] = []
    private var pointsLeft = CandidateFile.mostPoints

    /// Speeds where a line comes without a duration, km/h.
    private static let usualKmh: [Route.Mode: Double] = [.car: 30, .bike: 16, .walk: 4.8]

    init(mode: Route.Mode) { self.mode = mode }

    // MARK: formats

    /// OSRM's route response: `routes` with `geometry` (polyline, polyline6 or GeoJSON), `duration` in
    /// seconds, and where they are given the durations of `legs`, `steps` and `annotation`s.
    mutating func addOSRM(_ value: [String: Any]) throws(CandidateMistake) {
        guard let list = value["routes"] as? [[String: Any]] else {
            throw CandidateMistake("routes", "are missing")
        }
        for (number, entry) in list.enumerated() {
            let place = "routes[\(number)]"
            let legs = entry["legs"] as? [[String: Any]] ?? []
            let points: [GeoPoint]
            if let text = entry["geometry"] as? String {
                points = try polyline(text, "\(place).geometry", usual: 5)
            } else if let geometry = entry["geometry"] as? [String: Any] {
                points = try coordinates(geometry["coordinates"], "\(place).geometry")
            } else {
                points = try stepGeometry(legs, place)
            }
            let seconds = try duration(entry["duration"], "\(place).duration")
            let names = legs.compactMap { $0["summary"] as? String }.filter { !$0.isEmpty }
            try add(
                CandidateLine(
                    points: points, seconds: seconds,
                    pieceSeconds: Self.annotated(legs, pieces: points.count - 1),
                    marks: Self.stepMarks(legs)),
                name: names.joined(separator: ", "), place)
        }
    }

    /// Valhalla's route response: `trip` and `alternates`, whose legs have a `shape` and maneuvers with
    /// times.
    mutating func addValhalla(_ value: [String: Any]) throws(CandidateMistake) {
        let others = (value["alternates"] as? [[String: Any]] ?? []).map { $0["trip"] }
        for (number, entry) in ([value["trip"]] + others).enumerated() {
            let place = number == 0 ? "trip" : "alternates[\(number - 1)].trip"
            guard let trip = entry as? [String: Any], let legs = trip["legs"] as? [[String: Any]],
                !legs.isEmpty
            else { throw CandidateMistake("\(place).legs", "are missing") }
            var points: [GeoPoint] = []
            var pieceSeconds: [Double]? = []
            var seconds = 0.0
            for (index, leg) in legs.enumerated() {
                let at = "\(place).legs[\(index)]"
                guard let shape = leg["shape"] as? String else {
                    throw CandidateMistake("\(at).shape", "is missing")
                }
                let part = try polyline(shape, "\(at).shape", usual: 6)
                let time = (leg["summary"] as? [String: Any])?["time"]
                seconds += try duration(time, "\(at).summary.time")
                if let times = Self.maneuverSeconds(leg, part) {
                    pieceSeconds?.append(contentsOf: (points.isEmpty ? [] : [0]) + times)
                } else {
                    pieceSeconds = nil
                }
                points += part
            }
            try add(
                CandidateLine(
                    points: points, seconds: seconds, pieceSeconds: pieceSeconds, marks: []),
                name: Self.longestStreet(legs), place)
        }
    }

    /// GeoJSON (RFC 7946), with the duration in seconds in a property `duration`, `duration_s`, `time` or,
    /// as openrouteservice has it, `summary.duration`.
    mutating func addGeoJSON(_ value: [String: Any], _ place: String) throws(CandidateMistake) {
        guard let type = (value["type"] as? String).flatMap(GeoJSONType.init) else {
            notes.append("\(place.isEmpty ? "the file" : place): only lines are routes; left out")
            return
        }
        switch type {
        case .featureCollection:
            let features = value["features"] as? [[String: Any]] ?? []
            for (number, feature) in features.enumerated() {
                try addGeoJSON(feature, "features[\(number)]")
            }
        case .feature:
            guard let geometry = value["geometry"] as? [String: Any] else {
                throw CandidateMistake(
                    place.isEmpty ? "geometry" : "\(place).geometry", "is missing")
            }
            let properties = value["properties"] as? [String: Any] ?? [:]
            guard (geometry["type"] as? String).flatMap(GeoJSONType.init) != nil else {
                notes.append("\(place): is no line; left out")
                return
            }
            try addLine(geometry, properties, place)
        case .lineString, .multiLineString: try addLine(value, [:], place)
        }
    }

    private mutating func addLine(
        _ geometry: [String: Any], _ properties: [String: Any], _ place: String
    ) throws(CandidateMistake) {
        let place = place.isEmpty ? "geometry" : place
        let parts: [Any] =
            geometry["type"] as? String == GeoJSONType.multiLineString.rawValue
            ? geometry["coordinates"] as? [Any] ?? [] : [geometry["coordinates"] as Any]
        var points: [GeoPoint] = []
        for part in parts { points += try coordinates(part, "\(place).coordinates") }
        let summary = properties["summary"] as? [String: Any]
        let given =
            properties["duration"] ?? properties["duration_s"] ?? properties["time"]
            ?? summary?["duration"]
        let name = properties["name"] as? String ?? properties["id"] as? String ?? ""
        var seconds: Double?
        if let given { seconds = try duration(given, "\(place).duration") }
        try add(
            CandidateLine(points: points, seconds: seconds, pieceSeconds: nil, marks: []),
            name: name, place)
    }

    // MARK: routes

    private mutating func add(
        _ line: CandidateLine, name: String, _ place: String
    ) throws(CandidateMistake) {
        let metres = line.metres
        guard let start = line.points.first, let end = line.points.last, metres >= 1 else {
            throw CandidateMistake(place, "has no length")
        }
        var line = line
        if line.seconds == nil {
            let kmh = Self.usualKmh[mode] ?? 30
            line.seconds = metres / kmh * 3.6
            notes.append("\(place): no duration; taken at \(Int(kmh)) km/h")
        }
        guard let seconds = line.seconds, metres / seconds < 60 else {
            throw CandidateMistake(
                place,
                "\(Int(metres)) m in \(Int(line.seconds ?? 0)) s is faster than any car may go")
        }
        guard seconds <= 86_400 else {
            throw CandidateMistake(place, "takes \(Int(seconds)) s, more than a day")
        }
        let crossings = BridgeDeck.crossings(of: line.points)
        var steps: [Route.Step] = []
        var before = 0.0
        let times = line.secondsAtPoints
        for crossing in crossings {
            guard let bridge = crossing.deck.bridge else { continue }
            let time = line.seconds(at: crossing.position, times)
            steps.append(.travel(Route.Travel(minutes: max(0, time - before) / 60)))
            steps.append(.crossing(bridge))
            before = time
        }
        steps.append(.travel(Route.Travel(minutes: max(0, seconds - before) / 60)))
        let over = crossings.map(\.deck.name)
        let title = (name.isEmpty ? [] : [printable(name, most: 80)]) + over
        routes.append(
            Route(
                id: "route \(routes.count + 1)",
                name: title.isEmpty ? "Route \(routes.count + 1)" : title.joined(separator: ", "),
                origin: Self.text(start), destination: Self.text(end), mode: mode, steps: steps))
    }

    /// Four decimals, eleven metres: alternatives of one request begin and end together.
    private static func text(_ point: GeoPoint) -> String {
        String(format: "%.3f,%.3f", point.latitude, point.longitude)
    }

    // MARK: values

    private func duration(_ value: Any?, _ place: String) throws(CandidateMistake) -> Double {
        guard let seconds = (value as? NSNumber)?.doubleValue else {
            throw CandidateMistake(place, "is missing or no number")
        }
        guard seconds.isFinite, seconds > 0 else {
            throw CandidateMistake(place, "\(seconds) is no duration")
        }
        return seconds
    }

    private mutating func polyline(
        _ text: String, _ place: String, usual: Int
    ) throws(CandidateMistake) -> [GeoPoint] {
        for precision in [usual, 11 - usual] {
            guard
                let points = Polyline.points(text, precision: precision, most: pointsLeft)
            else {
                throw CandidateMistake(
                    place,
                    text.utf8.count / 2 > pointsLeft
                        ? "more than \(CandidateFile.mostPoints) points in the file"
                        : "is no polyline, or is cut off")
            }
            guard points.allSatisfy(SeattleArea.contains) else { continue }
            if precision != usual {
                notes.append(
                    "\(place): read with precision \(precision); with \(usual) it is not here")
            }
            pointsLeft -= points.count
            return points
        }
        throw CandidateMistake(place, "does not lie around Seattle, with precision 5 or 6")
    }

    private mutating func coordinates(
        _ value: Any?, _ place: String
    ) throws(CandidateMistake) -> [GeoPoint] {
        guard let list = value as? [Any] else {
            throw CandidateMistake(place, "are missing")
        }
        guard list.count <= pointsLeft else {
            throw CandidateMistake(
                place, "more than \(CandidateFile.mostPoints) points in the file")
        }
        pointsLeft -= list.count
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
        if points.allSatisfy(SeattleArea.contains) { return points }
        let swapped = points.map { GeoPoint(latitude: $0.longitude, longitude: $0.latitude) }
        guard swapped.allSatisfy(SeattleArea.contains) else {
            throw CandidateMistake(place, "do not lie around Seattle")
        }
        notes.append("\(place): latitude first, where GeoJSON has longitude first; read as meant")
        return swapped
    }

    private mutating func stepGeometry(
        _ legs: [[String: Any]], _ place: String
    ) throws(CandidateMistake) -> [GeoPoint] {
        let steps = legs.flatMap { $0["steps"] as? [[String: Any]] ?? [] }
        var points: [GeoPoint] = []
        for (number, step) in steps.enumerated() {
            let at = "\(place).steps[\(number)].geometry"
            if let text = step["geometry"] as? String {
                points += try polyline(text, at, usual: 5)
            } else if let geometry = step["geometry"] as? [String: Any] {
                points += try coordinates(geometry["coordinates"], at)
            }
        }
        guard !points.isEmpty else {
            throw CandidateMistake("\(place).geometry", "is missing; ask for overview=full")
        }
        return points
    }

    /// Seconds of each piece of the line, where every one is annotated (`annotations=duration`,
    /// `overview=full`).
    private static func annotated(_ legs: [[String: Any]], pieces: Int) -> [Double]? {
        let seconds = legs.flatMap { leg in
            ((leg["annotation"] as? [String: Any])?["duration"] as? [NSNumber] ?? [])
                .map(\.doubleValue)
        }
        return seconds.count == pieces && seconds.allSatisfy({ $0 >= 0 && $0.isFinite })
            ? seconds : nil
    }

    /// Metres and seconds from the start to the end of each step.
    private static func stepMarks(_ legs: [[String: Any]]) -> [(metres: Double, seconds: Double)] {
        var marks: [(metres: Double, seconds: Double)] = [(0, 0)]
        for step in legs.flatMap({ $0["steps"] as? [[String: Any]] ?? [] }) {
            guard let metres = (step["distance"] as? NSNumber)?.doubleValue,
                let seconds = (step["duration"] as? NSNumber)?.doubleValue, metres >= 0,
                seconds >= 0, let last = marks.last
            else { return [] }
            marks.append((last.metres + metres, last.seconds + seconds))
        }
        return marks.count > 1 ? marks : []
    }

    /// Seconds of each piece of a leg's shape: a maneuver's time, shared by length.
    private static func maneuverSeconds(_ leg: [String: Any], _ points: [GeoPoint]) -> [Double]? {
        guard let maneuvers = leg["maneuvers"] as? [[String: Any]], points.count > 1 else {
            return nil
        }
        var seconds = [Double](repeating: 0, count: points.count - 1)
        for maneuver in maneuvers {
            guard let time = (maneuver["time"] as? NSNumber)?.doubleValue, time >= 0,
                let begin = (maneuver["begin_shape_index"] as? NSNumber)?.intValue,
                let end = (maneuver["end_shape_index"] as? NSNumber)?.intValue, begin >= 0,
                begin <= end, end < points.count
            else { return nil }
            let lengths = (begin..<end).map { points[$0].metres(to: points[$0 + 1]) }
            let whole = lengths.reduce(0, +)
            for (piece, length) in zip(begin..<end, lengths) where whole > 0 {
                seconds[piece] += time * length / whole
            }
        }
        return seconds
    }

    private static func longestStreet(_ legs: [[String: Any]]) -> String {
        let maneuvers = legs.flatMap { $0["maneuvers"] as? [[String: Any]] ?? [] }
        let longest = maneuvers.max { a, b in
            ((a["length"] as? NSNumber)?.doubleValue ?? 0)
                < ((b["length"] as? NSNumber)?.doubleValue ?? 0)
        }
        return (longest?["street_names"] as? [String])?.first ?? ""
    }
}
