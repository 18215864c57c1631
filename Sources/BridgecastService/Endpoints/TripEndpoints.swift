// `/trips/{id}` and its map: a run of a trip stop by stop, its vehicle, and the bridges before it.
internal import BridgecastAnswers
internal import BridgecastCore
internal import BridgecastTransit
internal import BridgecastTransitAnswers
internal import HTTPTypes

enum TripEndpoints {
    static let all = [
        Endpoint.get("/api/v1/trips/{id}", parameters) {
            StopEndpoints.answer(try document($0).jsonBytes(capacity: 1 << 15))
        },
        Endpoint.get("/api/v1/trips/{id}/map", parameters, forms: [.geoJSON, .json]) {
            StopEndpoints.answer(
                TripMap(try document($0)).jsonBytes(capacity: 1 << 16), $0.form)
        },
    ]

    private static let parameters = ["date", "at"]

    private static func document(_ request: ServiceRequest) throws(Problem) -> TripDocument {
        let view = try TransitView(request)
        let id = request.path.first ?? ""
        if view.feed.trip(id) == nil { try checkAdded(id, view) }
        let trip = try view.trip(id)
        let moment = try request.query.time("at") ?? view.now
        let run = try run(of: trip, id, at: moment, request.query, view)
        return TripDocument(
            run, view.snapshot, at: moment, view.envelope(about: moment), bridges: view.bridges)
    }

    /// The run of a service day, or the one that runs at a moment, else the next.
    private static func run(
        of trip: TripIndex, _ id: String, at asked: Timestamp, _ query: Query, _ view: TransitView
    ) throws(Problem) -> RunKey {
        let date = try date(query)
        let rows = view.feed.stopTimes.rows(of: trip)
        let moment = date.map { date in
            let first = rows.isEmpty ? 0 : view.feed.stopTimes.departures[rows.lowerBound]
            return view.feed.zone.serviceDayStart(date).adding(seconds: Int64(max(0, first)))
        }
        if let run = view.snapshot.run(ofTrip: trip, at: moment ?? asked),
            date.map({ $0 == run.date }) ?? true
        {
            return run
        }
        throw Problem(
            .notFound, .noData,
            "trip '\(printable(id, most: 60))' does not run "
                + (date.map { "on \($0)" } ?? "any more by this timetable"),
            recovery: "send another date, or look at the board of its stop", parameter: "date")
    }

    private static func date(_ query: Query) throws(Problem) -> CivilDate? {
        guard let text = query.text("date") else { return nil }
        if let date = TimeText.parseDate(text) { return date }
        throw .parameter(
            "date", "'\(printable(text, most: 40))' is not one",
            takes: "a service day such as 2026-02-20")
    }

    /// A trip that runs today and is in no timetable has no page of its own.
    private static func checkAdded(_ id: String, _ view: TransitView) throws(Problem) {
        guard view.snapshot.added.contains(where: { $0.update.trip.tripID == id }) else { return }
        throw Problem(
            .notFound, .noData,
            "trip '\(printable(id, most: 60))' runs today and is not in the timetable",
            recovery: "look at the boards of its stops")
    }
}
