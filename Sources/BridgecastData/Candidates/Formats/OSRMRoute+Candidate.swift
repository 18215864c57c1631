// What a route of an OSRM reply means: its line from the geometry that shows most, its times from what is told
// closest to the line's pieces.
internal import BridgecastCore

extension OSRMRoute {
    /// The route as a candidate.
    ///
    /// - Parameter usual: How the reply writes lines.
    func candidate(
        _ usual: LineReading, _ place: String, _ reader: inout LineReader
    ) throws -> Candidate {
        let seconds = try StatedSeconds.seconds(
            (duration ?? summary?.duration)?.wrappedValue, "\(place).duration")
        // openrouteservice numbers its points; of others only the length can tell how to read a line.
        let last = waypoints?.last.map { LineStretch.pointIndex($0.wrappedValue) }
        let isFit: ((CandidateLine) -> Bool)? =
            last.map { last in { $0.points.count == last + 1 } }
            ?? CandidateLine.isAsLong(as: (distance ?? summary?.distance)?.wrappedValue)
        var (line, reading) = try reader.line(usual, place, isFit: isFit) { reader, reading in
            try self.line(place, reading, &reader)
        }
        line.seconds = seconds
        try addAnnotations(to: &line, seconds, place, reading, &reader)
        if line.pieceSeconds == nil { addMarks(to: &line, seconds, place, &reader) }
        if line.pieceSeconds == nil, line.marks.isEmpty {
            line.pieceSeconds = reader.trusted(
                line.pieceSeconds(of: segments?.stretches ?? []), of: seconds, "steps", place)
        }
        let names = (legs ?? []).compactMap(\.summary).filter { !$0.isEmpty }
        return Candidate(line, name: names.joined(separator: ", "))
    }

    // MARK: The line

    private func line(
        _ place: String, _ reading: LineReading, _ reader: inout LineReader
    ) throws -> CandidateLine {
        if let geometry {
            let points = try reader.points(of: geometry, "\(place).geometry", reading)
            // An overview is simplified unless asked for in full; the steps have every point.
            let before = reader
            if let whole = try? stepLine(place, reading, &reader),
                whole.points.count > points.count
            {
                return whole
            }
            reader = before
            return CandidateLine(points: points)
        }
        var line = CandidateLine(points: [])
        for (number, leg) in (legs ?? []).enumerated() {
            try line.append(leg.geometry, "\(place).legs[\(number)]", reading, &reader)
        }
        return line.points.isEmpty ? try stepLine(place, reading, &reader) : line
    }

    /// The line of the steps; the last of a leg is the arrival, a point.
    private func stepLine(
        _ place: String, _ reading: LineReading, _ reader: inout LineReader
    ) throws -> CandidateLine {
        var line = CandidateLine(points: [])
        for (index, leg) in (legs ?? []).enumerated() {
            for (number, step) in (leg.steps ?? []).enumerated()
            where step.maneuver?.type != "arrive" || line.points.isEmpty {
                let at = "\(place).legs[\(index)].steps[\(number)]"
                try line.append(step.geometry, at, reading, &reader)
            }
        }
        guard !line.points.isEmpty else {
            throw DocumentProblem("\(place).geometry", "is missing; ask for overview=full")
        }
        return line
    }

    // MARK: Its times

    /// Annotations are of the whole line, also where the overview is simplified: then the steps have it.
    private func addAnnotations(
        to line: inout CandidateLine, _ seconds: Double, _ place: String,
        _ reading: LineReading, _ reader: inout LineReader
    ) throws {
        let annotated = (legs ?? []).flatMap { leg in
            (leg.annotation?.duration ?? []).map { $0.wrappedValue ?? -1 }
        }
        guard let pieces = reader.trusted(annotated, of: seconds, "annotations", place) else {
            return
        }
        if pieces.count != line.points.count - 1,
            let whole = try? stepLine(place, reading, &reader),
            whole.points.count - 1 == pieces.count
        {
            line.points = whole.points
        }
        if pieces.count == line.points.count - 1 {
            line.pieceSeconds = pieces
        } else {
            reader.remark(place, "its annotations are not of its points: they are not used")
        }
    }

    /// The lengths and durations of the steps, or else of the legs.
    private func addMarks(
        to line: inout CandidateLine, _ whole: Double, _ place: String, _ reader: inout LineReader
    ) {
        let legs = legs ?? []
        let steps = legs.flatMap { $0.steps ?? [] }.map { ($0.distance, $0.duration) }
        for (what, parts) in [("steps", steps), ("legs", legs.map { ($0.distance, $0.duration) })] {
            let marks = Self.marks(of: parts)
            let seconds = zip(marks.dropFirst(), marks).map { $0.seconds - $1.seconds }
            guard reader.trusted(seconds, of: whole, what, place) != nil else { continue }
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
        _ geometry: LineGeometry?, _ place: String, _ reading: LineReading,
        _ reader: inout LineReader
    ) throws {
        guard let geometry else { return }
        try append(try reader.points(of: geometry, "\(place).geometry", reading), place)
    }
}
