// OSRM's reply and those like it: Mapbox Directions, openrouteservice, Valhalla, GraphHopper.
internal import BridgecastCore
internal import BridgecastSupport

/// A reply with `routes`.
struct OSRMReply: CandidateFormat {
    @LenientValue private var routes: [LenientValue<OSRMRoute>]?
    @LenientValue private var metadata: Metadata?

    private struct Metadata: Decodable {
        @LenientValue var query: Query?
    }

    private struct Query: Decodable {
        /// Whether points have heights.
        @LenientValue var elevation: Bool?
    }

    func collect(into collector: inout CandidateCollector) throws {
        guard let routes else { throw DocumentProblem("routes", "are missing") }
        let stated = LineReading(
            precision: 5, dimensions: metadata?.query?.elevation == true ? 3 : 2)
        try collector.attemptEach(of: routes, "routes") { route, location, reader in
            try route.candidate(stated: stated, at: location, &reader)
        }
    }
}

// MARK: - Routes

/// A route with `geometry` (polyline, polyline6 or GeoJSON; also of the legs or the steps), `duration` in seconds
/// (`summary.duration` in openrouteservice's), and where they are given the durations of `legs`, `steps` and
/// `annotation`s.
struct OSRMRoute: Decodable {
    @LenientValue var geometry: LineGeometry?
    /// A duration that is given counts, whatever it is; so does a distance.
    let duration: LenientValue<Double>?
    let distance: LenientValue<Double>?
    @LenientValue var legs: [Leg]?
    @LenientValue var summary: Summary?
    @LenientValue var segments: [ServiceSegment]?
    /// The numbers of its waypoints' points; the last one is the line's last.
    @LenientValue var waypoints: [LenientValue<Double>]?

    private enum CodingKeys: String, CodingKey {
        case geometry, duration, distance, legs, summary, segments
        case waypoints = "way_points"
    }

    /// The whole route in openrouteservice's reply.
    struct Summary: Decodable {
        let duration: LenientValue<Double>?
        let distance: LenientValue<Double>?
    }

    /// A part of a route from one waypoint to the next.
    struct Leg: Decodable {
        @LenientValue var geometry: LineGeometry?
        @LenientValue var summary: String?
        @LenientValue var distance: Double?
        @LenientValue var duration: Double?
        @LenientValue var annotation: Annotation?
        @LenientValue var steps: [Step]?
    }

    /// Values of each piece of a leg's line.
    struct Annotation: Decodable {
        @LenientValue var duration: [LenientValue<Double>]?
    }

    /// A part of a leg from one turn to the next.
    struct Step: Decodable {
        @LenientValue var geometry: LineGeometry?
        @LenientValue var distance: Double?
        @LenientValue var duration: Double?
        @LenientValue var maneuver: Maneuver?
    }

    /// The turn at which a step begins.
    struct Maneuver: Decodable {
        @LenientValue var type: String?
    }
}

// MARK: - From route to candidate

extension OSRMRoute {
    /// - Parameter stated: How the reply writes lines.
    func candidate(
        stated: LineReading, at location: String, _ reader: inout LineReader
    ) throws -> Candidate {
        let seconds = try StatedSeconds.seconds(
            (duration ?? summary?.duration)?.wrappedValue, "\(location).duration")
        // openrouteservice numbers its points; of others only the length can tell how to read a line.
        let last = waypoints?.last.map { LineStretch.pointIndex($0.wrappedValue) }
        let isFit: ((CandidateLine) -> Bool)? =
            last.map { last in { $0.points.count == last + 1 } }
            ?? CandidateLine.isAsLong(as: (distance ?? summary?.distance)?.wrappedValue)
        var (line, reading) = try reader.line(stated: stated, at: location, isFit: isFit) {
            reader, reading in
            try self.line(at: location, reading, &reader)
        }
        line.seconds = seconds
        try addAnnotations(to: &line, seconds: seconds, at: location, reading, &reader)
        if line.pieceSeconds == nil { addMarks(to: &line, seconds: seconds, at: location, &reader) }
        if line.pieceSeconds == nil, line.marks.isEmpty {
            line.pieceSeconds = reader.trusted(
                line.pieceSeconds(of: segments?.stretches ?? []), of: seconds, from: "steps",
                at: location)
        }
        let names = (legs ?? []).compactMap(\.summary).filter { !$0.isEmpty }
        return Candidate(line, name: names.joined(separator: ", "))
    }

    // MARK: The line

    private func line(
        at location: String, _ reading: LineReading, _ reader: inout LineReader
    ) throws -> CandidateLine {
        if let geometry {
            let points = try reader.points(of: geometry, at: "\(location).geometry", reading)
            // An overview is simplified unless asked for in full; the steps have every point.
            let before = reader
            if let whole = try? stepLine(at: location, reading, &reader),
                whole.points.count > points.count
            {
                return whole
            }
            reader = before
            return CandidateLine(points: points)
        }
        var line = CandidateLine(points: [])
        for (number, leg) in (legs ?? []).enumerated() {
            try line.append(leg.geometry, at: "\(location).legs[\(number)]", reading, &reader)
        }
        return line.points.isEmpty ? try stepLine(at: location, reading, &reader) : line
    }

    /// The line of the steps; the last of a leg is the arrival, a point.
    private func stepLine(
        at location: String, _ reading: LineReading, _ reader: inout LineReader
    ) throws -> CandidateLine {
        var line = CandidateLine(points: [])
        for (index, leg) in (legs ?? []).enumerated() {
            for (number, step) in (leg.steps ?? []).enumerated()
            where step.maneuver?.type != "arrive" || line.points.isEmpty {
                let at = "\(location).legs[\(index)].steps[\(number)]"
                try line.append(step.geometry, at: at, reading, &reader)
            }
        }
        guard !line.points.isEmpty else {
            throw DocumentProblem("\(location).geometry", "is missing; ask for overview=full")
        }
        return line
    }

    // MARK: Its times

    /// Annotations are of the whole line, also where the overview is simplified: then the steps have it.
    private func addAnnotations(
        to line: inout CandidateLine, seconds: Double, at location: String,
        _ reading: LineReading, _ reader: inout LineReader
    ) throws {
        let annotated = (legs ?? []).flatMap { leg in
            (leg.annotation?.duration ?? []).map { $0.wrappedValue ?? -1 }
        }
        guard let pieces = reader.trusted(annotated, of: seconds, from: "annotations", at: location)
        else {
            return
        }
        if pieces.count != line.points.count - 1,
            let whole = try? stepLine(at: location, reading, &reader),
            whole.points.count - 1 == pieces.count
        {
            line.points = whole.points
        }
        if pieces.count == line.points.count - 1 {
            line.pieceSeconds = pieces
        } else {
            reader.remark(location, "its annotations are not of its points: they are ignored")
        }
    }

    /// The lengths and durations of the steps, or else of the legs.
    private func addMarks(
        to line: inout CandidateLine, seconds whole: Double, at location: String,
        _ reader: inout LineReader
    ) {
        let legs = legs ?? []
        let steps = legs.flatMap { $0.steps ?? [] }.map { ($0.distance, $0.duration) }
        for (what, parts) in [("steps", steps), ("legs", legs.map { ($0.distance, $0.duration) })] {
            let marks = Self.marks(of: parts)
            let seconds = zip(marks.dropFirst(), marks).map { $0.seconds - $1.seconds }
            guard reader.trusted(seconds, of: whole, from: what, at: location) != nil else {
                continue
            }
            line.marks = marks
            return
        }
    }

    /// Metres and seconds from the start to the end of each step or leg.
    private static func marks(
        of parts: [(metres: Double?, seconds: Double?)]
    ) -> [(metres: Double, seconds: Double)] {
        var marks: [(metres: Double, seconds: Double)] = [(0, 0)]
        for part in parts {
            guard let metres = part.metres, let seconds = part.seconds, metres >= 0,
                seconds >= 0, metres.isFinite, let last = marks.last
            else { return [] }
            marks.append((last.metres + metres, last.seconds + seconds))
        }
        return marks.count > 1 ? marks : []
    }
}

extension CandidateLine {
    /// Adds the points of an object's `geometry`, if it has one.
    fileprivate mutating func append(
        _ geometry: LineGeometry?, at location: String, _ reading: LineReading,
        _ reader: inout LineReader
    ) throws {
        guard let geometry else { return }
        try append(try reader.points(of: geometry, at: "\(location).geometry", reading), location)
    }
}

/// A part of a route from one of its waypoints to the next.
struct ServiceSegment: Decodable {
    @LenientValue var steps: [Step]?

    struct Step: Decodable {
        @LenientValue var duration: Double?
        /// The numbers of its first and its last point.
        @LenientValue var points: [LenientValue<Double>]?

        private enum CodingKeys: String, CodingKey {
            case duration
            case points = "way_points"
        }
    }
}

extension [ServiceSegment] {
    var stretches: [LineStretch] {
        flatMap { $0.steps ?? [] }.map { step in
            LineStretch(
                from: step.points?.first?.wrappedValue, to: step.points?.last?.wrappedValue,
                seconds: step.duration)
        }
    }
}
