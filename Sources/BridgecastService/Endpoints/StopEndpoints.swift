// `/stops/{id}/board`, departures, predictions, the timeline of a widget, and the nearest stops.
internal import BridgecastSupport
internal import BridgecastAnswers
internal import BridgecastTransitAnswers
internal import BridgecastCore
internal import BridgecastTransit

enum StopEndpoints {
    static let all =
        ["board", "departures"].map { name in
            Endpoint.get(
                "\(EndpointTable.base)/stops/{id}/\(name)", BoardQuestion.parameters + ["at"],
                sharedFor: .second
            ) { try board($0) }
        } + [
            Endpoint.get(
                "\(EndpointTable.base)/stops/{id}/predictions", BoardQuestion.parameters + ["at"],
                sharedFor: .second
            ) { try predictions($0) },
            Endpoint.get(
                "\(EndpointTable.base)/stops/{id}/board/timeline",
                BoardQuestion.parameters + ["at"], sharedFor: .second
            ) {
                let view = try TransitView($0)
                return try timeline(of: try view.stop($0.path.first ?? ""), $0, view)
            },
            Endpoint.get(
                "\(EndpointTable.base)/board/timeline",
                ["stop_id"] + NearestQuestion.parameters + BoardQuestion.parameters + ["at"],
                sharedFor: .second
            ) { try timeline($0) },
        ]

    /// Seconds that a board may be cached: it counts down.
    static let keptSeconds = 1
    private static let defaultPredictions = 5
    /// Default number of departures of each board of a timeline: widgets have few lines.
    private static let defaultInTimeline = 6
    /// Maximum departures of each board of a timeline, which has thirteen.
    private static let maxInTimeline = 100

    private static func board(_ request: ServiceRequest) throws(Problem) -> ServiceAnswer {
        let view = try TransitView(request)
        return answer(
            try document(of: try view.stop(request.path.first ?? ""), for: request, in: view)
                .jsonBytes(capacity: 1 << 15))
    }

    private static func predictions(_ request: ServiceRequest) throws(Problem) -> ServiceAnswer {
        let view = try TransitView(request)
        let board = try document(
            of: try view.stop(request.path.first ?? ""), for: request, in: view,
            defaultLimit: defaultPredictions, includesArrivals: true)
        return answer(StopPredictionsDocument(board).jsonBytes(capacity: 1 << 13))
    }

    static func document(
        of stop: StopIndex, for request: ServiceRequest, in view: TransitView,
        defaultLimit: Int? = nil, includesArrivals: Bool = false, metres: Double? = nil
    ) throws(Problem) -> StopBoardDocument {
        let time = try request.query.time("at") ?? view.now
        let question = try BoardQuestion(
            request.query, view, defaultLimit: defaultLimit, includesArrivals: includesArrivals)
        let board = view.snapshot.board(of: stop, at: time, question.query, holding: view.bridges)
        return StopBoardDocument(
            board, view.snapshot, envelope: view.envelope(about: time), bridges: view.bridges,
            metres: metres)
    }

    /// The timeline of a stop by its identifier, or of the station nearest to a place.
    private static func timeline(_ request: ServiceRequest) throws(Problem) -> ServiceAnswer {
        let view = try TransitView(request)
        guard let id = request.query.text("stop_id") else {
            let found = try NearestQuestion(request).stations(in: view, defaultLimit: 1)
            return try timeline(of: found[0].stop, request, view)
        }
        if let other = NearestQuestion.parameters.first(where: { request.query.text($0) != nil }) {
            throw .parameter(
                other, "cannot be combined with stop_id", takes: "a place instead of a stop")
        }
        return try timeline(of: try view.stop(id), request, view)
    }

    private static func timeline(
        of stop: StopIndex, _ request: ServiceRequest, _ view: TransitView
    ) throws(Problem) -> ServiceAnswer {
        let time = try request.query.time("at") ?? view.now
        // The departures of each direction are limited separately.
        let isSplit = request.query.text("per_direction") != nil
        var query = try BoardQuestion(
            request.query, view, defaultLimit: isSplit ? maxInTimeline : defaultInTimeline
        ).query
        query.limit = min(query.limit ?? maxInTimeline, maxInTimeline)
        let timeline = view.snapshot.timeline(of: stop, at: time, query, holding: view.bridges)
        let document = StopTimelineDocument(
            timeline.entries.map(\.board), validUntil: timeline.validUntil ?? time, view.snapshot,
            envelope: view.envelope(about: time), bridges: view.bridges)
        return answer(document.jsonBytes(capacity: 1 << 17))
    }

    static func answer(_ bytes: [UInt8], _ form: MediaType = .json) -> ServiceAnswer {
        ServiceAnswer(form, bytes, keeping: .seconds(keptSeconds))
    }
}

struct BoardQuestion: Sendable {
    let query: BoardQuery

    static let parameters = [
        "limit", "per_direction", "horizon_min", "route_id", "direction", "arrivals", "on_time_s",
    ]

    private static let limits = 1...1000
    private static let horizonMinutes = 1...2880
    private static let defaultHorizonMinutes = 120

    /// - Parameters:
    ///   - defaultLimit: Departures if the query has no limit; nil for the maximum.
    ///   - includesArrivals: Whether trips that end there are included by default.
    /// - Throws: ``Problem`` 400; 404 for a route that the timetable does not have.
    init(
        _ asked: Query, _ view: TransitView, defaultLimit: Int? = nil,
        includesArrivals: Bool = false
    ) throws(Problem) {
        var query = BoardQuery()
        query.limit = try asked.integer(
            "limit", in: Self.limits, default: defaultLimit ?? Self.limits.upperBound)
        if asked.text("per_direction") != nil {
            query.limitPerDirection = try asked.integer(
                "per_direction", in: Self.limits, default: 1)
        }
        query.horizonSeconds =
            60
            * (try asked.integer(
                "horizon_min", in: Self.horizonMinutes, default: Self.defaultHorizonMinutes))
        if let id = asked.text("route_id") { query.route = try view.route(id) }
        if asked.text("direction") != nil {
            query.direction = try asked.integer("direction", in: 0...1, default: 0)
        }
        query.includesArrivals = try asked.flag("arrivals", default: includesArrivals)
        query.onTimeSeconds = try asked.onTimeSeconds()
        self.query = query
    }
}

extension Query {
    /// Up to so many seconds late or early is on time.
    func onTimeSeconds() throws(Problem) -> Int {
        try integer("on_time_s", in: 0...3600, default: BoardQuery.defaultOnTimeSeconds)
    }
}

enum NearestEndpoint {
    static let all = [
        Endpoint.get(
            "\(EndpointTable.base)/stops/nearest",
            NearestQuestion.parameters + ["stations"] + BoardQuestion.parameters + ["at"]
        ) { try nearest($0) }
    ]

    private static let limits = 1...50

    private static func nearest(_ request: ServiceRequest) throws(Problem) -> ServiceAnswer {
        let view = try TransitView(request)
        let count = try request.query.integer("stations", in: limits, default: 1)
        let found = try NearestQuestion(request).stations(in: view, defaultLimit: count)
        let board = try StopEndpoints.document(
            of: found[0].stop, for: request, in: view, metres: found[0].metres)
        let document = NearestDocument(found, in: view.feed, envelope: board.envelope, board: board)
        return StopEndpoints.answer(document.jsonBytes(capacity: 1 << 15))
    }
}

// MARK: - Nearest

/// The location of the client in a query.
struct NearestQuestion: Sendable {
    private let point: GeoPoint
    private let withinMetres: Double

    static let parameters = ["lat", "lon", "located_at", "within_m"]

    private static let defaultWithinMetres = 50_000.0
    private static let withinRange = 1.0...20_100_000

    /// - Throws: ``Problem`` 400 with the codes of ``StationProblem``.
    init(_ request: ServiceRequest) throws(Problem) {
        let query = request.query
        let latitude = try query.number("lat", in: -90...90, unit: "degrees north")
        let longitude = try query.number("lon", in: -180...180, unit: "degrees east")
        guard let latitude, let longitude else {
            throw Problem(
                .noLocation,
                recovery:
                    "send lat and lon in degrees, or name a stop: \(EndpointTable.base)/stops/{id}/board",
                parameter: latitude == nil ? "lat" : "lon")
        }
        point = GeoPoint(latitude: latitude, longitude: longitude)
        withinMetres =
            try query.number("within_m", in: Self.withinRange, unit: "metres")
            ?? Self.defaultWithinMetres
        guard let located = try query.time("located_at"),
            let problem = CachedLocation(point: point, foundAt: located).problem(at: request.now)
        else { return }
        throw Problem(
            problem, recovery: "locate the device again and send lat, lon and located_at",
            parameter: "located_at")
    }

    /// The nearest stations; at least one.
    ///
    /// - Throws: ``Problem`` 404 if there is none within the distance.
    func stations(in view: TransitView, defaultLimit: Int) throws(Problem) -> [StationFinder.Found]
    {
        let found = view.timetable.stations.nearest(
            to: point, limit: defaultLimit, withinMetres: withinMetres)
        guard found.isEmpty else { return found }
        throw Problem(
            .noStation(withinMetres: withinMetres),
            recovery:
                "send a larger within_m, or name a stop: \(EndpointTable.base)/stops shows them",
            parameter: "within_m")
    }
}

extension Problem {
    /// A problem of the library, with what to send instead.
    fileprivate init(_ problem: StationProblem, recovery: String, parameter: String) {
        // The library names them as the service does.
        self.init(
            Code(rawValue: problem.code) ?? .internalError, problem.description, recovery: recovery,
            parameter: parameter)
    }
}
