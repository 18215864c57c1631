// Makes routes of the candidates of a file, and notes of those that cannot be used; used by CandidateFile.
internal import BridgecastCore
internal import Foundation

/// Collects the routes of a file.
struct CandidateCollector {
    /// How one travels where the source does not say.
    private let mode: Route.Mode
    private var routes: [Route] = []
    /// The bridges of each.
    private var decks: [[String]] = []
    private var notes: [String] = []
    private var setAside: [DocumentProblem] = []
    /// Points that the rest of the file may hold.
    private var pointsLeft = CandidateFile.mostPoints

    /// More notes than these are only counted.
    private static let mostNotes = 20
    /// What is faster is no car, metres a second.
    private static let fastest = 60.0
    /// What takes longer is no trip.
    private static let longestSeconds = 86_400.0

    init(mode: Route.Mode) { self.mode = mode }

    /// The routes of a document; a problem if there are none.
    mutating func routes(of format: some CandidateFormat) throws(DocumentProblem) -> CandidateRoutes
    {
        do {
            try format.collect(into: &self)
        } catch let limit as FileLimitError {
            throw limit.problem
        } catch {
            throw DocumentProblem(decoding: error)
        }
        guard !routes.isEmpty else {
            guard let first = setAside.first else {
                throw DocumentProblem(DocumentProblem.wholeFile, "holds no route")
            }
            let more = setAside.count > 1 ? " (and \(setAside.count - 1) more candidates)" : ""
            throw DocumentProblem(first.place, first.problem + more)
        }
        return CandidateRoutes(
            routes: routes, notes: Self.shown(notes + setAside.map { "\($0): set aside" }),
            decks: decks)
    }

    private static func shown(_ notes: [String]) -> [String] {
        let left = notes.count - mostNotes
        return left > 0 ? notes.prefix(mostNotes) + ["and \(left) more such notes"] : notes
    }

    /// Says something about all candidates.
    mutating func remark(_ place: String, _ words: String) { notes.append("\(place): \(words)") }

    /// Reads one candidate; if it cannot be used, it is set aside and the others are read on.
    mutating func attempt(
        _ place: String, _ read: (inout LineReader) throws -> Candidate
    ) throws {
        var reader = LineReader(pointsLeft: pointsLeft)
        do {
            try add(try read(&reader), &reader, place)
            notes += reader.notes
        } catch let problem as DocumentProblem {
            setAside.append(problem)
        }
        pointsLeft = reader.pointsLeft
    }

    /// Reads each object of a list as a candidate.
    mutating func attemptEach<Entry>(
        of list: [Lenient<Entry>], _ place: String,
        _ read: (Entry, String, inout LineReader) throws -> Candidate
    ) throws {
        for (number, entry) in list.enumerated() {
            let place = "\(place)[\(number)]"
            try attempt(place) { reader in
                guard let entry = entry.wrappedValue else {
                    throw DocumentProblem(place, "is no object")
                }
                return try read(entry, place, &reader)
            }
        }
    }

    private mutating func add(
        _ candidate: Candidate, _ reader: inout LineReader, _ place: String
    ) throws {
        guard routes.count < RoutesFile.mostRoutes else {
            throw FileLimitError(
                problem: DocumentProblem(
                    place, "more than \(RoutesFile.mostRoutes) routes at once; split the file"))
        }
        let parts = try timed(candidate.parts, &reader, place)
        let seconds = Self.seconds(of: parts)
        guard let start = parts.first?.line.points.first, let end = parts.last?.line.points.last
        else { throw DocumentProblem(place, "has no length") }
        let passed = Self.passed(by: parts, seconds: seconds)
        decks.append(passed.names)
        let own = [candidate.name].compactMap { $0 }.filter { !$0.isEmpty }
        let names = own.map { printable($0, most: 80) } + passed.names
        routes.append(
            Route(
                id: "route \(routes.count + 1)",
                name: names.isEmpty ? "Route \(routes.count + 1)" : names.joined(separator: ", "),
                origin: Self.text(start), destination: Self.text(end),
                mode: passed.mode ?? candidate.usualMode ?? mode, steps: passed.steps))
    }

    /// The parts with a duration each, which has to be plausible.
    private func timed(
        _ parts: [CandidatePart], _ reader: inout LineReader, _ place: String
    ) throws -> [CandidatePart] {
        var parts = parts
        let metres = parts.reduce(0) { $0 + $1.line.metres }
        guard metres >= 1 else { throw DocumentProblem(place, "has no length") }
        if parts.contains(where: { $0.line.seconds == nil }) {
            let kmh = Self.usualKmh(mode)
            for index in parts.indices {
                parts[index].line.seconds = parts[index].line.metres / kmh * 3.6
            }
            reader.remark(place, "no duration; taken at \(String(format: "%g", kmh)) km/h")
        }
        let seconds = Self.seconds(of: parts)
        guard metres / seconds < Self.fastest else {
            throw DocumentProblem(
                place, "\(Int(metres)) m in \(Int(seconds)) s is faster than any car may go")
        }
        guard seconds <= Self.longestSeconds else {
            throw DocumentProblem(place, "takes \(Int(seconds)) s, more than a day")
        }
        return parts
    }

    private static func seconds(of parts: [CandidatePart]) -> Double {
        parts.reduce(0) { max($0, $1.startSeconds + ($1.line.seconds ?? 0)) }
    }

    /// What is on the way: the steps of a route, the names of all bridges, and how one travels over the first that
    /// opens.
    private static func passed(
        by parts: [CandidatePart], seconds: Double
    ) -> (steps: [Route.Step], names: [String], mode: Route.Mode?) {
        var (steps, names, mode) = ([Route.Step](), [String](), Route.Mode?.none)
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
        return (steps, names, mode)
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
