// `/api/v1/me/settings`: a person's settings and consents; and `/api/v1/me/journeys/clear`, which ends what they allowed.
internal import BridgecastCore
internal import BridgecastJourneys
internal import BridgecastSupport
internal import HTTPTypes

enum MeSettings {
    private static let path = "\(PrivateResources.base)/settings"

    static let all = [
        Endpoint.getHeavy(path) { try await show($0) },
        .changing(.patch, path, takes: MeChanges.form) { try await change($0) },
        .changing(.delete, path) { try await reset($0) },
        Endpoint.post("\(PrivateResources.base)/journeys/clear", takes: MeChanges.form) {
            try await clear($0)
        },
    ]

    @concurrent private static func show(_ request: ServiceRequest) async throws -> ServiceAnswer {
        let me = try request.me
        return try Problem.catchingJournal { .privately(try me.journal.settings()) }
    }

    @concurrent private static func change(
        _ request: ServiceRequest
    ) async throws -> ServiceAnswer {
        let me = try request.me
        let form = try request.form([
            "refresh_min", "reminder_lead_s", "announces_moves", "tracks_journeys",
            "keeps_history", "keeps_location",
        ])
        var change = JournalSettingsChange()
        change.refresh = try form.refresh()
        if form.text("reminder_lead_s") != nil {
            change.reminderLeadSeconds = try form.integer(
                "reminder_lead_s", in: 0...Reminder.maxSeconds, default: 0)
        }
        change.announcesMoves = try form.optionalFlag("announces_moves")
        change.tracksJourneys = try form.optionalFlag("tracks_journeys")
        change.keepsHistory = try form.optionalFlag("keeps_history")
        change.keepsLocation = try form.optionalFlag("keeps_location")
        guard !change.isEmpty else {
            throw Problem(
                .missingParameter, "no setting is named",
                recovery: "send one, such as keeps_history=true", parameter: "keeps_history")
        }
        return try Problem.catchingJournal { .privately(try me.journal.change(change)) }
    }

    @concurrent private static func reset(_ request: ServiceRequest) async throws -> ServiceAnswer {
        let me = try request.me
        return try Problem.catchingJournal { .privately(try me.journal.resetSettings()) }
    }

    @concurrent private static func clear(_ request: ServiceRequest) async throws -> ServiceAnswer {
        let me = try request.me
        let form = try request.form(["before"])
        guard let time = try form.time("before") else {
            throw Problem(
                .missingParameter, "before is missing",
                recovery: "send a time, such as 2026-02-20T17:50", parameter: "before")
        }
        return try Problem.catchingJournal {
            .privately(ClearedDocument(journeys: try me.journal.clear(before: time)))
        }
    }
}

extension Query {
    /// Nil where it is not stated.
    func optionalFlag(_ name: String) throws(Problem) -> Bool? {
        text(name) == nil ? nil : try flag(name)
    }
}

private struct ClearedDocument: JSONObjectAnswer {
    let journeys: Int

    func writeFields(into json: inout JSONWriter) { json.field("removed_journeys", journeys) }
}
