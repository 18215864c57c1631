// `/routes/{id}`, its live widget, `/stops` and `/realtime`: lines of buses and trains, their stops and vehicles.
internal import BridgecastAnswers
internal import BridgecastCore
internal import BridgecastTransit
internal import BridgecastTransitAnswers
internal import HTTPTypes

enum TransitRouteEndpoints {
    static let all = [
        Endpoint.getHeavy("/api/v1/routes/{id}", []) { try await route($0) },
        Endpoint.getHeavy("/api/v1/routes/{id}/live-widget", ["stop_id"]) { try await widget($0) },
        Endpoint.getHeavy("/api/v1/stops", ["route_id", "limit", "offset"]) { try await stops($0) },
        Endpoint.getHeavy("/api/v1/realtime", ["route_id", "limit", "offset"]) {
            try await vehicles($0)
        },
    ]

    private static let limits = 1...1000
    private static let usualLimit = 100
    /// More vehicles than any agency has on a route.
    private static let usualVehicles = 500
    private static let offsets = 0...100_000_000
    /// Seconds that what stands in the timetable may be kept.
    private static let keptSeconds = 60

    /// A route, its directions and the bridges on its way.
    @concurrent
    private static func route(_ request: ServiceRequest) async throws(Problem) -> ServiceAnswer {
        let view = try TransitView(request)
        let route = try view.route(request.path.first ?? "")
        let document = TransitRouteDocument(
            route, view.snapshot, view.desk.crossings, view.envelope(tellsOfBridges: false))
        return ServiceAnswer(.json, document.jsonBytes(), keeping: .seconds(keptSeconds))
    }

    /// Everything that a widget of a route shows, in one answer.
    @concurrent
    private static func widget(_ request: ServiceRequest) async throws(Problem) -> ServiceAnswer {
        let view = try TransitView(request)
        let route = try view.route(request.path.first ?? "")
        let stop = try request.query.text("stop_id").map { id throws(Problem) in try view.stop(id) }
        let document = LiveWidgetDocument(
            route, stop: stop, view.snapshot, at: view.now, view.envelope(), bridges: view.bridges)
        return StopEndpoints.answer(document.jsonBytes(capacity: 1 << 16))
    }

    /// The stops of a route, or of the whole timetable, a page at a time.
    @concurrent
    private static func stops(_ request: ServiceRequest) async throws(Problem) -> ServiceAnswer {
        let view = try TransitView(request)
        let document = StopsDocument(
            try route(in: request.query, view), in: view.feed,
            showing: try page(request.query, usual: usualLimit),
            view.envelope(tellsOfBridges: false))
        return ServiceAnswer(
            .json, document.jsonBytes(capacity: 1 << 15), keeping: .seconds(keptSeconds))
    }

    /// The vehicles of a route, or all, where they are by now.
    @concurrent
    private static func vehicles(_ request: ServiceRequest) async throws(Problem) -> ServiceAnswer {
        let view = try TransitView(request)
        try check(view, request.state)
        let document = RealtimeDocument(
            try route(in: request.query, view), view.snapshot, at: view.now,
            showing: try page(request.query, usual: usualVehicles), view.envelope(),
            bridges: view.bridges)
        return StopEndpoints.answer(document.jsonBytes(capacity: 1 << 17))
    }

    private static func route(
        in query: Query, _ view: TransitView
    ) throws(Problem) -> RouteIndex? {
        try query.text("route_id").map { id throws(Problem) in try view.route(id) }
    }

    private static func page(_ query: Query, usual: Int) throws(Problem) -> Range<Int> {
        let limit = try query.integer("limit", in: limits, usual: usual)
        let offset = try query.integer("offset", in: offsets, usual: 0)
        return offset..<(offset + limit)
    }

    /// Without a feed that has ever answered nobody may think that nothing runs.
    private static func check(_ view: TransitView, _ state: ServiceState) throws(Problem) {
        guard let transit = state.transit, transit.hasRealtime else {
            throw Problem(
                .notFound, .noData, "this service was started without realtime feeds",
                recovery: "boards show the timetable: /api/v1/stops/{id}/board")
        }
        let sources = view.snapshot.sources
        guard !sources.contains(where: { $0.fetchedAt != nil }) else { return }
        let reasons = sources.compactMap { source in source.problem.map { "\(source.id): \($0)" } }
        throw Problem(
            .serviceUnavailable, .apiError,
            reasons.isEmpty
                ? "no realtime feed has answered yet" : reasons.joined(separator: "; "),
            recovery: "try again in half a minute; boards show the timetable meanwhile",
            retryAfterSeconds: 20)
    }
}
