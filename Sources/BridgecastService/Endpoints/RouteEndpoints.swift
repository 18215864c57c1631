// `/routes` and `/depart`: ways between two places, ranked, and when to leave for them.
internal import BridgecastAnswers
internal import BridgecastCore
internal import BridgecastEngine
internal import HTTPTypes

enum RouteEndpoints {
    static let all = [
        Endpoint.getHeavy(
            "/api/v1/routes",
            ["from", "to"] + RouteQuestion.parameters
                + ["explain", "directions", IssueTime.parameter],
            forms: [.json, .geoJSON]
        ) { try await routes($0) },
        RankEndpoint.rank,
        Endpoint.getHeavy(
            "/api/v1/depart",
            ["from", "to"] + RouteQuestion.parameters + ["confidence", IssueTime.parameter]
        ) { try await departures($0) },
    ]

    /// The ways there are, ranked.
    @concurrent
    private static func routes(_ request: ServiceRequest) async throws(Problem) -> ServiceAnswer {
        let form = request.form
        let question = try RouteQuestion(request)
        let trip = try RouteRequest.trip(request)
        let (explains, shows) = (
            try request.query.flag("explain"), try request.query.flag("directions")
        )
        let context = try question.context(request)
        let bytes = try await Problem.tellingRanking { () async throws(RankingError) in
            let prediction = try await Prediction(
                trip, of: RouteSource(.roads), in: context, weights: question.weights,
                deadline: question.deadline, explains: explains)
            return form == .geoJSON
                ? PredictionMap(prediction).jsonBytes(capacity: 1 << 16)
                : try PredictionDocument(prediction, showsDirections: shows).jsonBytes(
                    capacity: 1 << 15)
        }
        return ServiceAnswer(form, bytes)
    }

    /// Departure after departure.
    @concurrent
    private static func departures(
        _ request: ServiceRequest
    ) async throws(Problem) -> ServiceAnswer {
        let question = try RouteQuestion(request)
        let trip = try RouteRequest.trip(request)
        let confidence = try confidence(request.query)
        let window = try window(of: trip, question, confidence)
        let context = try question.context(request, leaving: window.from)
        let bytes = try await Problem.tellingRanking { () async throws(RankingError) in
            let advice = try await DepartureAdvice(
                trip, of: RouteSource(.roads), window, in: context, weights: question.weights)
            return DepartureDocument(advice).jsonBytes(capacity: 1 << 16)
        }
        return ServiceAnswer(.json, bytes)
    }

    /// The departures worth looking at.
    private static func window(
        of trip: RouteRequest, _ question: RouteQuestion, _ confidence: Double
    ) throws(Problem) -> DepartureWindow {
        let quickest = try Problem.tellingRanking { () throws(RankingError) in
            try trip.quickestMinutes(leaving: question.deadline ?? question.departure)
        }
        do {
            return try DepartureWindow(
                from: question.departure, arriveBy: question.deadline, quickestMinutes: quickest,
                confidence: confidence)
        } catch {
            throw .parameter("arrive_by", error.description, takes: "a time that can be met")
        }
    }

    /// How sure one wants to be.
    private static func confidence(_ query: Query) throws(Problem) -> Double {
        let confidence = try query.number("confidence", in: 0...1, unit: "a probability") ?? 0.9
        guard confidence > 0, confidence < 1 else {
            throw .parameter(
                "confidence", "nothing is that sure", takes: "a probability above 0 and below 1")
        }
        return confidence
    }
}

extension Query {
    /// Whether something is wanted; as usual unless it is said.
    func flag(_ name: String, usual: Bool = false) throws(Problem) -> Bool {
        try choice(name, usual: usual ? Flag.true : .false) == .true
    }
}

/// What a flag of a query may be.
private enum Flag: String, CaseIterable {
    case `true`, `false`
}
