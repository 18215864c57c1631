internal import BridgecastSupport
internal import BridgecastCore

/// A reply with `trip` and `alternates`, whose legs have a `shape` and maneuvers with times.
struct ValhallaReply: CandidateFormat {
    @LenientValue private var trip: Trip?
    @LenientValue private var alternates: [LenientValue<Alternate>]?

    func collect(into collector: inout CandidateCollector) throws {
        let others = (alternates ?? []).map { $0.wrappedValue?.trip }
        for (number, trip) in ([trip] + others).enumerated() {
            let location = number == 0 ? "trip" : "alternates[\(number - 1)].trip"
            try collector.attempt(location) { reader in
                guard let legs = trip?.legs, !legs.isEmpty else {
                    throw DocumentProblem("\(location).legs", "are missing")
                }
                return try Self.candidate(of: legs, at: location, &reader)
            }
        }
    }

    private struct Alternate: Decodable {
        @LenientValue var trip: Trip?
    }

    private struct Trip: Decodable {
        @LenientValue var legs: [Leg]?
    }

    private struct Leg: Decodable {
        @LenientValue var shape: String?
        @LenientValue var summary: Summary?
        @LenientValue var maneuvers: [Maneuver]?
    }

    private struct Summary: Decodable {
        @LenientValue var time: Double?
    }

    private struct Maneuver: Decodable {
        @LenientValue var begin: Double?
        @LenientValue var end: Double?
        @LenientValue var time: Double?
        @LenientValue var length: Double?
        @LenientValue var streets: [String]?

        enum CodingKeys: String, CodingKey {
            case time, length
            case begin = "begin_shape_index"
            case end = "end_shape_index"
            case streets = "street_names"
        }
    }

    private static func candidate(
        of legs: [Leg], at location: String, _ reader: inout LineReader
    ) throws -> Candidate {
        let (line, _) = try reader.line(stated: LineReading(precision: 6), at: location) {
            reader, reading in
            var line = CandidateLine(points: [], seconds: 0, pieceSeconds: [])
            for (index, leg) in legs.enumerated() {
                try add(leg, to: &line, at: "\(location).legs[\(index)]", reading, &reader)
            }
            return line
        }
        let longest = legs.flatMap { $0.maneuvers ?? [] }
            .max { ($0.length ?? 0) < ($1.length ?? 0) }
        return Candidate(line, name: longest?.streets?.first)
    }

    private static func add(
        _ leg: Leg, to line: inout CandidateLine, at location: String, _ reading: LineReading,
        _ reader: inout LineReader
    ) throws {
        guard let shape = leg.shape else {
            throw DocumentProblem("\(location).shape", "is missing")
        }
        let part = CandidateLine(
            points: try reader.polyline(shape, at: "\(location).shape", scale: reading.scale))
        let seconds = try StatedSeconds.seconds(leg.summary?.time, "\(location).summary.time")
        line.seconds = (line.seconds ?? 0) + seconds
        let isJoined = try line.append(part.points, location)
        let stretches = (leg.maneuvers ?? []).map {
            LineStretch(from: $0.begin, to: $0.end, seconds: $0.time)
        }
        if let times = reader.trusted(
            part.pieceSeconds(of: stretches), of: seconds, from: "maneuvers", at: location)
        {
            line.pieceSeconds?.append(contentsOf: (isJoined ? [0] : []) + times)
        } else {
            line.pieceSeconds = nil
        }
    }
}
