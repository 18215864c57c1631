// Scores of archived forecasts, by day: those that are kept, and those of days whose outcomes have changed.
package import BridgecastCore
package import BridgecastData
private import Foundation
internal import GRDB

extension ForecastArchive {
    /// The scores of the days from a date on, brought up to date with a history.
    ///
    /// A day is scored again until all its outcomes are known, and whenever the history of it changes. In an archive that is open
    /// for writing the new scores replace the old ones, a day in one transaction.
    ///
    /// - Parameters:
    ///   - first: Earlier days are left as they are; nil for all.
    ///   - history: Openings and coverage, as known now.
    /// - Returns: Scores by day and model, in order.
    /// - Throws: ``ForecastArchiveError``.
    package func scores(
        from first: CivilDate? = nil, of history: OpeningHistory, at now: Timestamp
    ) throws(ForecastArchiveError) -> [DayScores] {
        guard let extent = try extent() else { return [] }
        var date = SeattleTime.civil(at: extent.lowerBound).date
        if let first { date = max(date, first) }
        let last = SeattleTime.civil(at: extent.upperBound).date
        let outcomes = OutcomeReader(history)
        var all: [DayScores] = []
        while date <= last {
            let fingerprint = history.fingerprint(of: date)
            let kept = try reading { try Self.kept(date, fingerprint, in: $0) }
            if let kept {
                all += kept
            } else {
                all += try scored(date, by: outcomes, fingerprint: fingerprint, at: now)
            }
            date = date.adding(days: 1)
        }
        return all
    }

    /// The kept scores of a day, unless they are out of date.
    private static func kept(
        _ date: CivilDate, _ fingerprint: Int64, in database: Database
    ) throws -> [DayScores]? {
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql:
                    "SELECT model, isFinal, fingerprint, cells FROM day WHERE day = ? ORDER BY model"
            ),
            arguments: [date.dayNumber])
        guard !rows.isEmpty else { return nil }
        return try rows.reduce(into: [DayScores]?.some([])) { found, row in
            let checked = StoreRow(row)
            guard try checked.integer(1) == 1, try checked.integer(2) == fingerprint else {
                found = nil
                return
            }
            guard let data = Data.fromDatabaseValue(row[3] as DatabaseValue),
                let scores = DayScores(
                    date: date, model: try checked.integer(0), packedCells: Array(data))
            else { throw StoreProblem.damaged("scores of \(date)") }
            found?.append(scores)
        }
    }

    private func scored(
        _ date: CivilDate, by outcomes: OutcomeReader, fingerprint: Int64, at now: Timestamp
    ) throws(ForecastArchiveError) -> [DayScores] {
        let start = SeattleTime.startOfDay(date)
        var scores: [Int64: DayScores] = [:]
        for (model, issue) in try issues(in: start..<SeattleTime.startOfDay(date.adding(days: 1))) {
            scores[model, default: DayScores(date: date, model: model)].add(
                issue, outcomes, at: now)
        }
        let inOrder = scores.values.sorted { $0.model < $1.model }
        guard case .writing = access else { return inOrder }
        let isFinal = DayScores.isFinal(date, at: now)
        try writing { database in
            try database.cachedStatement(sql: "DELETE FROM day WHERE day = ?")
                .execute(arguments: [date.dayNumber])
            for part in inOrder {
                try database.cachedStatement(sql: "INSERT INTO day VALUES (?, ?, ?, ?, ?)")
                    .execute(arguments: [
                        date.dayNumber, part.model, isFinal, fingerprint, Data(part.packedCells),
                    ])
            }
        }
        return inOrder
    }

    /// The scores of the last days of issue times, the last of which is that of the newest forecast, today at the latest.
    ///
    /// - Parameters:
    ///   - windowDays: The lengths of the windows, days.
    ///   - reference: The published evaluation.
    /// - Throws: ``ForecastArchiveError``.
    package func report(
        of history: OpeningHistory, at now: Timestamp,
        windowDays: [Int] = VerificationReport.windowDays, reference: SkillReference?
    ) throws(ForecastArchiveError) -> VerificationReport {
        // The last complete fortnight may have begun four weeks ago.
        let days = max(windowDays.max() ?? 0, 2 * DriftTest.blockDays + 1)
        let issueTimes = try extent()
        let first = VerificationReport.lastDate(issueTimes, at: now).adding(
            days: -days)
        return VerificationReport(
            try scores(from: first, of: history, at: now), models: try models(),
            issueTimes: issueTimes,
            isReplay: kind == .replay, at: now, windowDays: windowDays, reference: reference)
    }
}
