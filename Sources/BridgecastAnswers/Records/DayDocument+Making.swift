// Makes a day's document: the forecasts are computed again from what the records knew at each issue time.
package import BridgecastCore
package import BridgecastEngine

extension DayDocument {
    /// Time between issue times, minutes.
    package static let issueMinutes = 10.0
    /// Leads of the forecasts, minutes.
    package static let leadsMinutes = [5.0, 15, 30, 60]

    /// Tells of a day.
    ///
    /// A forecast of the day sees the records up to its issue time and nothing later, through ``SituationReader``.
    /// It is what a service that watched the bridges would have said with the model in use, which may have been
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
        var envelope = Envelope(
            generatedAt: now, issueTime: nil, validAt: start, model: header)
        envelope.sources = [SourceStatus(records: history, at: now)]
        envelope.warnings = RecordWarnings.words(
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
