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
        let moment = try request.query.time("at") ?? view.now
        let envelope = view.envelope(about: moment)
        if view.feed.trip(id) == nil, let added = view.snapshot.addedRun(ofTrip: id) {
            return TripDocument(added, view.snapshot, at: moment, envelope)
        }
        let run = try run(of: try view.trip(id), id, at: moment, request.query, view)
        return TripDocument(run, view.snapshot, at: moment, envelope, bridges: view.bridges)
    }

    /// The run of a service day, or the one that runs at a moment, else the next.
    private static func run(
        of trip: TripIndex, _ id: String, at moment: Timestamp, _ query: Query, _ view: TransitView
    ) throws(Problem) -> RunKey {
        let date = try date(query)
        let run: RunKey? =
            if let date {
                view.snapshot.run(ofTrip: trip, on: date)
            } else {
                view.snapshot.run(ofTrip: trip, at: moment)
            }
        if let run { return run }
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
}
