// `/lines`, `/routes/{id}`, its map and live widget, `/stops`, `/realtime` and `/trips/{id}`: lines of buses and trains, their stops,
// vehicles and trips.
internal import BridgecastAnswers
internal import BridgecastTransitAnswers
internal import BridgecastCore
internal import BridgecastSupport
internal import BridgecastTransit

enum TransitRouteEndpoints {
    static let all = [
        Endpoint.getHeavy("\(EndpointTable.base)/routes/{id}", []) { try await route($0) },
        Endpoint.getHeavy(
            "\(EndpointTable.base)/routes/{id}/map", [], forms: [.geoJSON, .json],
            sharedFor: .timetable
        ) { try await map($0) },
        Endpoint.getHeavy(
            "\(EndpointTable.base)/routes/{id}/live-widget", ["stop_id", "on_time_s"]
        ) { try await widget($0) },
        Endpoint.getHeavy(
            "\(EndpointTable.base)/lines", ["q", "limit", "offset"], sharedFor: .timetable
        ) { try await lines($0) },
        Endpoint.getHeavy(
            "\(EndpointTable.base)/stops", ["route_id", "q", "limit", "offset"],
            sharedFor: .timetable
        ) { try await stops($0) },
        Endpoint.getHeavy(
            "\(EndpointTable.base)/realtime",
            ["route_id", "stop_id", "on_time_s", "limit", "offset"], sharedFor: .second
        ) { try await vehicles($0) },
    ]

    /// More vehicles than any agency has on a route.
    private static let defaultVehicles = 500
    /// The maximum number of routes of one request.
    private static let maxRoutes = 50
    /// Seconds that contents of the timetable may be cached.
    private static let keptSeconds = 60

    @concurrent private static func route(
        _ request: ServiceRequest
    ) async throws(Problem) -> ServiceAnswer {
        let view = try TransitView(request)
        let route = try view.route(request.path.first ?? "")
        let document = TransitRouteDocument(
            route, view.snapshot, view.timetable.crossings,
            envelope: view.envelope(includesBridges: false))
        return ServiceAnswer(.json, document.jsonBytes(), keeping: .seconds(keptSeconds))
    }

    @concurrent private static func widget(
        _ request: ServiceRequest
    ) async throws(Problem) -> ServiceAnswer {
        let view = try TransitView(request)
        let route = try view.route(request.path.first ?? "")
        let document = LiveWidgetDocument(
            route, try details(request.query, view), view.snapshot, at: view.now,
            envelope: view.envelope(),
            bridges: view.bridges)
        return StopEndpoints.answer(document.jsonBytes(capacity: 1 << 16))
    }

    @concurrent private static func map(
        _ request: ServiceRequest
    ) async throws(Problem) -> ServiceAnswer {
        let view = try TransitView(request)
        let document = LineMap(
            try view.route(request.path.first ?? ""), in: view.feed, view.timetable.crossings,
            envelope: view.envelope(includesBridges: false))
        return ServiceAnswer(
            request.form, document.jsonBytes(capacity: 1 << 16), keeping: .seconds(keptSeconds))
    }

    @concurrent private static func lines(
        _ request: ServiceRequest
    ) async throws(Problem) -> ServiceAnswer {
        let view = try TransitView(request)
        let document = LinesDocument(
            matching: try request.query.words("q"), in: view.feed, view.timetable.crossings,
            showing: try range(request.query), envelope: view.envelope(includesBridges: false))
        return ServiceAnswer(
            .json, document.jsonBytes(capacity: 1 << 14), keeping: .seconds(keptSeconds))
    }

    /// The stops of a route, all at once; or those of the whole timetable, a page at a time.
    @concurrent private static func stops(
        _ request: ServiceRequest
    ) async throws(Problem) -> ServiceAnswer {
        let view = try TransitView(request)
        let route = try request.query.text("route_id").map { id throws(Problem) in
            try view.route(id)
        }
        let document = StopsDocument(
            route, matching: try request.query.words("q"), in: view.feed,
            showing: try range(
                request.query,
                defaultCount: route == nil ? Query.defaultLimit : Query.maxLimit),
            view.envelope(includesBridges: false))
        return ServiceAnswer(
            .json, document.jsonBytes(capacity: 1 << 15), keeping: .seconds(keptSeconds))
    }

    @concurrent private static func vehicles(
        _ request: ServiceRequest
    ) async throws(Problem) -> ServiceAnswer {
        let view = try TransitView(request)
        try check(view, request.state)
        let document = VehiclesDocument(
            try routes(in: request.query, view), view.snapshot, at: view.now,
            try details(request.query, view),
            showing: try range(request.query, defaultCount: defaultVehicles),
            envelope: view.envelope(), bridges: view.bridges)
        return StopEndpoints.answer(document.jsonBytes(capacity: 1 << 17))
    }

    /// The routes of `route_id`: one, or several with commas between them.
    private static func routes(
        in query: Query, _ view: TransitView
    ) throws(Problem) -> [RouteIndex] {
        guard let text = query.text("route_id") else { return [] }
        // An identifier may have a comma of its own.
        if let one = view.feed.route(text) { return [one] }
        var routes: [RouteIndex] = []
        let ids = text.split(separator: ",")
        guard (1...maxRoutes).contains(ids.count) else {
            throw .parameter(
                "route_id", "names \(ids.count) routes",
                takes: "1 to \(maxRoutes) routes with commas between them")
        }
        for id in ids {
            let route = try view.route(String(id))
            if !routes.contains(route) { routes.append(route) }
        }
        return routes
    }

    private static func details(
        _ query: Query, _ view: TransitView
    ) throws(Problem) -> VehicleDetails {
        VehicleDetails(
            stop: try query.text("stop_id").map { id throws(Problem) in try view.stop(id) },
            onTimeSeconds: try query.onTimeSeconds())
    }

    private static func range(
        _ query: Query, defaultCount: Int = Query.defaultLimit
    ) throws(Problem) -> Range<Int> {
        let (offset, limit) = try query.page(defaultLimit: defaultCount)
        return offset..<(offset + limit)
    }

    /// Without a feed that has answered, an empty list would be wrong.
    private static func check(_ view: TransitView, _ state: ServiceState) throws(Problem) {
        guard let transit = state.transit, transit.hasRealtime else {
            throw Problem(
                .noData, "this service was started without realtime feeds",
                recovery: "boards show the timetable: \(EndpointTable.base)/stops/{id}/board")
        }
        let sources = view.snapshot.sources
        guard !sources.contains(where: { $0.fetchedAt != nil }) else { return }
        let reasons = sources.compactMap { source in source.problem.map { "\(source.id): \($0)" } }
        throw Problem(
            .apiError,
            reasons.isEmpty ? "no realtime feed has answered yet" : reasons.joined(separator: "; "),
            recovery: "try again in half a minute; boards show the timetable meanwhile",
            retryAfterSeconds: Int(TransitPoller.minIntervalSeconds))
    }
}

// MARK: - Trips

enum TripEndpoints {
    static let all = [
        Endpoint.get("\(EndpointTable.base)/trips/{id}", parameters + ["from", "to"]) {
            var document = try document($0)
            document.ride = try ride(on: document, $0.query)
            return StopEndpoints.answer(document.jsonBytes(capacity: 1 << 15))
        },
        Endpoint.get("\(EndpointTable.base)/trips/{id}/map", parameters, forms: [.geoJSON, .json]) {
            StopEndpoints.answer(TripMap(try document($0)).jsonBytes(capacity: 1 << 16), $0.form)
        },
    ]

    private static let parameters = ["date", "at", "on_time_s"]

    private static func document(_ request: ServiceRequest) throws(Problem) -> TripDocument {
        let view = try TransitView(request)
        let id = request.path.first ?? ""
        let time = try request.query.time("at") ?? view.now
        let envelope = view.envelope(about: time)
        let onTimeSeconds = try request.query.onTimeSeconds()
        if view.feed.trip(id) == nil, let added = view.snapshot.addedRun(ofTrip: id) {
            return TripDocument(
                added, view.snapshot, at: time, onTimeSeconds: onTimeSeconds, envelope: envelope)
        }
        let run = try run(of: try view.trip(id), named: id, at: time, request.query, in: view)
        return TripDocument(
            run, view.snapshot, at: time, onTimeSeconds: onTimeSeconds, envelope: envelope,
            bridges: view.bridges)
    }

    /// The ride that a query names by its stops; nil for none.
    private static func ride(
        on document: TripDocument, _ query: Query
    ) throws(Problem) -> RideOutlook? {
        if query.text("from") == nil, query.text("to") == nil { return nil }
        let takes = "the identifier of a stop of the trip"
        let from = try query.required("from", takes: takes)
        let to = try query.required("to", takes: takes)
        guard let boarding = document.stops.first(where: { $0.stop.id == from }) else {
            throw .parameter("from", "the trip does not stop there", takes: takes)
        }
        let later = document.stops.drop {
            $0.departure.stopOrder <= boarding.departure.stopOrder
        }
        guard let alighting = later.first(where: { $0.stop.id == to }) else {
            throw .parameter(
                "to", "the trip does not stop there after from", takes: takes)
        }
        return RideOutlook(document, from: boarding, to: alighting)
    }

    /// The run of a service day, or the one that runs at a time, else the next.
    private static func run(
        of trip: TripIndex, named id: String, at time: Timestamp, _ query: Query,
        in view: TransitView
    ) throws(Problem) -> RunKey {
        let date = try date(query)
        let run: RunKey? =
            if let date {
                view.snapshot.run(ofTrip: trip, on: date)
            } else {
                view.snapshot.run(ofTrip: trip, at: time)
            }
        if let run { return run }
        throw Problem(
            .noData,
            "trip '\(printable(id, maxLength: 60))' does not run "
                + (date.map { "on \($0)" } ?? "again in this timetable"),
            recovery: "send another date, or look at the board of its stop", parameter: "date")
    }

    private static func date(_ query: Query) throws(Problem) -> CivilDate? {
        guard let text = query.text("date") else { return nil }
        if let date = TimeText.parseDate(text) { return date }
        throw .parameter(
            "date", "'\(printable(text, maxLength: 40))' is not a date",
            takes: "a service day such as 2026-02-20")
    }
}
