// `/stops/nearest`: the stations near a place, with the board of the nearest; the place is kept nowhere.
internal import BridgecastAnswers
internal import BridgecastCore
internal import BridgecastTransit
internal import BridgecastTransitAnswers
internal import HTTPTypes

enum NearestEndpoint {
    static let all = [
        Endpoint.get(
            "/api/v1/stops/nearest",
            NearestQuestion.parameters + ["stations"] + BoardQuestion.parameters + ["at"]
        ) { try nearest($0) }
    ]

    private static let limits = 1...50

    private static func nearest(_ request: ServiceRequest) throws(Problem) -> ServiceAnswer {
        let view = try TransitView(request)
        let count = try request.query.integer("stations", in: limits, usual: 1)
        let found = try NearestQuestion(request).stations(in: view, usualLimit: count)
        let board = try StopEndpoints.document(
            found[0].stop, request, view, metres: found[0].metres)
        let document = NearestDocument(found, in: view.feed, board.envelope, board: board)
        return StopEndpoints.answer(document.jsonBytes(capacity: 1 << 15))
    }
}

/// Where somebody is, as a query tells it.
struct NearestQuestion: Sendable {
    private let point: GeoPoint
    private let withinMetres: Double

    /// Parameters of a place.
    static let parameters = ["lat", "lon", "located_at", "within_m"]

    private static let usualWithinMetres = 50_000.0
    private static let withinRange = 1.0...20_100_000

    /// Reads the place.
    ///
    /// - Throws: ``Problem`` 400, by the names that apps of the nearest station have for what is wrong.
    init(_ request: ServiceRequest) throws(Problem) {
        let query = request.query
        let latitude = try query.number("lat", in: -90...90, unit: "degrees north")
        let longitude = try query.number("lon", in: -180...180, unit: "degrees east")
        guard let latitude, let longitude else {
            throw Problem(
                .noLocation,
                recovery: "send lat and lon in degrees, or name a stop: /api/v1/stops/{id}/board",
                parameter: latitude == nil ? "lat" : "lon")
        }
        point = GeoPoint(latitude: latitude, longitude: longitude)
        withinMetres =
            try query.number("within_m", in: Self.withinRange, unit: "metres")
            ?? Self.usualWithinMetres
        guard let located = try query.time("located_at"),
            let problem = CachedLocation(point: point, foundAt: located).problem(at: request.now)
        else { return }
        throw Problem(
            problem, recovery: "find out where you are again and send lat and lon with it",
            parameter: "located_at")
    }

    /// The nearest stations; at least one.
    ///
    /// - Throws: ``Problem`` 404 if there is none so near.
    func stations(in view: TransitView, usualLimit: Int) throws(Problem) -> [StationFinder.Found] {
        let found = view.desk.stations.nearest(
            to: point, limit: usualLimit, withinMetres: withinMetres)
        guard found.isEmpty else { return found }
        throw Problem(
            .noStation(withinMetres: withinMetres),
            recovery: "send a larger within_m, or name a stop: /api/v1/stops shows them",
            parameter: "within_m")
    }
}

extension Problem {
    /// What the library says of a place, with what to send instead.
    fileprivate init(_ problem: StationProblem, recovery: String, parameter: String) {
        let (status, code): (HTTPResponse.Status, Code) =
            switch problem {
            case .noLocation: (.badRequest, .noLocation)
            case .cacheStale: (.badRequest, .cacheStale)
            case .noStation: (.notFound, .noStation)
            case .noData: (.notFound, .noData)
            case .apiError: (.serviceUnavailable, .apiError)
            }
        self.init(
            status, code, problem.description, recovery: recovery, parameter: parameter)
    }
}
