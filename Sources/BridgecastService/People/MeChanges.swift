// What a person changes below `/api/v1/me`. Parameters are sent as a form in the body: addresses end up in logs, and name
// nothing but random ids.
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
    /// The media type of forms.
    static let form = ["application/x-www-form-urlencoded"]

    static let all = [
        Endpoint.post("\(base)/favourites", takes: form) { try await addFavourite($0) },
        Endpoint.post("\(base)/favourites/{id}", takes: form) { try await changeFavourite($0) },
        .changing(.delete, "\(base)/favourites/{id}") { try await removeFavourite($0) },
        Endpoint.post("\(base)/journeys", takes: form) { try await addJourney($0) },
        Endpoint.post("\(base)/journeys/start", takes: form) { try await start($0) },
        Endpoint.post("\(base)/journeys/stop", takes: form) { try await stop($0) },
        .changing(.delete, "\(base)/journeys/{id}") { try await removeJourney($0) },
        Endpoint.post("\(base)/import", takes: ["application/json"]) {
            try await merge($0)
        },
    ]

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
        var favourite = Favourite(
            id: Journey.newID(), name: try form.required("name", takes: "a name of your own"),
            target: target)
        let refresh = try form.refresh()
        try request.checkPlaces(of: target)
        return try Problem.catchingJournal {
            favourite.refresh = try refresh ?? me.journal.settings().refresh
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
            .privately(
                try me.journal.setFavourite(
                    try me.journal.favourite(ofID: id).id, name: form.text("name"),
                    refresh: refresh, position: position.map { $0 - 1 }))
        }
    }

    @concurrent private static func removeFavourite(
        _ request: ServiceRequest
    ) async throws -> ServiceAnswer {
        let me = try request.me
        return try Problem.catchingJournal {
            .privately(
                try me.journal.removeFavourite(
                    try me.journal.favourite(ofID: request.path.first ?? "").id))
        }
    }

    // MARK: Journeys

    @concurrent private static func addJourney(
        _ request: ServiceRequest
    ) async throws -> ServiceAnswer {
        let me = try request.me
        let form = try request.form([
            "favourite", "from", "to", "mode", "departed", "arrived", "minutes", "stopped",
            "planned_departure", "way", "expected_s", "p90_s", "delay_s", "chance", "bridges",
        ])
        let target = try Problem.catchingJournal { try form.target(in: me.journal) }
        guard let departed = try form.time("departed"), let arrived = try form.time("arrived")
        else {
            throw Problem(
                .missingParameter, "departed or arrived is missing",
                recovery: "send both, such as 2026-02-20T17:50", parameter: "departed")
        }
        let planned = try form.minutes() ?? arrived.minutes(since: departed)
        var journey = Journey(
            planned: target, leaving: try form.time("planned_departure") ?? departed,
            minutes: max(0, planned), now: request.now)
        journey.forecast = try form.forecast()
        if journey.mode == .transit, let line = form.text("way") { journey.add(line: line) }
        journey.actualDeparture = departed
        journey.actualArrival = arrived
        journey.wasStopped = try form.stopped()
        return try Problem.catchingJournal {
            try me.journal.add(journey, by: .service, now: request.now)
            return .privately(journey)
        }
    }

    @concurrent private static func start(_ request: ServiceRequest) async throws -> ServiceAnswer {
        let me = try request.me
        let form = try request.form(["favourite", "from", "to", "mode", "minutes"])
        let target = try Problem.catchingJournal {
            // Before the roads are searched.
            try me.journal.checkRecording(by: .service)
            return try form.target(in: me.journal)
        }
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
            try me.journal.begin(journey, by: .service, now: request.now)
            return .privately(journey)
        }
    }

    /// The route that ranks first now.
    private static func best(
        _ target: Favourite.Target, _ request: ServiceRequest
    ) async throws -> RouteScore {
        guard let asked = request.asking(for: target) else {
            throw Problem(
                .missingParameter, "the time of a bus or train is not forecast here",
                recovery: "send the minutes that it takes", parameter: "minutes")
        }
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
        let form = try request.form(["at", "stopped", "abandoned"])
        let time = try form.time("at") ?? request.now
        let isAbandoned = try form.flag("abandoned")
        if isAbandoned { try form.exclude("stopped", besides: "abandoned") }
        let end: JourneyStore.End =
            isAbandoned ? .abandoned : .arrived(wasStopped: try form.stopped())
        return try Problem.catchingJournal {
            .privately(
                try me.journal.end(end, at: time, by: .service, now: request.now))
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
        let takes = "an export of a journal"
        guard request.body.readableBytesView.first == UInt8(ascii: "{") else {
            throw Problem.body(
                DocumentProblem("the body", "is not a JSON object"), takes: takes)
        }
        let document: JournalDocument
        do throws(DocumentProblem) {
            document = try JournalDocument(
                reading: Array(request.body.readableBytesView), now: request.now)
        } catch {
            throw Problem.body(error, takes: takes)
        }
        return try Problem.catchingJournal {
            do {
                return .privately(
                    try me.journal.merge(document.contents, by: .service, now: request.now))
            } catch let error as JourneyStoreError {
                guard case .conflict(let conflict) = error.problem else { throw error }
                throw Problem.body(document.problem(of: conflict), takes: takes)
            }
        }
    }
}

extension ServiceRequest {
    /// The request for routes of a favourite's trip; nil for a stop and a trip by bus or train.
    func asking(for target: Favourite.Target) -> ServiceRequest? {
        guard case .trip(let from, let to, let mode) = target, mode.roadMode != nil else {
            return nil
        }
        var asked = self
        asked.query = Query(["from": from, "to": to, "mode": mode.rawValue])
        return asked
    }

    /// Checks that the roads have both places of a favourite's trip, and that these are two; of a service without roads
    /// nothing.
    ///
    /// - Throws: ``Problem`` as `/api/v1/predict` has it.
    func checkPlaces(of target: Favourite.Target) throws(Problem) {
        guard state.planner != nil, let asked = asking(for: target) else { return }
        let ends = try RouteRequest.trip(asked).ends
        guard ends.origin != ends.destination else {
            throw Problem(RankingError.trip(.samePlace(ends.origin)))
        }
    }

    private static let maxFormBytes = 16 << 10

    /// The parameters of a form in the body.
    ///
    /// - Throws: ``Problem`` 400 as of a query, 413 for a long one.
    func form(_ known: [String]) throws(Problem) -> Query {
        guard body.readableBytes <= Self.maxFormBytes else {
            throw Problem(
                .bodyTooLarge, "a form has at most \(Self.maxFormBytes) bytes",
                recovery: "send shorter texts")
        }
        guard let text = String(validating: body.readableBytesView, as: UTF8.self) else {
            throw Problem(
                .badRequest, "the form is not UTF-8", recovery: "percent-encode its values as UTF-8"
            )
        }
        let form = try Query(text[...], known: known)
        try form.refuseNUL()
        return form
    }
}

extension Query {
    /// The trip or the line at a stop that is named; nil for neither.
    fileprivate func target() throws(Problem) -> Favourite.Target? {
        if let line = text("line") {
            for name in ["from", "to", "mode"] { try exclude(name, besides: "line") }
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
            for part in ["from", "to", "mode"] { try exclude(part, besides: "favourite") }
            return try journal.favourite(name).target
        }
        guard let target = try target() else {
            throw Problem(
                .missingParameter, "no trip is named",
                recovery: "send a favourite, or from and to", parameter: "favourite")
        }
        return target
    }

    /// The forecast at a journey's start; nil where none is sent.
    fileprivate func forecast() throws(Problem) -> JourneyForecast? {
        let range = 0...Double(Journey.maxSeconds)
        guard let expected = try number("expected_s", in: range, unit: "seconds") else {
            for name in ["p90_s", "delay_s", "chance", "bridges"] where text(name) != nil {
                throw .parameter(name, "is part of a forecast", takes: "a value beside expected_s")
            }
            return nil
        }
        let p90 = try number("p90_s", in: range, unit: "seconds")
        let chance = try number("chance", in: 0...1, unit: "a chance")
        guard let p90, let chance else {
            throw Problem(
                .missingParameter, "p90_s or chance is missing",
                recovery: "send both with expected_s", parameter: p90 == nil ? "p90_s" : "chance")
        }
        return JourneyForecast(
            way: try required("way", takes: "what was forecast: a line, or a way by road"),
            expectedSeconds: expected, p90Seconds: p90, probabilityStopped: chance,
            bridges: try bridges(),
            expectedDelaySeconds: try number("delay_s", in: range, unit: "seconds"))
    }

    /// The drawbridges of a way, in order, with commas between them.
    private func bridges() throws(Problem) -> [BridgeIndex] {
        var bridges: [BridgeIndex] = []
        for name in (text("bridges") ?? "").split(separator: ",") {
            bridges.append(try Self.bridge(String(name), parameter: "bridges"))
        }
        return bridges
    }

    /// - Throws: ``Problem`` 400 if a parameter is given that contradicts another one.
    func exclude(_ name: String, besides other: String) throws(Problem) {
        guard text(name) == nil else {
            throw .parameter(name, "does not go with \(other)", takes: "a value without \(other)")
        }
    }

    func refresh() throws(Problem) -> FavouriteRefresh? {
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

    /// Whether time was lost at a bridge; nil where it is not stated.
    fileprivate func stopped() throws(Problem) -> Bool? { try optionalFlag("stopped") }
}

extension JourneyStore {
    /// The favourite of an id; of a name none, as names are nothing for addresses.
    fileprivate func favourite(ofID id: String) throws -> Favourite {
        guard let found = try favourites().first(where: { $0.id == id }) else {
            throw Problem(
                .notFound, "there is no favourite of this id",
                recovery: "look at \(PrivateResources.base)/favourites")
        }
        return found
    }
}

extension JourneyStore.Removal: JSONObjectAnswer {
    /// The favourite's fields, and its reminders.
    package func writeFields(into json: inout JSONWriter) {
        favourite.writeFields(into: &json)
        json.list("removed_reminders", reminders)
    }
}

extension JourneyStore.ImportReport: JSONObjectAnswer {
    package func writeFields(into json: inout JSONWriter) {
        json.field("added", added)
        json.field("replaced", replaced)
        json.field("dropped", dropped)
        json.field("overlapping", overlapping)
        json.field("favourites", favourites)
        json.field("reminders", reminders)
    }
}
