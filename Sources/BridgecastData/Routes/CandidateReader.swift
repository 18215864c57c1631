// Collects routes from the candidates of a file; its extensions read the formats, a file each. Used by
// CandidateFile.
import BridgecastCore
import Foundation

/// Collects routes from the values of a JSON document.
struct CandidateReader {
    /// How one travels where the source does not say.
    let mode: Route.Mode
    private(set) var routes: [Route] = []
    private var notes: [String] = []
    private var setAside: [CandidateMistake] = []
    private var pointsLeft = CandidateFile.mostPoints

    /// Speeds where a line comes without a duration, km/h.
    private static let usualKmh: [Route.Mode: Double] = [.car: 30, .bike: 16, .walk: 4.8]
    /// No source tells such a duration, thirty years.
    static let longestSeconds = 1e9
    /// More notes than these are only counted.
    private static let mostNotes = 20

    init(mode: Route.Mode) { self.mode = mode }

    /// What has been collected; an error if nothing was.
    func result() throws(CandidateMistake) -> CandidateRoutes {
        guard !routes.isEmpty else {
            guard let first = setAside.first else {
                throw CandidateMistake("the file", "holds no route")
            }
            let more = setAside.count > 1 ? " (and \(setAside.count - 1) more)" : ""
            throw CandidateMistake(first.place, first.problem + more)
        }
        let all = notes + setAside.map { "\($0): set aside" }
        let left = all.count - Self.mostNotes
        return CandidateRoutes(
            routes: routes,
            notes: left > 0 ? all.prefix(Self.mostNotes) + ["and \(left) more such notes"] : all)
    }

    /// Reads one candidate; if it cannot be used, it is set aside and the others are read on.
    mutating func attempt(
        _ body: (inout Self) throws(CandidateMistake) -> Void
    ) throws(CandidateMistake) {
        let before = notes.count
        do {
            try body(&self)
        } catch {
            guard !error.isFatal else { throw error }
            notes.removeSubrange(before...)
            setAside.append(error)
        }
    }

    /// Says something about a candidate that is used.
    mutating func remark(_ place: String, _ words: String) { notes.append("\(place): \(words)") }

    // MARK: routes

    /// Adds a candidate.
    ///
    /// - Parameters:
    ///   - parts: Its lines in order.
    ///   - name: What its source calls it; may be empty.
    mutating func add(
        _ parts: [CandidatePart], name: String, mode: Route.Mode? = nil, _ place: String
    ) throws(CandidateMistake) {
        let mode = mode ?? self.mode
        var parts = parts
        let metres = parts.reduce(0) { $0 + $1.line.metres }
        guard let start = parts.first?.line.points.first, let end = parts.last?.line.points.last,
            metres >= 1
        else { throw CandidateMistake(place, "has no length") }
        if parts.contains(where: { $0.line.seconds == nil }) {
            let kmh = Self.usualKmh[mode] ?? 30
            for index in parts.indices {
                parts[index].line.seconds = parts[index].line.metres / kmh * 3.6
            }
            remark(place, "no duration; taken at \(Int(kmh)) km/h")
        }
        let seconds = parts.reduce(0) { max($0, $1.startSeconds + ($1.line.seconds ?? 0)) }
        guard metres / seconds < 60 else {
            throw CandidateMistake(
                place, "\(Int(metres)) m in \(Int(seconds)) s is faster than any car may go")
        }
        guard seconds <= 86_400 else {
            throw CandidateMistake(place, "takes \(Int(seconds)) s, more than a day")
        }
        guard routes.count < RoutesFile.mostRoutes else {
            throw CandidateMistake(
                place, "more than \(RoutesFile.mostRoutes) routes at once; split the file",
                isFatal: true)
        }
        var steps: [Route.Step] = []
        var names: [String] = []
        var before = 0.0
        for part in parts where part.isOnDeck {
            let times = part.line.secondsAtPoints
            for crossing in BridgeDeck.crossings(of: part.line.points) {
                names.append(crossing.deck.name)
                guard let bridge = crossing.deck.bridge else { continue }
                let time = part.startSeconds + part.line.seconds(at: crossing.position, times)
                steps.append(.travel(Route.Travel(minutes: max(0, time - before) / 60)))
                steps.append(.crossing(bridge))
                before = time
            }
        }
        steps.append(.travel(Route.Travel(minutes: max(0, seconds - before) / 60)))
        let title = (name.isEmpty ? [] : [printable(name, most: 80)]) + names
        routes.append(
            Route(
                id: "route \(routes.count + 1)",
                name: title.isEmpty ? "Route \(routes.count + 1)" : title.joined(separator: ", "),
                origin: Self.text(start), destination: Self.text(end), mode: mode, steps: steps))
    }

    /// Three decimals, a hundred metres: alternatives of one request begin and end together.
    private static func text(_ point: GeoPoint) -> String {
        String(format: "%.3f,%.3f", point.latitude, point.longitude)
    }

    // MARK: values

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
