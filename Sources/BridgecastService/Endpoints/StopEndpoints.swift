// `/stops/{id}/board` and what is like it: departures, predictions, the timeline of a widget.
internal import BridgecastAnswers
internal import BridgecastCore
internal import BridgecastTransit
internal import BridgecastTransitAnswers
internal import HTTPTypes

enum StopEndpoints {
    static let all =
        ["board", "departures"].map { name in
            Endpoint.get("/api/v1/stops/{id}/\(name)", BoardQuestion.parameters + ["at"]) {
                try board($0)
            }
        } + [
            Endpoint.get("/api/v1/stops/{id}/predictions", BoardQuestion.parameters + ["at"]) {
                try predictions($0)
            },
            Endpoint.get("/api/v1/stops/{id}/board/timeline", BoardQuestion.parameters + ["at"]) {
                let view = try TransitView($0)
                return try timeline(of: try view.stop($0.path.first ?? ""), $0, view)
            },
            Endpoint.get(
                "/api/v1/board/timeline",
                ["stop_id"] + NearestQuestion.parameters + BoardQuestion.parameters + ["at"]
            ) { try timeline($0) },
        ]

    /// Seconds that a board may be kept: what is counted down is another number then.
    static let keptSeconds = 1
    /// Predictions of a stop unless somebody asks for more.
    private static let usualPredictions = 5
    /// Departures of each board of a timeline unless somebody asks for more: widgets have few lines.
    private static let usualInTimeline = 6
    /// Departures of each board of a timeline at most: it has thirteen.
    private static let mostInTimeline = 100

    private static func board(_ request: ServiceRequest) throws(Problem) -> ServiceAnswer {
        let view = try TransitView(request)
        return answer(
            try document(try view.stop(request.path.first ?? ""), request, view)
                .jsonBytes(capacity: 1 << 15))
    }

    private static func predictions(_ request: ServiceRequest) throws(Problem) -> ServiceAnswer {
        let view = try TransitView(request)
        let board = try document(
            try view.stop(request.path.first ?? ""), request, view, usualLimit: usualPredictions)
        return answer(StopPredictionsDocument(board).jsonBytes(capacity: 1 << 13))
    }

    /// The board of a stop as a request asks for it.
    static func document(
        _ stop: StopIndex, _ request: ServiceRequest, _ view: TransitView, usualLimit: Int? = nil,
        metres: Double? = nil
    ) throws(Problem) -> StopBoardDocument {
        let moment = try request.query.time("at") ?? view.now
        let question = try BoardQuestion(request.query, view, usualLimit: usualLimit)
        let board = view.snapshot.board(
            of: stop, at: moment, question.query, holding: view.bridges?.holds)
        return StopBoardDocument(
            board, view.snapshot, view.envelope(about: moment), bridges: view.bridges,
            metres: metres)
    }

    /// The timeline of a stop that is named, or of the station nearest to a place.
    private static func timeline(_ request: ServiceRequest) throws(Problem) -> ServiceAnswer {
        let view = try TransitView(request)
        guard let id = request.query.text("stop_id") else {
            let found = try NearestQuestion(request).stations(in: view, usualLimit: 1)
            return try timeline(of: found[0].stop, request, view)
        }
        if let other = NearestQuestion.parameters.first(where: { request.query.text($0) != nil }) {
            throw .parameter(other, "stands beside stop_id", takes: "a place instead of a stop")
        }
        return try timeline(of: try view.stop(id), request, view)
    }

    private static func timeline(
        of stop: StopIndex, _ request: ServiceRequest, _ view: TransitView
    ) throws(Problem) -> ServiceAnswer {
        let moment = try request.query.time("at") ?? view.now
        // Those of each direction are counted themselves.
        let isSplit = request.query.text("per_direction") != nil
        var query = try BoardQuestion(
            request.query, view, usualLimit: isSplit ? mostInTimeline : usualInTimeline
        ).query
        query.limit = min(query.limit ?? mostInTimeline, mostInTimeline)
        let timeline = view.snapshot.timeline(
            of: stop, at: moment, query, holding: view.bridges?.holds)
        let document = StopTimelineDocument(
            timeline.entries.map(\.board), validUntil: timeline.validUntil ?? moment,
            view.snapshot, view.envelope(about: moment), bridges: view.bridges)
        return answer(document.jsonBytes(capacity: 1 << 17))
    }

    /// An answer about this very moment.
    static func answer(_ bytes: [UInt8], _ form: MediaType = .json) -> ServiceAnswer {
        ServiceAnswer(form, bytes, keeping: .seconds(keptSeconds))
    }
}

/// What a query asks of a board.
struct BoardQuestion: Sendable {
    /// For the library.
    let query: BoardQuery

    /// Parameters of all boards.
    static let parameters = [
        "limit", "per_direction", "horizon_min", "route_id", "direction", "arrivals", "on_time_s",
    ]

    private static let limits = 1...1000
    private static let horizonMinutes = 1...2880
    private static let usualHorizonMinutes = 120

    /// Reads the parameters of a board.
    ///
    /// - Parameter usualLimit: Departures unless somebody asks for another number; nil for as many as may be asked for.
    /// - Throws: ``Problem`` 400; 404 for a route that the timetable does not have.
    init(_ asked: Query, _ view: TransitView, usualLimit: Int? = nil) throws(Problem) {
        var query = BoardQuery()
        query.limit = try asked.integer(
            "limit", in: Self.limits, usual: usualLimit ?? Self.limits.upperBound)
        if asked.text("per_direction") != nil {
            query.limitPerDirection = try asked.integer("per_direction", in: Self.limits, usual: 1)
        }
        query.horizonSeconds =
            60
            * (try asked.integer(
                "horizon_min", in: Self.horizonMinutes, usual: Self.usualHorizonMinutes))
        if let id = asked.text("route_id") { query.route = try view.route(id) }
        if asked.text("direction") != nil {
            query.direction = try asked.integer("direction", in: 0...1, usual: 0)
        }
        query.includesArrivals = try asked.flag("arrivals")
        query.onTimeSeconds = try asked.integer(
            "on_time_s", in: 0...3600, usual: query.onTimeSeconds)
        self.query = query
    }
}
