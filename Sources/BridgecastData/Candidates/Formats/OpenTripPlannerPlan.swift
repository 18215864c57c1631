// OpenTripPlanner's itineraries as candidates: of its REST interface and of both of its GraphQL interfaces; one of the
// formats of CandidateDocument.
internal import BridgecastCore

/// The plan in a reply; decoding fails if there is none in it.
struct OpenTripPlannerPlan: CandidateFormat {
    /// The itineraries; nil where an entry is none.
    let itineraries: [OpenTripPlannerItinerary?]
    /// What the planner says if there are none.
    let refusal: String?
    /// Where the itineraries stand.
    private let place: String
    /// What stands between an itinerary's number and its fields.
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
            let nodes = plan.edges?.map { Lenient(wrappedValue: $0.wrappedValue?.node) }
            self.init(nodes, "data.planConnection.edges", member: ".node", refusal: plan.refusal)
        } else if let trip = reply.data?.trip, let patterns = trip.tripPatterns {
            self.init(patterns, "data.trip.tripPatterns", refusal: trip.refusal)
        } else {
            throw DocumentProblem(DocumentProblem.wholeFile, "holds no plan")
        }
    }

    private init(
        _ itineraries: [Lenient<OpenTripPlannerItinerary>]?, _ place: String, member: String = "",
        refusal: String?
    ) {
        self.itineraries = (itineraries ?? []).map(\.wrappedValue)
        (self.place, self.member, self.refusal) = (place, member, refusal)
    }

    func collect(into collector: inout CandidateCollector) throws {
        if itineraries.contains(where: { $0?.legs?.first?.startSeconds != nil }) {
            collector.remark(place, "all are ranked as if they left at the time asked for")
        }
        for (number, itinerary) in itineraries.enumerated() {
            let place = "\(place)[\(number)]\(member)"
            try collector.attempt(place) { reader in
                guard let legs = itinerary?.legs, !legs.isEmpty else {
                    throw DocumentProblem("\(place).legs", "are missing")
                }
                return try OpenTripPlannerItinerary.candidate(legs, place, &reader)
            }
        }
    }

    // MARK: As it is written

    private struct Reply: Decodable {
        @Lenient var plan: Plan?
        @Lenient var data: Queries?
        @Lenient var error: ForeignReply.ErrorObject?
    }

    private struct Queries: Decodable {
        @Lenient var plan: Plan?
        @Lenient var planConnection: Plan?
        @Lenient var trip: Plan?
    }

    private struct Plan: Decodable {
        @Lenient var itineraries: [Lenient<OpenTripPlannerItinerary>]?
        @Lenient var edges: [Lenient<Edge>]?
        @Lenient var tripPatterns: [Lenient<OpenTripPlannerItinerary>]?
        @Lenient var routingErrors: [RoutingError]?

        var refusal: String? { routingErrors?.first.flatMap { $0.description ?? $0.code } }
    }

    private struct Edge: Decodable {
        @Lenient var node: OpenTripPlannerItinerary?
    }

    private struct RoutingError: Decodable {
        @Lenient var description: String?
        @Lenient var code: String?
    }
}
