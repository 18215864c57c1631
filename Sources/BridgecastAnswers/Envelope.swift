// The first fields of every document: when it was made, from which data, by which model; the status of the sources;
// and the names of states, phases and reasons in documents.
package import BridgecastCore
package import BridgecastEngine
package import BridgecastObservation
package import BridgecastSupport

/// The first fields of every document of the command and the service.
package struct Envelope: Sendable, Equatable {
    package var generatedAt: Timestamp
    /// When the forecasts in it were made; nil without forecasts.
    package var issueTime: Timestamp?
    /// The time for which the numbers are valid; of routes the departure.
    package var validAt: Timestamp
    /// The model's name; nil without a model.
    package var model: String?
    /// The number format of the model's weights; nil without a model.
    package var weightFormat: WeightFormat?
    package var sources: [SourceStatus]
    /// What the forecasts were made from; nil without forecasts.
    package var known: KnownStates?
    package var warnings: [String]

    package init(
        generatedAt: Timestamp, issueTime: Timestamp?, validAt: Timestamp, model: String?,
        weightFormat: WeightFormat?, sources: [SourceStatus], known: KnownStates? = nil,
        warnings: [String]
    ) {
        self.generatedAt = generatedAt
        self.issueTime = issueTime
        self.validAt = validAt
        self.model = model
        self.weightFormat = weightFormat
        self.sources = sources
        self.known = known
        self.warnings = warnings
    }
}

extension Envelope {
    package init(
        generatedAt: Timestamp, issueTime: Timestamp?, validAt: Timestamp, model: ModelHeader,
        sources: [SourceStatus] = [], known: KnownStates? = nil, warnings: [String] = []
    ) {
        self.init(
            generatedAt: generatedAt, issueTime: issueTime, validAt: validAt, model: model.name,
            weightFormat: model.weightFormat, sources: sources, known: known, warnings: warnings)
    }

    /// An envelope without forecasts, made at the time that it is valid for.
    package init(at time: Timestamp, model: ModelHeader, sources: [SourceStatus] = []) {
        self.init(generatedAt: time, issueTime: nil, validAt: time, model: model, sources: sources)
    }

    /// Writes its fields into an open object, times by Seattle's clock.
    package func write(into json: inout JSONWriter) { write(into: &json) { $0.field($1, $2) } }

    /// Writes its fields into an open object, with a function that writes a field that is a time.
    package func write(
        into json: inout JSONWriter, time: (inout JSONWriter, StaticString, Timestamp?) -> Void
    ) {
        time(&json, "generated_at", generatedAt)
        time(&json, "issue_time", issueTime)
        time(&json, "valid_at", validAt)
        json.field("model", model)
        json.field("weight_format", weightFormat?.rawValue)
        json.list("sources", sources)
        if let known { json.field("known", known) }
        json.list("warnings", warnings)
    }
}

/// The status of a source of data when a document is made.
package struct SourceStatus: Sendable, Equatable, JSONObjectAnswer {
    package let id: String
    /// When its newest data is from; nil before the first data, or if unknown.
    package let fetchedAt: Timestamp?
    /// Seconds since then; nil if nothing was fetched.
    package let ageSeconds: Double?
    package let isStale: Bool
    /// What is wrong with it; nil if nothing is.
    package let problem: String?

    package init(
        id: String, fetchedAt: Timestamp?, ageSeconds: Double?, isStale: Bool, problem: String?
    ) {
        self.id = id
        self.fetchedAt = fetchedAt
        self.ageSeconds = ageSeconds
        self.isStale = isStale
        self.problem = problem.map { printable($0, maxLength: 300) }
    }

    /// A feed's status at a time.
    ///
    /// - Parameters:
    ///   - isPublic: Whether addresses and paths are left out, for public answers.
    ///   - limitMinutes: The age from which its data is no longer used.
    package init(
        _ feed: FeedStatus, at now: Timestamp, isPublic: Bool = false,
        staleAfterMinutes limitMinutes: Double = LiveSnapshot.stalenessMinutes
    ) {
        let age = feed.fetchedAt.map { max(0, now.minutes(since: $0)) }
        self.init(
            id: feed.id, fetchedAt: feed.fetchedAt, ageSeconds: age.map { $0 * 60 },
            isStale: age.map { $0 > limitMinutes } ?? true,
            problem: isPublic ? feed.publicProblem : feed.problem)
    }

    /// The status of the records at a time; their newest data is where their coverage ends.
    package init(records history: OpeningHistory, at time: Timestamp) {
        let newest = BridgeIndex.all.compactMap { history.coverage.end(of: $0, before: time) }.max()
        self.init(
            id: "records", fetchedAt: newest,
            ageSeconds: newest.map { time.minutes(since: $0) * 60 },
            isStale: newest.map { !LiveSnapshot.freshness.holds($0, at: time) } ?? true,
            problem: nil)
    }

    package func writeFields(into json: inout JSONWriter) {
        json.field("id", id)
        json.field("fetched_at", fetchedAt)
        json.field("age_s", ageSeconds, decimals: 1)
        json.field("stale", isStale)
        json.field("error", problem)
    }
}

// MARK: - States and phases

extension SpanState {
    /// `raised`, `lowered` or `unknown`.
    package var name: String {
        switch self {
        case .raised: "raised"
        case .lowered: "lowered"
        case .unknown: "unknown"
        }
    }

    /// Since when the span is up; nil if it is not up, or if unknown.
    package var since: Timestamp? { if case .raised(let since) = self { since } else { nil } }
}

extension AppPhase {
    /// `idle`, `loading`, `ready`, `stale` or `failed`.
    package var name: String {
        switch self {
        case .idle: "idle"
        case .loading: "loading"
        case .ready: "ready"
        case .stale: "stale"
        case .failed: "failed"
        }
    }

    /// Warnings about missing live states, for people.
    package var warnings: [String] {
        switch self {
        case .idle, .loading, .ready: []
        case .stale(let since):
            [
                "the live states are of \(TimeText.rfc3339(since)), too old to be used: forecasts rest on the records"
            ]
        case .failed: ["there are no live states: forecasts rest on the records"]
        }
    }
}

/// Says where a model's records have hardly a day of the season that is asked about.
package enum SeasonWarning {
    private static let text =
        "the model's records have hardly a day of this season: beyond half an hour its forecasts rest on the other"

    /// The warning for a time, or nothing.
    package static func warnings(at time: Timestamp, _ climatology: Climatology) -> [String] {
        let date = SeattleTime.civil(at: time).date
        return Confidence.isSeasonUnknown(on: date, to: climatology) ? [text] : []
    }
}

extension ClockPace {
    package func write(into json: inout JSONWriter) {
        json.field("clock_rate", rate, decimals: 3)
        json.field("replay_until", end)
    }
}

// MARK: - Reasons and bridges

extension JSONWriter {
    /// Writes two fields into an open object: a bridge's name and the city's id.
    package mutating func fields(of bridge: BridgeIndex) {
        let facts = BridgeCatalogue[bridge]
        field("bridge", facts.name)
        field("bridge_id", facts.id.rawValue)
    }
}

extension Reason: JSONObjectAnswer {
    /// Writes `{"code", "values", "text"}`; bridges by name, times in RFC 3339.
    package func writeFields(into json: inout JSONWriter) {
        json.field("code", code.rawValue)
        json.object("values") { json in
            for field in values { json.field(named: field.name, field.value) }
        }
        json.field("text", text)
    }
}

extension JSONWriter {
    fileprivate mutating func field(named name: String, _ value: Reason.Value) {
        switch value {
        case .bridge(let bridge): field(named: name, BridgeCatalogue[bridge].name)
        case .minutes(let whole), .hours(let whole), .count(let whole):
            field(named: name, Double(whole), decimals: 0)
        case .probability(let probability): field(named: name, probability, decimals: 5)
        case .time(let time): field(named: name, time)
        }
    }
}
