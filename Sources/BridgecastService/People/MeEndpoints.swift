// What a person reads below `/api/v1/me`: themselves, their favourites, journeys, statistics and export.
internal import BridgecastCore
internal import BridgecastJourneys
internal import BridgecastSupport
internal import Foundation

enum MeEndpoints {
    static let all: [Endpoint] =
        reading + MeChanges.all + MeSettings.all + MeReminders.all + MeAlerts.all

    private static let reading = [
        Endpoint.getHeavy(PrivateResources.base) { try await person($0) },
        Endpoint.getHeavy("\(PrivateResources.base)/favourites") { try await favourites($0) },
        Endpoint.getHeavy("\(PrivateResources.base)/journeys", ["range", "zone", "limit"]) {
            try await journeys($0)
        },
        Endpoint.getHeavy("\(PrivateResources.base)/statistics", ["range", "zone", "on_time_min"]) {
            try await statistics($0)
        },
        Endpoint.getHeavy("\(PrivateResources.base)/export") { try await export($0) },
    ]

    private static let maxOnTimeMinutes = 120.0

    @concurrent private static func person(
        _ request: ServiceRequest
    ) async throws -> ServiceAnswer {
        let me = try request.me
        return try Problem.catchingJournal {
            let contents = try me.journal.contents()
            return .privately(
                PersonDocument(
                    name: me.person.name, tokenMadeAt: me.person.tokenMadeAt,
                    journeys: contents.journeys.count, favourites: contents.favourites.count,
                    maxJourneys: try me.journal.maxJourneys(),
                    underWay: try me.journal.underWay(), recents: try me.journal.recents(),
                    features: try Feature.allCases.filter { try me.journal.isOn($0) }))
        }
    }

    @concurrent private static func favourites(
        _ request: ServiceRequest
    ) async throws -> ServiceAnswer {
        let me = try request.me
        return try Problem.catchingJournal {
            .privately(
                FavouritesDocument(
                    favourites: try me.journal.favourites(), reminders: try me.journal.reminders(),
                    now: request.now))
        }
    }

    @concurrent private static func journeys(
        _ request: ServiceRequest
    ) async throws -> ServiceAnswer {
        let me = try request.me
        let range = try request.query.choice("range", default: JourneyRange.all)
        let zone = try request.query.zone()
        let limit = try request.query.integer(
            "limit", in: 1...Query.maxLimit, default: Query.defaultLimit)
        return try Problem.catchingJournal {
            let found = try me.journal.journeys(from: range.start(now: request.now, zone: zone))
            return .privately(
                ListDocument(name: "journeys", entries: Array(found.suffix(limit).reversed())))
        }
    }

    @concurrent private static func statistics(
        _ request: ServiceRequest
    ) async throws -> ServiceAnswer {
        let me = try request.me
        let range = try request.query.choice("range", default: JourneyRange.month)
        let zone = try request.query.zone()
        let threshold = try request.query.number(
            "on_time_min", in: 0...maxOnTimeMinutes, unit: "minutes")
        return try Problem.catchingJournal {
            guard try me.journal.isOn(.statistics) else {
                throw Problem(
                    .notFound, "statistics are not switched on for you",
                    recovery: "look at \(PrivateResources.base)/journeys")
            }
            return .privately(
                JourneyStatistics(
                    of: try me.journal.journeys(), range: range, now: request.now, zone: zone,
                    thresholdMinutes: threshold ?? JourneyStatistics.defaultThresholdMinutes))
        }
    }

    @concurrent private static func export(
        _ request: ServiceRequest
    ) async throws -> ServiceAnswer {
        let me = try request.me
        return try Problem.catchingJournal { .privately(try me.journal.contents()) }
    }
}

extension ServiceRequest {
    /// The person whose token it has.
    ///
    /// - Throws: ``Problem`` 401 where no token was checked, as of a service without people.
    var me: AuthorisedPerson {
        get throws(Problem) {
            guard let person else { throw BearerToken.problem("your token is missing or wrong") }
            return person
        }
    }
}

extension ServiceAnswer {
    /// An answer to one person, which nothing may keep.
    static func privately(_ document: some JSONAnswer) -> ServiceAnswer {
        ServiceAnswer(.json, document.jsonBytes(), keeping: .privately)
    }
}

extension Query {
    /// The person's time zone, by default Seattle's.
    func zone() throws(Problem) -> TimeZone {
        let text = text("zone") ?? "America/Los_Angeles"
        guard let zone = TimeZone(identifier: text) else {
            throw .parameter(
                "zone", "'\(printable(text, maxLength: 40))' is no time zone",
                takes: "a name such as America/Denver")
        }
        return zone
    }
}

/// A person and what is in their journal.
private struct PersonDocument: JSONObjectAnswer {
    let name: String
    let tokenMadeAt: Timestamp
    let journeys, favourites, maxJourneys: Int
    let underWay: Journey?
    let recents: [Journey]
    let features: [Feature]

    func writeFields(into json: inout JSONWriter) {
        json.field("name", name)
        json.field("token_made_at", TimeText.rfc3339(tokenMadeAt))
        json.field("journeys", journeys)
        json.field("max_journeys", maxJourneys)
        json.field("favourites", favourites)
        json.list("recents", recents)
        json.field("under_way", document: underWay)
        json.list("features", features.map(\.rawValue))
    }
}

/// Favourites, and when the reminders of each say to leave next, which its refreshing depends on.
private struct FavouritesDocument: JSONObjectAnswer {
    let favourites: [Favourite]
    let reminders: [Reminder]
    let now: Timestamp

    func writeFields(into json: inout JSONWriter) {
        json.list("favourites", favourites)
        let departures = favourites.compactMap { favourite in
            favourite.nextDeparture(by: reminders, now: now).map { (favourite.id, $0) }
        }
        json.list("departures", objects: departures) { json, departure in
            json.field("favourite", departure.0)
            json.field("leave_by", TimeText.rfc3339(departure.1))
        }
    }
}

struct ListDocument<Entry: JSONObjectAnswer>: JSONObjectAnswer {
    let name: StaticString
    let entries: [Entry]

    func writeFields(into json: inout JSONWriter) { json.list(name, entries) }
}
