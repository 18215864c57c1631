// GraphHopper's route reply as candidates; one of the formats of CandidateDocument.
internal import BridgecastCore

/// A reply with `paths`: `points` encoded or as a GeoJSON line, `time` in milliseconds, and where they are given the
/// times of `details.time` or of the `instructions`.
struct GraphHopperReply: CandidateFormat {
    let paths: [Lenient<Path>]

    func collect(into collector: inout CandidateCollector) throws {
        try collector.attemptEach(of: paths, "paths") { path, place, reader in
            try path.candidate(place, &reader)
        }
    }

    /// A path.
    struct Path: Decodable {
        @Lenient fileprivate var time: Double?
        @Lenient fileprivate var distance: Double?
        @Lenient fileprivate var points: LineGeometry?
        @Lenient fileprivate var multiplier: Double?
        @Lenient fileprivate var details: Details?
        @Lenient fileprivate var instructions: [Instruction]?
        @Lenient fileprivate var words: [String]?

        enum CodingKeys: String, CodingKey {
            case time, distance, points, details, instructions
            case multiplier = "points_encoded_multiplier"
            case words = "description"
        }
    }

    /// From which point to which, and milliseconds.
    fileprivate struct Details: Decodable {
        @Lenient var time: [[Lenient<Double>]]?
    }

    fileprivate struct Instruction: Decodable {
        @Lenient var interval: [Lenient<Double>]?
        @Lenient var time: Double?
        @Lenient var distance: Double?
        @Lenient var street: String?

        enum CodingKeys: String, CodingKey {
            case interval, time, distance
            case street = "street_name"
        }
    }
}

extension GraphHopperReply.Path {
    fileprivate func candidate(_ place: String, _ reader: inout LineReader) throws -> Candidate {
        let instructions = instructions ?? []
        let seconds = try StatedSeconds.seconds(time, "\(place).time", unitSeconds: 0.001)
        let spans = (details?.time ?? []).map { detail in
            Self.stretch(detail, milliseconds: detail.count > 2 ? detail[2].wrappedValue : nil)
        }
        let turns = instructions.map { Self.stretch($0.interval ?? [], milliseconds: $0.time) }
        let last = (spans.isEmpty ? turns : spans).map(\.to).max()
        var line = CandidateLine(
            points: try points(count: last.map { $0 + 1 }, "\(place).points", &reader),
            seconds: seconds)
        line.pieceSeconds =
            reader.trusted(line.pieceSeconds(of: spans), of: seconds, "details", place)
            ?? reader.trusted(line.pieceSeconds(of: turns), of: seconds, "instructions", place)
        let street = instructions.max { ($0.distance ?? 0) < ($1.distance ?? 0) }?.street
        return Candidate(line, name: words?.joined(separator: ", ") ?? street)
    }

    /// A path's points.
    ///
    /// With elevations an encoded line has three numbers a point, which nothing in the reply
    /// says: it is read so where only that gives the points that its instructions count, or its length.
    private func points(
        count expected: Int?, _ place: String, _ reader: inout LineReader
    ) throws -> [GeoPoint] {
        let scale = multiplier ?? 1e5
        guard scale >= 1, scale.isFinite else {
            throw DocumentProblem("\(place)_encoded_multiplier", "\(scale) is no multiplier")
        }
        let isFit: ((CandidateLine) -> Bool)? =
            expected.map { count in { $0.points.count == count } }
            ?? CandidateLine.isAsLong(as: distance)
        let (line, _) = try reader.line(LineReading(precision: 5), place, isFit: isFit) {
            reader, reading in
            guard let points else {
                throw DocumentProblem(place, "are missing; ask for calc_points=true")
            }
            return CandidateLine(
                points: try reader.points(of: points, place, reading, scale: scale))
        }
        return line.points
    }

    private static func stretch(
        _ interval: [Lenient<Double>], milliseconds: Double?
    ) -> LineStretch {
        LineStretch(
            from: interval.first?.wrappedValue,
            to: interval.count > 1 ? interval[1].wrappedValue : nil,
            seconds: milliseconds.map { $0 / 1000 })
    }
}
