// All bridges at a time, known and forecast. Made once a change and shared by all clients, with the documents made of it.
package import Bridgecast
internal import BridgecastAnswers
internal import BridgecastCore
package import BridgecastEngine
package import BridgecastLive
package import BridgecastObservation
private import Synchronization

/// What is known and forecast of all bridges at a time.
package final class BridgesSnapshot: Sendable {
    package let madeAt: Timestamp
    /// What was known, and all that was forecast from it.
    package let update: LiveUpdate
    package let feeds: [FeedStatus]
    /// Whether the live states are recent.
    package let phase: AppPhase
    /// The pace of the service's clock; standing for a snapshot of the past.
    package let pace: ClockPace
    /// What a snapshot of the past is made from; nil for a live one.
    package let past: Past?

    package struct Past: Sendable {
        /// The records as they were known at its time.
        let source: SourceStatus
        /// For people: what is missing, and what it does not prove.
        let warnings: [String]
    }

    /// The reasons for the forecasts, made on demand.
    let reasons = ReasonLists()

    private let documents = Mutex<[String: SharedDocument]>([:])
    private let minutes = Mutex<ForecastTable?>(nil)

    package init(
        madeAt: Timestamp, update: LiveUpdate, feeds: [FeedStatus], phase: AppPhase,
        pace: ClockPace = .live
    ) {
        self.madeAt = madeAt
        self.update = update
        self.feeds = feeds
        self.phase = phase
        self.pace = pace
        past = nil
    }

    /// A snapshot of the past, as if it had been made at its issue time.
    package init(update: LiveUpdate, past: Past) {
        self.update = update
        self.past = past
        madeAt = update.issueTime
        feeds = []
        phase = .ready
        pace = .standing
    }

    package var model: LoadedModel { update.model }
    package var traffic: TrafficDensity { update.traffic }

    package var situation: Situation { update.situation }
    package var issueTime: Timestamp { update.issueTime }

    /// Forecasts by the minute, made on first use; the snapshot's own table if that fails.
    package var minuteTable: ForecastTable {
        minutes.withLock { table in
            if let table { return table }
            let made = (try? model.minuteTable(in: situation, traffic: traffic)) ?? update.table
            table = made
            return made
        }
    }

    /// A document of this snapshot, made on first use.
    ///
    /// - Parameter name: Its key; documents live as long as the snapshot, so that there must be few.
    package func document(_ name: String, _ make: () throws -> [UInt8]) rethrows -> SharedDocument {
        if let made = documents.withLock({ $0[name] }) { return made }
        let made = SharedDocument(try make())
        return documents.withLock { documents in
            if let other = documents[name] { return other }
            documents[name] = made
            return made
        }
    }
}

extension BridgesSnapshot {
    /// The envelope of an answer that is made of this snapshot.
    ///
    /// - Parameters:
    ///   - now: When the answer is made; nil for a shared document, which is made with the snapshot.
    ///   - validAt: The time that it is about; by default the issue time.
    func envelope(at now: Timestamp? = nil, about validAt: Timestamp? = nil) -> Envelope {
        let validAt = validAt ?? issueTime
        let isFar = validAt.minutes(since: issueTime) > FeatureBuilder.longestLeadMinutes
        let far =
            isFar
            ? [
                "more than an hour ahead: the current state of the bridges does not affect this "
                    + "forecast"
            ] : []
        return Envelope(
            generatedAt: now ?? madeAt, issueTime: issueTime, validAt: validAt, model: model.header,
            sources: sources(at: now ?? madeAt), known: KnownStates(situation),
            warnings: (past?.warnings ?? phase.warnings) + far
                + SeasonWarning.warnings(at: validAt, model.climatology))
    }

    /// The status of the feeds, or of the records of the past, in the public form.
    func sources(at now: Timestamp) -> [SourceStatus] {
        if let past { return [past.source] }
        return feeds.map { SourceStatus($0, at: now, isPublic: true) }
    }

    var view: BridgeView {
        BridgeView(situation, update.table, traffic: traffic, climatology: model.climatology)
    }
}

final class ReasonLists: Sendable {
    /// By bridge, minute of the lead, comparison with climatology and whether the vehicle queues.
    private let lists = Mutex<[ReasonList?]>(
        Array(
            repeating: nil,
            count: 2 * BridgeCatalogue.count * minutesKept * ClimatologyComparison.allCases.count))
    /// Reasons of later arrivals are not kept.
    private static let minutesKept = 128

    /// The reasons for the forecast at a bridge, for the whole minute nearest to a lead.
    ///
    /// - Parameters:
    ///   - asked: The forecast at the lead itself.
    ///   - traffic: The densities of the approaches; nil for those who do not queue.
    func list(
        _ asked: BridgeForecast, in situation: Situation, _ climatology: Climatology,
        traffic: TrafficDensity?
    ) -> ReasonList {
        let bridge = asked.bridge
        let minute = Int(asked.leadMinutes.rounded())
        let forecast = ClimatologyComparison(
            chance: asked.delay.probabilityDelayed, climatology: asked.climatologicalProbability)
        let index =
            ((bridge.rawValue * Self.minutesKept + minute) * ClimatologyComparison.allCases.count
                + forecast.rawValue) * 2 + (traffic == nil ? 0 : 1)
        let isKept = minute < Self.minutesKept
        if isKept, let list = lists.withLock({ $0[index] }) { return list }
        let arrival = situation.issueTime.adding(minutes: Double(minute))
        let reasons = ForecastReason(situation: situation, climatology: climatology).reasons(
            for: bridge, arrival: arrival, forecast: forecast,
            climatology: climatology.climatologicalProbabilityDelayed(
                at: bridge, arrival: arrival,
                density: traffic?.density(of: bridge, at: arrival) ?? 0, in: situation))
        let list = ReasonList(reasons)
        if isKept { lists.withLock { $0[index] = list } }
        return list
    }
}
