// An itinerary of OpenTripPlanner as a candidate; used by OpenTripPlannerPlan.
internal import BridgecastCore

/// Legs that follow each other in time.
///
/// An itinerary waits at bridges as its leg that crosses one does, in the queue by car or bus, or not.
struct OpenTripPlannerItinerary: Decodable {
    @Lenient var legs: [OpenTripPlannerLeg]?

    /// The candidate that some legs are.
    static func candidate(
        _ legs: [OpenTripPlannerLeg], _ place: String, _ reader: inout LineReader
    ) throws -> Candidate {
        var (parts, end, lastLeg) = ([CandidatePart](), 0.0, -1)
        for (number, leg) in legs.enumerated() {
            let at = "\(place).legs[\(number)]"
            let (begin, seconds) = try times(of: leg, first: legs[0], after: end, at)
            end = begin + seconds
            guard let points = try points(of: leg, at, &reader) else { continue }
            if leg.way != .offRoad, let last = parts.last, last.isOnDeck, number == lastLeg + 1 {
                try checkGap(last.line.points, points, at)
            }
            lastLeg = number
            parts.append(
                CandidatePart(
                    line: CandidateLine(points: points, seconds: seconds), startSeconds: begin,
                    isOnDeck: leg.way != .offRoad, mode: leg.way.mode))
        }
        guard end > 0 else { throw DocumentProblem("\(place).duration", "is missing") }
        guard SeattleArea.isNear(parts.flatMap(\.line.points)) else {
            throw DocumentProblem(place, "does not come near Seattle")
        }
        return Candidate(
            parts, name: legs.map(\.name).joined(separator: ", "),
            usualMode: legs.lazy.compactMap(\.way.mode).first { $0 != .walk } ?? .walk)
    }

    /// When a leg begins, in seconds from the start of the first, and how long it takes.
    ///
    /// A start that is given counts: between legs one may wait.
    private static func times(
        of leg: OpenTripPlannerLeg, first: OpenTripPlannerLeg, after end: Double, _ place: String
    ) throws -> (begin: Double, seconds: Double) {
        guard let seconds = leg.duration, seconds >= 0, seconds <= StatedSeconds.longest else {
            throw DocumentProblem("\(place).duration", "is missing or no duration")
        }
        guard let departure = first.startSeconds, let start = leg.startSeconds else {
            return (end, seconds)
        }
        guard start - departure > -1, start - departure < 86_400 else {
            throw DocumentProblem(place, "begins before the first leg, or a day later")
        }
        return (max(end, start - departure), seconds)
    }

    /// The points of a leg's line, which only a train or a ferry may lack.
    private static func points(
        of leg: OpenTripPlannerLeg, _ place: String, _ reader: inout LineReader
    ) throws -> [GeoPoint]? {
        guard let polyline = leg.polyline else {
            guard leg.way == .offRoad else {
                throw DocumentProblem("\(place).legGeometry.points", "is missing")
            }
            return nil
        }
        return try reader.polyline(polyline, place, scale: 1e5)
    }

    /// Between two legs one walks across a street or a station, which their lines leave out; but not across water.
    private static func checkGap(
        _ before: [GeoPoint], _ after: [GeoPoint], _ place: String
    ) throws {
        guard let end = before.last, let start = after.first else { return }
        let gap = end.metres(to: start)
        let isOverWater = !BridgeDeck.crossings(of: [end, start]).isEmpty
        guard gap <= widestTransferMetres, !isOverWater else {
            throw DocumentProblem(
                place, "begins \(Int(gap)) m from where the leg before it ends; legs must touch")
        }
    }

    private static let widestTransferMetres = 250.0
}
