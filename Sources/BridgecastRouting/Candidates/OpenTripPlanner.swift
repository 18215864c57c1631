// OpenTripPlanner's itineraries as candidates: of its REST interface and of both of its GraphQL interfaces.
internal import BridgecastCore
internal import BridgecastSupport

/// The plan in a reply; decoding fails if there is none in it.
struct OpenTripPlannerPlan: CandidateFormat {
    /// The itineraries; nil where an entry is none.
    let itineraries: [OpenTripPlannerItinerary?]
    /// What the planner says if there are none.
    let refusal: String?
    private let location: String
    /// What comes between an itinerary's number and its fields.
    private let member: String

    init(from decoder: any Decoder) throws {
        let reply = try Reply(from: decoder)
        if let plan = reply.plan {
            self.init(
                plan.itineraries, "plan.itineraries",
                refusal: reply.error?.msg ?? reply.error?.message)
        } else if let plan = reply.data?.plan {
            self.init(plan.itineraries, "data.plan.itineraries", refusal: plan.refusal)
        } else if let plan = reply.data?.planConnection {
            let nodes = plan.edges?.map { LenientValue(wrappedValue: $0.wrappedValue?.node) }
            self.init(nodes, "data.planConnection.edges", member: ".node", refusal: plan.refusal)
        } else if let trip = reply.data?.trip, let patterns = trip.tripPatterns {
            self.init(patterns, "data.trip.tripPatterns", refusal: trip.refusal)
        } else {
            throw DocumentProblem(DocumentProblem.wholeFile, "holds no plan")
        }
    }

    private init(
        _ itineraries: [LenientValue<OpenTripPlannerItinerary>]?, _ location: String,
        member: String = "", refusal: String?
    ) {
        self.itineraries = (itineraries ?? []).map(\.wrappedValue)
        self.location = location
        self.member = member
        self.refusal = refusal
    }

    func collect(into collector: inout CandidateCollector) throws {
        if itineraries.contains(where: { $0?.legs?.first?.startSeconds != nil }) {
            collector.remark(location, "all are ranked as if they left at the time asked for")
        }
        for (number, itinerary) in itineraries.enumerated() {
            let location = "\(location)[\(number)]\(member)"
            try collector.attempt(location) { reader in
                guard let legs = itinerary?.legs, !legs.isEmpty else {
                    throw DocumentProblem("\(location).legs", "are missing")
                }
                return try OpenTripPlannerItinerary.candidate(of: legs, at: location, &reader)
            }
        }
    }

    // MARK: As it is written

    private struct Reply: Decodable {
        @LenientValue var plan: Plan?
        @LenientValue var data: Queries?
        @LenientValue var error: ForeignReply.ErrorObject?
    }

    private struct Queries: Decodable {
        @LenientValue var plan: Plan?
        @LenientValue var planConnection: Plan?
        @LenientValue var trip: Plan?
    }

    private struct Plan: Decodable {
        @LenientValue var itineraries: [LenientValue<OpenTripPlannerItinerary>]?
        @LenientValue var edges: [LenientValue<Edge>]?
        @LenientValue var tripPatterns: [LenientValue<OpenTripPlannerItinerary>]?
        @LenientValue var routingErrors: [RoutingError]?

        var refusal: String? { routingErrors?.first.flatMap { $0.description ?? $0.code } }
    }

    private struct Edge: Decodable {
        @LenientValue var node: OpenTripPlannerItinerary?
    }

    private struct RoutingError: Decodable {
        @LenientValue var description: String?
        @LenientValue var code: String?
    }
}

// MARK: - Itineraries

/// Legs that follow each other in time.
///
/// An itinerary waits at bridges as its leg that crosses one does, in the queue by car or bus, or not.
struct OpenTripPlannerItinerary: Decodable {
    @LenientValue var legs: [OpenTripPlannerLeg]?

    static func candidate(
        of legs: [OpenTripPlannerLeg], at location: String, _ reader: inout LineReader
    ) throws -> Candidate {
        var parts = [CandidatePart]()
        var end = 0.0
        var lastLeg = -1
        for (number, leg) in legs.enumerated() {
            let at = "\(location).legs[\(number)]"
            let (begin, seconds) = try times(of: leg, first: legs[0], after: end, at)
            end = begin + seconds
            guard let points = try points(of: leg, at, &reader) else { continue }
            if leg.way != .offRoad, let last = parts.last, last.isOnDeck, number == lastLeg + 1 {
                try checkGap(from: last.line.points, to: points, at: at)
            }
            lastLeg = number
            parts.append(
                CandidatePart(
                    line: CandidateLine(points: points, seconds: seconds), startSeconds: begin,
                    isOnDeck: leg.way != .offRoad, mode: leg.way.mode))
        }
        guard end > 0 else { throw DocumentProblem("\(location).duration", "is missing") }
        guard SeattleArea.isNear(parts.flatMap(\.line.points)) else {
            throw DocumentProblem(location, "does not come near Seattle")
        }
        return Candidate(
            parts, name: legs.map(\.name).joined(separator: ", "),
            defaultMode: legs.lazy.compactMap(\.way.mode).first { $0 != .walk } ?? .walk)
    }

    /// When a leg begins, in seconds from the start of the first, and how long it takes.
    ///
    /// A start that is given counts: between legs one may wait.
    private static func times(
        of leg: OpenTripPlannerLeg, first: OpenTripPlannerLeg, after end: Double, _ location: String
    ) throws -> (begin: Double, seconds: Double) {
        guard let seconds = leg.duration, seconds >= 0, seconds <= StatedSeconds.max else {
            throw DocumentProblem("\(location).duration", "is missing or not a duration")
        }
        guard let departure = first.startSeconds, let start = leg.startSeconds else {
            return (end, seconds)
        }
        guard start - departure > -1, start - departure < 86_400 else {
            throw DocumentProblem(location, "begins before the first leg, or a day later")
        }
        return (max(end, start - departure), seconds)
    }

    /// The points of a leg's line, which only a train or a ferry may lack.
    private static func points(
        of leg: OpenTripPlannerLeg, _ location: String, _ reader: inout LineReader
    ) throws -> [GeoPoint]? {
        guard let polyline = leg.polyline else {
            guard leg.way == .offRoad else {
                throw DocumentProblem("\(location).legGeometry.points", "is missing")
            }
            return nil
        }
        return try reader.polyline(polyline, at: location, scale: 1e5)
    }

    /// Between two legs one walks across a street or a station, which their lines leave out; but not across water.
    private static func checkGap(
        from before: [GeoPoint], to after: [GeoPoint], at location: String
    ) throws {
        guard let end = before.last, let start = after.first else { return }
        let gap = end.metres(to: start)
        let isOverWater = !BridgeDeck.crossings(of: [end, start]).isEmpty
        guard gap <= maxTransferMetres, !isOverWater else {
            throw DocumentProblem(
                location, "begins \(Int(gap)) m from where the leg before it ends; legs must touch")
        }
    }

    private static let maxTransferMetres = 250.0
}

// MARK: - Legs

/// A leg with a line, a duration in seconds and, where it is given, its start.
struct OpenTripPlannerLeg: Decodable {
    @LenientValue var mode: String?
    @LenientValue var duration: Double?
    @LenientValue var routeShortName: String?
    @LenientValue var route: String?
    @LenientValue private var startTime: Double?
    @LenientValue private var start: Start?
    @LenientValue private var expectedStartTime: String?
    private let legGeometry: LenientValue<Geometry>?
    private let pointsOnLink: LenientValue<Geometry>?

    private struct Start: Decodable {
        @LenientValue var estimated: Estimate?
        @LenientValue var scheduledTime: String?
    }

    private struct Estimate: Decodable {
        @LenientValue var time: String?
    }

    private struct Geometry: Decodable {
        @LenientValue var points: String?
    }

    /// Its polyline, if it is not empty.
    var polyline: String? {
        let points = (legGeometry ?? pointsOnLink)?.wrappedValue?.points
        return points?.isEmpty == true ? nil : points
    }

    /// When it begins: milliseconds since 1970, or a time with an offset, predicted rather than scheduled.
    var startSeconds: Double? {
        if let startTime { return startTime / 1000 }
        let text = start?.estimated?.time ?? start?.scheduledTime ?? expectedStartTime
        return text.flatMap { try? TimeText.parse($0) }.map { Double($0.secondsSinceEpoch) }
    }

    /// What one travels with, and its route, for people.
    var name: String {
        [mode, routeShortName ?? route].compactMap { $0 }.filter { !$0.isEmpty }
            .joined(separator: " ")
    }

    /// How it is travelled, as far as drawbridges are concerned.
    var way: Way { Way(mode) }

    enum Way {
        /// In the traffic of the road.
        case road
        case bike
        case walk
        /// Not on a bridge's deck.
        case offRoad

        fileprivate init(_ mode: String?) {
            self =
                switch mode?.lowercased() {
                case "walk", "foot": .walk
                case "bicycle", "scooter": .bike
                case "rail", "subway", "metro", "tram", "ferry", "water", "airplane", "air",
                    "cable_car", "cableway", "gondola", "funicular", "lift", "monorail":
                    .offRoad
                default: .road
                }
        }

        /// The mode of a route; nil off the road.
        var mode: Route.Mode? {
            switch self {
            case .road: .car
            case .bike: .bike
            case .walk: .walk
            case .offRoad: nil
            }
        }
    }
}
