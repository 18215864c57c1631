internal import BridgecastSupport
internal import BridgecastCore

/// A reply with `paths`: `points` encoded or as a GeoJSON line, `time` in milliseconds, and where they are given the
/// times of `details.time` or of the `instructions`.
struct GraphHopperReply: CandidateFormat {
    let paths: [LenientValue<Path>]

    func collect(into collector: inout CandidateCollector) throws {
        try collector.attemptEach(of: paths, "paths") { path, location, reader in
            try path.candidate(location, &reader)
        }
    }

    struct Path: Decodable {
        @LenientValue fileprivate var time: Double?
        @LenientValue fileprivate var distance: Double?
        @LenientValue fileprivate var points: LineGeometry?
        @LenientValue fileprivate var multiplier: Double?
        @LenientValue fileprivate var details: Details?
        @LenientValue fileprivate var instructions: [Instruction]?
        @LenientValue fileprivate var streets: [String]?

        enum CodingKeys: String, CodingKey {
            case time, distance, points, details, instructions
            case multiplier = "points_encoded_multiplier"
            case streets = "description"
        }
    }

    /// From which point to which, and milliseconds.
    fileprivate struct Details: Decodable {
        @LenientValue var time: [[LenientValue<Double>]]?
    }

    fileprivate struct Instruction: Decodable {
        @LenientValue var interval: [LenientValue<Double>]?
        @LenientValue var time: Double?
        @LenientValue var distance: Double?
        @LenientValue var street: String?

        enum CodingKeys: String, CodingKey {
            case interval, time, distance
            case street = "street_name"
        }
    }
}

extension GraphHopperReply.Path {
    fileprivate func candidate(_ location: String, _ reader: inout LineReader) throws -> Candidate {
        let instructions = instructions ?? []
        let seconds = try StatedSeconds.seconds(time, "\(location).time", unitSeconds: 0.001)
        let spans = (details?.time ?? []).map { detail in
            Self.stretch(detail, milliseconds: detail.count > 2 ? detail[2].wrappedValue : nil)
        }
        let turns = instructions.map { Self.stretch($0.interval ?? [], milliseconds: $0.time) }
        let last = (spans.isEmpty ? turns : spans).map(\.to).max()
        var line = CandidateLine(
            points: try points(count: last.map { $0 + 1 }, "\(location).points", &reader),
            seconds: seconds)
        line.pieceSeconds =
            reader.trusted(line.pieceSeconds(of: spans), of: seconds, from: "details", at: location)
            ?? reader.trusted(
                line.pieceSeconds(of: turns), of: seconds, from: "instructions", at: location)
        let street = instructions.max { ($0.distance ?? 0) < ($1.distance ?? 0) }?.street
        return Candidate(line, name: streets?.joined(separator: ", ") ?? street)
    }

    /// A path's points.
    ///
    /// With elevations an encoded line has three numbers a point, which nothing in the reply
    /// says: it is read so where only that gives the points that its instructions count, or its length.
    private func points(
        count expected: Int?, _ location: String, _ reader: inout LineReader
    ) throws -> [GeoPoint] {
        let scale = multiplier ?? 1e5
        guard scale >= 1, scale.isFinite else {
            throw DocumentProblem(
                "\(location)_encoded_multiplier", "\(scale) is not a valid multiplier")
        }
        let isFit: ((CandidateLine) -> Bool)? =
            expected.map { count in { $0.points.count == count } }
            ?? CandidateLine.isAsLong(as: distance)
        let (line, _) = try reader.line(
            stated: LineReading(precision: 5), at: location, isFit: isFit
        ) {
            reader, reading in
            guard let points else {
                throw DocumentProblem(location, "are missing; ask for calc_points=true")
            }
            return CandidateLine(
                points: try reader.points(of: points, at: location, reading, scale: scale))
        }
        return line.points
    }

    private static func stretch(
        _ interval: [LenientValue<Double>], milliseconds: Double?
    ) -> LineStretch {
        LineStretch(
            from: interval.first?.wrappedValue,
            to: interval.count > 1 ? interval[1].wrappedValue : nil,
            seconds: milliseconds.map { $0 / 1000 })
    }
}
