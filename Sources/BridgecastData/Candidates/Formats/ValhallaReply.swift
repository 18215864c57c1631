// Valhalla's route reply as candidates; one of the formats of CandidateDocument.
internal import BridgecastCore

/// A reply with `trip` and `alternates`, whose legs have a `shape` and maneuvers with times.
struct ValhallaReply: CandidateFormat {
    @Lenient private var trip: Trip?
    @Lenient private var alternates: [Lenient<Alternate>]?

    func collect(into collector: inout CandidateCollector) throws {
        let others = (alternates ?? []).map { $0.wrappedValue?.trip }
        for (number, trip) in ([trip] + others).enumerated() {
            let place = number == 0 ? "trip" : "alternates[\(number - 1)].trip"
            try collector.attempt(place) { reader in
                guard let legs = trip?.legs, !legs.isEmpty else {
                    throw DocumentProblem("\(place).legs", "are missing")
                }
                return try Self.candidate(legs, place, &reader)
            }
        }
    }

    private struct Alternate: Decodable {
        @Lenient var trip: Trip?
    }

    private struct Trip: Decodable {
        @Lenient var legs: [Leg]?
    }

    private struct Leg: Decodable {
        @Lenient var shape: String?
        @Lenient var summary: Summary?
        @Lenient var maneuvers: [Maneuver]?
    }

    private struct Summary: Decodable {
        @Lenient var time: Double?
    }

    private struct Maneuver: Decodable {
        @Lenient var begin: Double?
        @Lenient var end: Double?
        @Lenient var time: Double?
        @Lenient var length: Double?
        @Lenient var streets: [String]?

        enum CodingKeys: String, CodingKey {
            case time, length
            case begin = "begin_shape_index"
            case end = "end_shape_index"
            case streets = "street_names"
        }
    }

    private static func candidate(
        _ legs: [Leg], _ place: String, _ reader: inout LineReader
    ) throws -> Candidate {
        let (line, _) = try reader.line(LineReading(precision: 6), place) { reader, reading in
            var line = CandidateLine(points: [], seconds: 0, pieceSeconds: [])
            for (index, leg) in legs.enumerated() {
                try add(leg, to: &line, "\(place).legs[\(index)]", reading, &reader)
            }
            return line
        }
        let longest = legs.flatMap { $0.maneuvers ?? [] }
            .max { ($0.length ?? 0) < ($1.length ?? 0) }
        return Candidate(line, name: longest?.streets?.first)
    }

    private static func add(
        _ leg: Leg, to line: inout CandidateLine, _ place: String, _ reading: LineReading,
        _ reader: inout LineReader
    ) throws {
        guard let shape = leg.shape else { throw DocumentProblem("\(place).shape", "is missing") }
        let part = CandidateLine(
            points: try reader.polyline(shape, "\(place).shape", scale: reading.scale))
        let seconds = try StatedSeconds.seconds(leg.summary?.time, "\(place).summary.time")
        line.seconds = (line.seconds ?? 0) + seconds
        let isJoined = try line.append(part.points, place)
        let stretches = (leg.maneuvers ?? []).map {
            LineStretch(from: $0.begin, to: $0.end, seconds: $0.time)
        }
        if let times = reader.trusted(
            part.pieceSeconds(of: stretches), of: seconds, "maneuvers", place)
        {
            line.pieceSeconds?.append(contentsOf: (isJoined ? [0] : []) + times)
        } else {
            line.pieceSeconds = nil
        }
    }
}
