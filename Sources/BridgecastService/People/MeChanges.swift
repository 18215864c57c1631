// What a person changes below `/api/v1/me`. Parameters are sent as a form in the body: addresses end up in logs.
internal import BridgecastAnswers
internal import BridgecastCore
package import BridgecastJourneys
internal import BridgecastRouting
package import BridgecastSupport
internal import Foundation
internal import HTTPTypes
internal import NIOCore

enum MeChanges {
    private static let base = PrivateResources.base
    private static let form = ["application/x-www-form-urlencoded"]

    static let all = [
        Endpoint.post("\(base)/favourites", takes: form) { try await addFavourite($0) },
        Endpoint.post("\(base)/favourites/{id}", takes: form) { try await changeFavourite($0) },
        delete("\(base)/favourites/{id}") { try await removeFavourite($0) },
        Endpoint.post("\(base)/journeys", takes: form) { try await addJourney($0) },
        Endpoint.post("\(base)/journeys/start", takes: form) { try await start($0) },
        Endpoint.post("\(base)/journeys/stop", takes: form) { try await stop($0) },
        delete("\(base)/journeys/{id}") { try await removeJourney($0) },
        Endpoint.post("\(base)/import", takes: ["application/json"]) {
            try await merge($0)
        },
    ]

    private static func delete(
        _ path: String, _ handle: @escaping @Sendable (ServiceRequest) async throws -> ServiceAnswer
    ) -> Endpoint {
        Endpoint(
            method: .delete, path: path, parameters: [], bodyTypes: [], weight: .heavy,
            handle: .later(handle))
    }

    // MARK: Favourites

    @concurrent private static func addFavourite(
        _ request: ServiceRequest
    ) async throws -> ServiceAnswer {
        let me = try request.me
        let form = try request.form(
            ["name", "from", "to", "mode", "line", "stop", "direction", "refresh_min"])
        guard let target = try form.target() else {
            throw Problem(
                .missingParameter, "neither a trip nor a stop is named",
                recovery: "send from and to, or line and stop", parameter: "from")
        }
        let favourite = Favourite(
            id: Journey.newID(), name: try form.required("name", takes: "a name of your own"),
            target: target, refresh: try form.refresh() ?? .fiveMinutes)
        return try Problem.catchingJournal {
            try me.journal.add(favourite)
            return .privately(favourite)
        }
    }

    @concurrent private static func changeFavourite(
        _ request: ServiceRequest
    ) async throws -> ServiceAnswer {
        let me = try request.me
        let form = try request.form(["name", "refresh_min", "position"])
        let id = request.path.first ?? ""
        let refresh = try form.refresh()
        let range = 1...JourneyStore.maxFavourites
        let position =
            form.text("position") == nil
            ? nil : try form.integer("position", in: range, default: 1)
        return try Problem.catchingJournal {
            let changed = try me.journal.setFavourite(
                id, name: form.text("name"), refresh: refresh)
            if let position { try me.journal.moveFavourite(changed.id, to: position - 1) }
            return .privately(changed)
        }
    }

    @concurrent private static func removeFavourite(
        _ request: ServiceRequest
    ) async throws -> ServiceAnswer {
        let me = try request.me
        return try Problem.catchingJournal {
            .privately(try me.journal.removeFavourite(request.path.first ?? ""))
        }
    }

    // MARK: Journeys

    @concurrent private static func addJourney(
        _ request: ServiceRequest
    ) async throws -> ServiceAnswer {
        let me = try request.me
        let form = try request.form([
            "favourite", "from", "to", "mode", "departed", "arrived", "minutes", "stopped",
        ])
        let target = try form.target(in: me.journal)
        guard let departed = try form.time("departed"), let arrived = try form.time("arrived")
        else {
            throw Problem(
                .missingParameter, "departed or arrived is missing",
                recovery: "send both, such as 2026-02-20T17:50", parameter: "departed")
        }
        let planned = try form.minutes() ?? arrived.minutes(since: departed)
        var journey = Journey(
            planned: target, leaving: departed, minutes: max(0, planned), now: request.now)
        journey.actualDeparture = departed
        journey.actualArrival = arrived
        journey.wasStopped = try form.stopped()
        return try Problem.catchingJournal {
            try me.journal.add(journey, now: request.now)
            return .privately(journey)
        }
    }

    @concurrent private static func start(_ request: ServiceRequest) async throws -> ServiceAnswer {
        let me = try request.me
        let form = try request.form(["favourite", "from", "to", "mode", "minutes"])
        let target = try form.target(in: me.journal)
        let minutes = try form.minutes()
        var journey = Journey(
            planned: target, leaving: request.now, minutes: minutes ?? 0, now: request.now)
        journey.actualDeparture = request.now
        if minutes == nil {
            let score = try await best(target, request)
            journey.forecast = JourneyForecast(score)
            journey.plannedArrival = score.expectedArrival(leaving: request.now)
        }
        return try Problem.catchingJournal {
            try me.journal.begin(journey, now: request.now)
            return .privately(journey)
        }
    }

    /// The route that ranks first now.
    private static func best(
        _ target: Favourite.Target, _ request: ServiceRequest
    ) async throws -> RouteScore {
        guard case .trip(let from, let to, let mode) = target, mode.roadMode != nil else {
            throw Problem(
                .missingParameter, "the time of a bus or train is not forecast here",
                recovery: "send the minutes that it takes", parameter: "minutes")
        }
        var asked = request
        asked.query = Query(["from": from, "to": to, "mode": mode.rawValue])
        let trip = try RouteRequest.trip(asked)
        let question = try RouteQuestion(asked)
        let context = try question.context(asked)
        let prediction = try await Problem.catchingRanking { () async throws(RankingError) in
            try await Prediction(
                trip, of: RouteSource(.roads, notes: trip.notes), in: context,
                weights: question.weights, deadline: nil, explains: false)
        }
        guard let best = prediction.groups.first?.ranking.first else {
            throw Problem(
                .notFound, "there is no way between these places",
                recovery: "send the minutes that it takes", parameter: "to")
        }
        return best
    }

    @concurrent private static func stop(_ request: ServiceRequest) async throws -> ServiceAnswer {
        let me = try request.me
        let form = try request.form(["stopped", "abandoned"])
        let end: JourneyStore.End =
            try form.flag("abandoned") ? .abandoned : .arrived(wasStopped: try form.stopped())
        return try Problem.catchingJournal {
            .privately(try me.journal.end(end, at: request.now, now: request.now))
        }
    }

    @concurrent private static func removeJourney(
        _ request: ServiceRequest
    ) async throws -> ServiceAnswer {
        let me = try request.me
        return try Problem.catchingJournal {
            .privately(try me.journal.removeJourney(request.path.first ?? ""))
        }
    }

    // MARK: Import

    @concurrent private static func merge(_ request: ServiceRequest) async throws -> ServiceAnswer {
        let me = try request.me
        let contents: JournalContents
        do throws(DocumentProblem) {
            contents = try JournalContents(
                reading: Array(request.body.readableBytesView), now: request.now)
        } catch {
            throw Problem.body(error, takes: "an export of a journal")
        }
        return try Problem.catchingJournal {
            .privately(try me.journal.merge(contents, now: request.now))
        }
    }
}

extension ServiceRequest {
    /// The parameters of a form in the body.
    ///
    /// - Throws: ``Problem`` 400 as of a query.
    fileprivate func form(_ known: [String]) throws(Problem) -> Query {
        try Query(String(buffer: body)[...], known: known)
    }
}

extension Query {
    /// The trip or the line at a stop that is named; nil for neither.
    fileprivate func target() throws(Problem) -> Favourite.Target? {
        if let line = text("line") {
            return .stop(
                line: line, stop: try required("stop", takes: "a stop's identifier"),
                direction: text("direction") ?? "")
        }
        guard let from = text("from") else { return nil }
        return .trip(
            from: from, to: try required("to", takes: "a place"),
            mode: try choice("mode", default: JourneyMode.car))
    }

    /// The favourite or the trip that is named.
    fileprivate func target(in journal: JourneyStore) throws -> Favourite.Target {
        if let name = text("favourite") {
            return try Problem.catchingJournal { try journal.favourite(name).target }
        }
        guard let target = try target() else {
            throw Problem(
                .missingParameter, "no trip is named",
                recovery: "send a favourite, or from and to", parameter: "favourite")
        }
        return target
    }

    fileprivate func refresh() throws(Problem) -> FavouriteRefresh? {
        guard let text = text("refresh_min") else { return nil }
        guard let refresh = Int(text).flatMap(FavouriteRefresh.init(rawValue:)) else {
            throw .parameter(
                "refresh_min", "'\(printable(text, maxLength: 40))' cannot be used",
                takes: "0 for manual, 1, 2, 5, 10 or 15")
        }
        return refresh
    }

    /// How long a journey is planned to take.
    fileprivate func minutes() throws(Problem) -> Double? {
        try number("minutes", in: 0...Double(Journey.maxSeconds) / 60, unit: "minutes")
    }

    /// Whether time was lost at a bridge; nil where it is not said.
    fileprivate func stopped() throws(Problem) -> Bool? {
        text("stopped") == nil ? nil : try flag("stopped")
    }
}

extension JourneyStore.ImportReport: JSONObjectAnswer {
    package func writeFields(into json: inout JSONWriter) {
        json.field("added", added)
        json.field("replaced", replaced)
        json.field("dropped", dropped)
        json.field("overlapping", overlapping)
        json.field("favourites", favourites)
    }
}
