// A past day: when each bridge was observed and open, and what would have been forecast; the answer of `/days/{date}`.
package import BridgecastCore
package import BridgecastEngine
package import BridgecastSupport

package struct DayDocument: Sendable, JSONObjectAnswer {
    /// A forecast that was made at a time.
    package struct Issue: Sendable, Equatable {
        package let issueTime: Timestamp
        /// By lead, in order.
        package let points: [Point]
    }

    /// A forecast of one arrival.
    package struct Point: Sendable, Equatable {
        /// Minutes from the issue time.
        package let leadMinutes: Double
        /// The probability of any delay, 0...1.
        package let probability: Double
        /// The mean delay, seconds.
        package let expectedSeconds: Double
    }

    package struct Entry: Sendable, Equatable {
        package let bridge: BridgeIndex
        package let coverage: [Range<Timestamp>]
        /// Its openings that overlap the day.
        package let openings: [KnownOpening]
        package let issues: [Issue]
    }

    package let envelope: Envelope
    package let date: CivilDate
    /// The whole day, or the part up to now.
    package let interval: Range<Timestamp>
    package let hasForecasts: Bool
    package let entries: [Entry]

    /// Whether there are records of any bridge.
    package var isCovered: Bool { entries.contains { !$0.coverage.isEmpty } }

    package func writeFields(into json: inout JSONWriter) {
        envelope.write(into: &json)
        json.field("date", "\(date)")
        json.field("from", interval.lowerBound)
        json.field("to", interval.upperBound)
        json.field("covered", isCovered)
        if hasForecasts { json.field("issued", "recomputed by the model in use") }
        json.list("bridges", entries) { write($1, to: &$0) }
    }

    private func write(_ entry: Entry, to json: inout JSONWriter) {
        json.object { json in
            json.fields(of: entry.bridge)
            json.list("coverage", entry.coverage) { $0.value($1) }
            json.list("openings", objects: entry.openings) { json, opening in
                json.field("opened_at", opening.start)
                json.field("closed_at", opening.end)
            }
            guard hasForecasts else { return }
            json.list("forecasts", objects: entry.issues) { json, issue in
                json.field("issue_time", issue.issueTime)
                json.list("points", objects: issue.points) { json, point in
                    json.field("valid_time", issue.issueTime.adding(minutes: point.leadMinutes))
                    json.field("lead_time_s", point.leadMinutes * 60, decimals: 0)
                    json.field("probability_stopped", point.probability, decimals: 5)
                    json.field("expected_delay_s", point.expectedSeconds, decimals: 1)
                }
            }
        }
    }
}

extension DayDocument {
    /// Time between issue times, minutes.
    package static let issueMinutes = 10.0
    /// Leads of the forecasts, minutes.
    package static let leadsMinutes = [5.0, 15, 30, 60]

    /// Makes the document of a day.
    ///
    /// A forecast of the day sees the records up to its issue time and nothing later, through ``SituationReader``.
    /// It is what a live service would have forecast with the model in use, which may have been
    /// fitted to later days than this: the envelope warns of that.
    ///
    /// - Parameters:
    ///   - now: The day ends there if it is today.
    ///   - openings: Ends of openings that go on are taken from it.
    ///   - reader: Reads the same history.
    ///   - model: Forecasts the whole day, whatever is loaded meanwhile.
    ///   - forecasts: Whether anything is forecast; without it the document is of states alone.
    /// - Returns: Nil if the day has not begun.
    /// - Throws: ``InferenceError``.
    package static func make(
        _ date: CivilDate, at now: Timestamp, history: OpeningHistory, reader: SituationReader,
        openings: OpeningList, inference: TrafficInference, model: LoadedModel,
        forecasts: Bool = true
    ) async throws -> DayDocument? {
        let start = SeattleTime.startOfDay(date)
        let end = min(SeattleTime.startOfDay(date.adding(days: 1)), now)
        guard start < end else { return nil }
        let header = model.header
        let coverage = history.coverage.clamped(to: start..<end)
        var issues = BridgeIndex.all.map { _ in [Issue]() }
        if forecasts, !coverage.isEmpty {
            for issueTime in issueTimes(in: start..<end) {
                let table = try await inference.table(
                    in: reader.situation(at: issueTime), reaching: leadsMinutes.last ?? 0,
                    modes: [.car], model: model)
                for bridge in BridgeIndex.all where coverage.contains(issueTime, of: bridge) {
                    issues[bridge.rawValue].append(issue(bridge, table))
                }
            }
        }
        var envelope = Envelope(generatedAt: now, issueTime: nil, validAt: start, model: header)
        envelope.sources = [SourceStatus(records: history, at: now)]
        envelope.warnings = RecordsWarnings.warnings(
            of: "day", isCovered: !coverage.isEmpty,
            forecast: forecasts ? (by: header, of: start) : nil)
        return DayDocument(
            envelope: envelope, date: date, interval: start..<end, hasForecasts: forecasts,
            entries: BridgeIndex.all.map { bridge in
                Entry(
                    bridge: bridge, coverage: coverage.periods[bridge.rawValue],
                    openings: history.openings(of: bridge, overlapping: start..<end).map {
                        KnownOpening(start: $0.start, end: openings.knownEnd(of: $0))
                    }, issues: issues[bridge.rawValue])
            })
    }

    private static func issueTimes(in interval: Range<Timestamp>) -> [Timestamp] {
        let minutes = interval.upperBound.minutes(since: interval.lowerBound)
        return stride(from: 0, to: minutes, by: issueMinutes).map {
            interval.lowerBound.adding(minutes: $0)
        }
    }

    private static func issue(_ bridge: BridgeIndex, _ table: ForecastTable) -> Issue {
        Issue(
            issueTime: table.issueTime,
            points: leadsMinutes.map { lead in
                let delay = table.delayWithin(at: bridge, leadMinutes: lead, queues: true)
                return Point(
                    leadMinutes: lead, probability: delay.probabilityDelayed,
                    expectedSeconds: delay.expectedSeconds)
            })
    }
}

/// Warnings about the records and the model of forecasts of a time that is over.
package enum RecordsWarnings {
    /// The same for a day and for a time of it, in the commands and in the service.
    package static let fitted =
        "the model in use was fitted to records of this day, so this is no test of it"

    /// Warnings of a day or a time.
    ///
    /// - Parameters:
    ///   - span: The noun for what was asked for: "day" or "time".
    ///   - isCovered: Whether there are records of any bridge.
    ///   - forecast: The model that forecast a time of it; nil if nothing was forecast.
    package static func warnings(
        of span: String, isCovered: Bool, forecast: (by: ModelHeader, of: Timestamp)?
    ) -> [String] {
        guard isCovered else {
            return ["no records for this \(span), which does not mean no openings"]
        }
        guard let forecast else { return [] }
        let provenance = forecast.by.provenance
        let isFitted = provenance.fittedFrom <= forecast.of && forecast.of < provenance.fittedBefore
        return isFitted ? [fitted] : []
    }
}
