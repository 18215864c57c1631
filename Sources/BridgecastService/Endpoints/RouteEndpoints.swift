// `/routes`, `/depart` and `/places`: ranked routes between two places, when to leave for them, and names of places.
// Ranking candidates of the client is in RankEndpoint.swift.
internal import BridgecastAnswers
internal import BridgecastCore
internal import BridgecastEngine
internal import BridgecastRoads
internal import BridgecastRouting
internal import BridgecastSupport

enum RouteEndpoints {
    static let all = [
        Endpoint.getHeavy(
            "\(EndpointTable.base)/routes",
            ["from", "to"] + RouteQuestion.parameters + [
                "explain", "directions", IssueTime.parameter,
            ], forms: [.json, .geoJSON], sharedFor: routesPeriod
        ) { try await routes($0) }, RankEndpoint.rank,
        Endpoint.getHeavy(
            "\(EndpointTable.base)/depart",
            ["from", "to"] + RouteQuestion.parameters + ["confidence", IssueTime.parameter],
            sharedFor: curvePeriod
        ) { try await departures($0) },
    ]

    /// As long as readings of the bridges are apart.
    private static let routesPeriod = SharedPeriod(seconds: 20)
    /// A curve of two hours costs as much as two rankings, and its first minute hardly matters.
    private static let curvePeriod = SharedPeriod(seconds: 60)

    @concurrent private static func routes(
        _ request: ServiceRequest
    ) async throws(Problem) -> ServiceAnswer {
        let form = request.form
        let question = try RouteQuestion(request, sharedFor: routesPeriod)
        let trip = try RouteRequest.trip(request)
        let explains = try request.query.flag("explain")
        let showsDirections = try request.query.flag("directions")
        let context = try question.context(request)
        let bytes = try await Problem.catchingRanking { () async throws(RankingError) in
            let prediction = try await Prediction(
                trip, of: RouteSource(.roads, notes: trip.notes), in: context,
                weights: question.weights,
                deadline: question.deadline, explains: explains)
            return form == .geoJSON
                ? PredictionMap(prediction).jsonBytes(capacity: 1 << 16)
                : try PredictionDocument(prediction, showsDirections: showsDirections).jsonBytes(
                    capacity: 1 << 15)
        }
        return ServiceAnswer(form, bytes)
    }

    @concurrent private static func departures(
        _ request: ServiceRequest
    ) async throws(Problem) -> ServiceAnswer {
        let question = try RouteQuestion(
            request, maxDeadlineHours: DeadlineText.maxPlanHours, sharedFor: curvePeriod)
        let trip = try RouteRequest.trip(request)
        let confidence = try confidence(request.query)
        let window = try window(of: trip, question, confidence)
        let context = try question.context(request, leaving: window.from)
        let bytes = try await Problem.catchingRanking { () async throws(RankingError) in
            let advice = try await DepartureAdvice(
                trip, of: RouteSource(.roads, notes: trip.notes), window, in: context,
                weights: question.weights)
            return DepartureDocument(advice).jsonBytes(capacity: 1 << 16)
        }
        return ServiceAnswer(.json, bytes)
    }

    private static func window(
        of trip: RouteRequest, _ question: RouteQuestion, _ confidence: Double
    ) throws(Problem) -> DepartureWindow {
        // Only a deadline needs a search of its own.
        let goal = try question.deadline.map { deadline throws(Problem) in
            let quickest = try Problem.catchingRanking { () throws(RankingError) in
                try trip.quickestMinutes(leaving: deadline)
            }
            return (deadline: deadline, quickestMinutes: quickest)
        }
        do {
            return try DepartureWindow(
                from: question.departure, arriveBy: goal, confidence: confidence)
        } catch {
            throw .parameter("arrive_by", error.description, takes: "a time that can be met")
        }
    }

    private static func confidence(_ query: Query) throws(Problem) -> Double {
        let confidence = try query.number("confidence", in: 0...1, unit: "a probability") ?? 0.9
        guard confidence > 0, confidence < 1 else {
            throw .parameter(
                "confidence", "must be above 0 and below 1",
                takes: "a probability above 0 and below 1")
        }
        return confidence
    }
}

extension Query {
    /// A parameter that is `true` or `false`.
    func flag(_ name: String, default fallback: Bool = false) throws(Problem) -> Bool {
        try choice(name, default: fallback ? Flag.true : .false) == .true
    }
}

private enum Flag: String, CaseIterable { case `true`, `false` }

/// The departure, deadline and weights of a request, and the snapshot that it is answered from.
struct RouteQuestion {
    /// The newest snapshot, or that of the requested issue time.
    let snapshot: BridgesSnapshot
    let departure: Timestamp
    /// The time to arrive by; nil if there is none.
    let deadline: Timestamp?
    let weights: RouteWeights

    static let parameters = ["mode", "depart", "arrive_by", "weights"]

    private static let departTakes = "a time from now to 366 days ahead, such as 2026-02-20T17:50"

    /// - Parameters:
    ///   - maxDeadlineHours: How far a time of day without a date may lie after the departure.
    ///   - period: For how long the answer is shared: who names no departure leaves at its end. nil: leaves now.
    init(
        _ request: ServiceRequest, maxDeadlineHours: Double = DeadlineText.maxTripHours,
        sharedFor period: SharedPeriod? = nil
    ) throws(Problem) {
        snapshot = try request.snapshot()
        let now = max(request.now, snapshot.issueTime)
        // As of an issue time an answer belongs to one client.
        let leaving = request.past == nil ? period?.end(at: now) ?? now : now
        departure = try request.query.time("depart") ?? leaving
        guard departure >= snapshot.issueTime else {
            throw .parameter(
                "depart",
                "\(TimeText.rfc3339(departure)) is past: the forecast is of "
                    + TimeText.rfc3339(snapshot.issueTime), takes: Self.departTakes)
        }
        deadline = try Self.deadline(
            request.query, after: departure, maxHours: maxDeadlineHours, now: request.now)
        do {
            weights = try WeightsText.weights(
                request.query.text("weights"), hasDeadline: deadline != nil)
        } catch {
            throw .parameter(
                "weights", error.description,
                takes: "prices in minutes by criterion, such as expected=1,p90=0,stopped=2",
                near: RouteCriterion.allCases.map(\.name))
        }
    }

    private static func deadline(
        _ query: Query, after departure: Timestamp, maxHours: Double, now: Timestamp
    ) throws(Problem) -> Timestamp? {
        guard let text = query.text("arrive_by") else { return nil }
        do {
            return try DeadlineText.deadline(
                text, after: departure, maxHours: maxHours, now: now)
        } catch {
            throw .parameter(
                "arrive_by", error.description,
                takes:
                    "RFC 3339, Seattle time such as 2026-02-20T17:50, or a clock time such as 09:00"
            )
        }
    }

    /// The context of a departure, by default the requested one.
    ///
    /// - Throws: ``Problem`` 400 for a departure too far ahead.
    func context(
        _ request: ServiceRequest, leaving other: Timestamp? = nil
    ) throws(Problem) -> ForecastContext {
        let envelope = snapshot.envelope(at: request.now)
        // A departure later than the requested one has been set by the time to arrive by.
        let isInReach =
            departure.minutes(since: snapshot.issueTime) <= ForecastTable.maxDepartureMinutes
        return try Problem.catchingRanking(departing: isInReach ? "arrive_by" : "depart") {
            () throws(RankingError) in
            try ForecastContext(
                leaving: other ?? departure, known: (snapshot.situation, envelope.warnings),
                traffic: snapshot.traffic, model: snapshot.model, by: request.state.parts.inference,
                sources: envelope.sources, askedAt: request.now)
        }
    }
}

extension RouteRequest {
    /// The trip between the places of a request.
    ///
    /// - Throws: ``Problem`` that names the parameter, with the nearest places.
    static func trip(_ request: ServiceRequest) throws(Problem) -> RouteRequest {
        guard let planner = request.state.planner else {
            throw Problem(
                .notFound, "this service has no roads",
                recovery: "send candidates to \(EndpointTable.base)/routes/rank")
        }
        let mode = try request.query.mode()
        let from = try anchor("from", for: mode, of: request, on: planner.network)
        let to = try anchor("to", for: mode, of: request, on: planner.network)
        return .trip(Trip(from: from, to: to, mode: mode), planner)
    }

    private static func anchor(
        _ name: String, for mode: Route.Mode, of request: ServiceRequest, on network: RoadNetwork
    ) throws(Problem) -> Anchor {
        let text = try request.query.required(name, takes: Problem.placeTakes)
        do {
            return try request.state.anchors.anchor(text, mode, on: network)
        } catch {
            throw Problem(error, parameter: name, on: network)
        }
    }
}

extension Problem {
    fileprivate static let placeTakes =
        "a place's name, a street corner such as 15th Ave NW & NW Market St, or latitude,longitude"
    private static let maxNear = 6

    /// A text that is not a place.
    fileprivate init(_ error: PlaceError, parameter: String, on network: RoadNetwork) {
        let code: Code =
            switch error {
            case .unknown, .unknownStreet, .noCorner, .outOfArea, .noRoads: .notFound
            case .ambiguous, .street, .houseNumber, .notOnEarth, .swapped, .onBridge, .noStopping:
                .badParameter
            }
        let near: [String] =
            switch error {
            case .unknown(let text, []), .unknownStreet(let text, _, []):
                NearNames.nearest(text, of: network.places.map(\.name), max: Self.maxNear)
            case .unknown(_, let similar), .unknownStreet(_, _, let similar),
                .noCorner(_, _, let similar), .ambiguous(_, let similar), .street(_, let similar),
                .houseNumber(_, let similar):
                similar
            case .outOfArea, .noRoads, .notOnEarth, .swapped, .onBridge, .noStopping: []
            }
        self.init(
            code, "\(parameter): \(printable(error.description, maxLength: 400))",
            recovery:
                "\(parameter) takes \(Self.placeTakes); \(EndpointTable.base)/places?q= completes names",
            parameter: parameter, near: Array(near.prefix(Self.maxNear)))
    }
}

// MARK: - Places

enum PlacesEndpoint {
    static let all = [Endpoint.get("\(EndpointTable.base)/places", ["q", "near", "limit"], places)]

    private static let limits = 1...50
    private static let defaultLimit = 10
    private static let maxBytes = 200

    @Sendable private static func places(_ request: ServiceRequest) throws -> ServiceAnswer {
        guard let network = request.state.parts.network else {
            throw Problem(
                .notFound, "this service has no roads",
                recovery: "send candidates to \(EndpointTable.base)/routes/rank")
        }
        let text = request.query.text("q")
        guard text.map({ $0.utf8.count <= maxBytes }) ?? true else {
            throw Problem.parameter(
                "q", "is too long", takes: "at most \(maxBytes) bytes of a name")
        }
        let limit = try request.query.integer("limit", in: limits, default: defaultLimit)
        let envelope = Envelope(at: request.now, model: request.state.parts.inference.model.header)
        let document =
            try point(request, besides: text).map {
                PlacesDocument(near: $0, limit: limit, on: network, envelope)
            } ?? PlacesDocument(text, limit: limit, on: network, envelope)
        return ServiceAnswer(.json, document.jsonBytes(), keeping: .seconds(3600))
    }

    /// The point whose corners are asked for; nil if it is a text that is to be completed.
    private static func point(_ request: ServiceRequest, besides text: String?) throws -> GeoPoint?
    {
        guard let given = request.query.text("near") else { return nil }
        guard text == nil, let point = GeoPoint(text: given) else {
            throw Problem.parameter(
                "near", text == nil ? "is not a point" : "does not go with q",
                takes: "latitude,longitude, without q")
        }
        return point
    }
}
