internal import BridgecastCore
internal import BridgecastSupport
internal import Foundation

struct CandidateCollector {
    /// The mode of travel where the source gives none.
    private let mode: Route.Mode
    private var routes: [Route] = []
    /// The bridges of each.
    private var decks: [[String]] = []
    private var notes: [String] = []
    private var setAside: [DocumentProblem] = []
    private var pointsLeft = CandidateFile.maxPoints

    /// More notes than these are only counted.
    private static let maxNotes = 20
    /// What is faster is no car.
    private static let maxMetresPerSecond = 60.0
    /// What takes longer is no trip.
    private static let maxSeconds = 86_400.0

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
            throw DocumentProblem(first.location, first.problem + more)
        }
        return CandidateRoutes(
            routes: routes, notes: Self.shown(notes + setAside.map { "\($0): set aside" }),
            decks: decks)
    }

    private static func shown(_ notes: [String]) -> [String] {
        let left = notes.count - maxNotes
        return left > 0 ? notes.prefix(maxNotes) + ["and \(left) more such notes"] : notes
    }

    /// Adds a note about all candidates.
    mutating func remark(_ location: String, _ text: String) {
        notes.append("\(location): \(text)")
    }

    /// Reads one candidate; if it cannot be used, it is set aside and the others are read on.
    mutating func attempt(
        _ location: String, _ read: (inout LineReader) throws -> Candidate
    ) throws {
        var reader = LineReader(pointsLeft: pointsLeft)
        do {
            try add(try read(&reader), at: location, &reader)
            notes += reader.notes
        } catch let problem as DocumentProblem {
            setAside.append(problem)
        }
        pointsLeft = reader.pointsLeft
    }

    mutating func attemptEach<Entry>(
        of list: [LenientValue<Entry>], _ location: String,
        _ read: (Entry, String, inout LineReader) throws -> Candidate
    ) throws {
        for (number, entry) in list.enumerated() {
            let location = "\(location)[\(number)]"
            try attempt(location) { reader in
                guard let entry = entry.wrappedValue else {
                    throw DocumentProblem(location, "is not an object")
                }
                return try read(entry, location, &reader)
            }
        }
    }

    private mutating func add(
        _ candidate: Candidate, at location: String, _ reader: inout LineReader
    ) throws {
        guard routes.count < RoutesFile.maxRoutes else {
            throw FileLimitError(
                problem: DocumentProblem(
                    location, "more than \(RoutesFile.maxRoutes) routes at once; split the file"))
        }
        let parts = try timed(candidate.parts, at: location, &reader)
        let seconds = Self.seconds(of: parts)
        guard let start = parts.first?.line.points.first, let end = parts.last?.line.points.last
        else { throw DocumentProblem(location, "has no length") }
        let passed = Self.passed(by: parts, seconds: seconds)
        decks.append(passed.names)
        let own = [candidate.name].compactMap { $0 }.filter { !$0.isEmpty }
        let names = own.map { printable($0, maxLength: 80) } + passed.names
        routes.append(
            Route(
                id: "route \(routes.count + 1)",
                name: names.isEmpty ? "Route \(routes.count + 1)" : names.joined(separator: ", "),
                origin: Self.text(start), destination: Self.text(end),
                mode: passed.mode ?? candidate.defaultMode ?? mode, steps: passed.steps))
    }

    /// The parts with a duration each, which has to be plausible.
    private func timed(
        _ parts: [CandidatePart], at location: String, _ reader: inout LineReader
    ) throws -> [CandidatePart] {
        var parts = parts
        let metres = parts.reduce(0) { $0 + $1.line.metres }
        guard metres >= 1 else { throw DocumentProblem(location, "has no length") }
        if parts.contains(where: { $0.line.seconds == nil }) {
            let kmh = Self.defaultKmh(mode)
            for index in parts.indices {
                parts[index].line.seconds = parts[index].line.metres / kmh * 3.6
            }
            reader.remark(location, "no duration; taken at \(String(format: "%g", kmh)) km/h")
        }
        let seconds = Self.seconds(of: parts)
        guard metres / seconds < Self.maxMetresPerSecond else {
            throw DocumentProblem(
                location, "\(Int(metres)) m in \(Int(seconds)) s is faster than any car may go")
        }
        guard seconds <= Self.maxSeconds else {
            throw DocumentProblem(location, "takes \(Int(seconds)) s, more than a day")
        }
        return parts
    }

    private static func seconds(of parts: [CandidatePart]) -> Double {
        parts.reduce(0) { max($0, $1.startSeconds + ($1.line.seconds ?? 0)) }
    }

    /// The steps of a route, the names of all bridges, and the mode of the first that opens.
    private static func passed(
        by parts: [CandidatePart], seconds: Double
    ) -> (steps: [Route.Step], names: [String], mode: Route.Mode?) {
        var steps = [Route.Step]()
        var names = [String]()
        var mode = Route.Mode?.none
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
    private static func defaultKmh(_ mode: Route.Mode) -> Double {
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

// MARK: - Candidates

struct Candidate {
    /// Its lines in order.
    var parts: [CandidatePart]
    /// What its source calls it, if it does.
    var name: String?
    /// The mode of travel if no part over a drawbridge gives one; nil if unknown.
    var defaultMode: Route.Mode?

    init(_ parts: [CandidatePart], name: String?, defaultMode: Route.Mode? = nil) {
        self.parts = parts
        self.name = name
        self.defaultMode = defaultMode
    }

    init(_ line: CandidateLine, name: String?) {
        self.init([CandidatePart(line: line)], name: name)
    }
}

/// A part of a candidate: a line, when it begins, and whether it can be stopped by a drawbridge.
struct CandidatePart {
    var line: CandidateLine
    /// Seconds from the departure.
    var startSeconds = 0.0
    /// Whether one is on the decks of bridges: not in a train or on a ferry.
    var isOnDeck = true
    /// The mode of travel here, if the source gives one.
    var mode: Route.Mode?
}
