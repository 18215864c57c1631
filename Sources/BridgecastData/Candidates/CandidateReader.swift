// Collects routes from the candidates of a file; its extensions read the formats, a file each. Used by
// CandidateFile.
import BridgecastCore
import Foundation

/// Collects routes from the values of a JSON document.
struct CandidateReader {
    /// How one travels where the source does not say.
    let mode: Route.Mode
    private(set) var routes: [Route] = []
    var notes: [String] = []
    private var setAside: [CandidateMistake] = []
    /// Points that the rest of the file may hold.
    var pointsLeft = CandidateFile.mostPoints

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
            let more = setAside.count > 1 ? " (and \(setAside.count - 1) more candidates)" : ""
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

    /// Reads each object of a list as a candidate.
    mutating func attemptEach(
        of list: [Any], _ place: String,
        _ body: (inout Self, [String: Any], String) throws(CandidateMistake) -> Void
    ) throws(CandidateMistake) {
        for (number, entry) in list.enumerated() {
            try attempt { (reader) throws(CandidateMistake) in
                let place = "\(place)[\(number)]"
                guard let entry = entry as? [String: Any] else {
                    throw CandidateMistake(place, "is no object")
                }
                try body(&reader, entry, place)
            }
        }
    }

    /// Says something about a candidate that is used.
    mutating func remark(_ place: String, _ words: String) { notes.append("\(place): \(words)") }

    /// Adds a candidate.
    ///
    /// - Parameters:
    ///   - parts: Its lines in order.
    ///   - name: What its source calls it; may be empty.
    ///   - usual: How one travels if no part over a drawbridge says; the file's mode if nil.
    mutating func add(
        _ parts: [CandidatePart], name: String, usual: Route.Mode? = nil, _ place: String
    ) throws(CandidateMistake) {
        guard routes.count < RoutesFile.mostRoutes else {
            throw CandidateMistake(
                place, "more than \(RoutesFile.mostRoutes) routes at once; split the file",
                isFatal: true)
        }
        let (parts, seconds) = try timed(parts, place)
        guard let start = parts.first?.line.points.first, let end = parts.last?.line.points.last
        else { throw CandidateMistake(place, "has no length") }
        var steps: [Route.Step] = []
        var names: [String] = []
        var mode: Route.Mode?
        var before = 0.0
        for part in parts where part.isOnDeck {
            let times = part.line.secondsAtPoints
            for crossing in BridgeDeck.crossings(of: part.line.points) {
                names.append(crossing.deck.name)
                guard let bridge = crossing.deck.bridge else { continue }
                mode = mode ?? part.mode
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
                origin: Self.text(start), destination: Self.text(end),
                mode: mode ?? usual ?? self.mode, steps: steps))
    }

    /// The parts with a duration each, and seconds in all, which have to be plausible.
    private mutating func timed(
        _ parts: [CandidatePart], _ place: String
    ) throws(CandidateMistake) -> (parts: [CandidatePart], seconds: Double) {
        var parts = parts
        let metres = parts.reduce(0) { $0 + $1.line.metres }
        guard metres >= 1 else { throw CandidateMistake(place, "has no length") }
        if parts.contains(where: { $0.line.seconds == nil }) {
            let kmh = Self.usualKmh(mode)
            for index in parts.indices {
                parts[index].line.seconds = parts[index].line.metres / kmh * 3.6
            }
            remark(place, "no duration; taken at \(String(format: "%g", kmh)) km/h")
        }
        let seconds = parts.reduce(0) { max($0, $1.startSeconds + ($1.line.seconds ?? 0)) }
        guard metres / seconds < 60 else {
            throw CandidateMistake(
                place, "\(Int(metres)) m in \(Int(seconds)) s is faster than any car may go")
        }
        guard seconds <= 86_400 else {
            throw CandidateMistake(place, "takes \(Int(seconds)) s, more than a day")
        }
        return (parts, seconds)
    }

    /// Speed where a line comes without a duration, km/h.
    private static func usualKmh(_ mode: Route.Mode) -> Double {
        switch mode {
        case .car: 30
        case .bike: 16
        case .walk: 4.8
        }
    }

    /// Three decimals, a hundred metres: alternatives of one request begin and end together.
    private static func text(_ point: GeoPoint) -> String {
        String(format: "%.3f,%.3f", point.latitude, point.longitude)
    }
}
