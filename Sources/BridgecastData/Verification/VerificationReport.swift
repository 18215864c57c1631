// Verification: scores of the archived forecasts over the last days, by lead, bridge and model.
package import BridgecastCore

/// A model that forecasts are from.
public struct ArchivedModel: Sendable, Hashable {
    /// The name of its file, or of the model if it was not read from one.
    public let file: String
    /// SHA-256 of the file, in hexadecimal; empty if it was not read from one.
    public let sha256: String

    /// Creates a name of a model.
    public init(file: String, sha256: String) {
        self.file = file
        self.sha256 = sha256
    }
}

/// Scores of archived forecasts.
package struct VerificationReport: Sendable {
    package struct Window: Sendable {
        /// Its length in days, the last of which is that of the newest forecast.
        package let days: Int
        package let total: ScoreSums
        /// By the leads of ``ArchivedIssue/leadsMinutes``.
        package let byLead: [ScoreSums]
        /// By ``BridgeIndex``.
        package let byBridge: [ScoreSums]
        package let byModel: [(model: ArchivedModel, sums: ScoreSums)]
    }

    /// When outcomes were last read.
    package let madeAt: Timestamp
    /// Issue times of the oldest and the newest forecast; nil without any.
    package let issueTimes: ClosedRange<Timestamp>?
    /// Whether the forecasts are of a replay.
    package let isReplay: Bool
    package let windows: [Window]
    /// nil without a published evaluation.
    package let drift: DriftTest.Result?

    /// Days of the windows, unless others are asked for.
    package static let windowDays = [7, 30, 365]

    /// Sums up the scores of days.
    ///
    /// - Parameters:
    ///   - days: Of the longest window and of the last complete fortnight, in any order.
    ///   - models: By the archive's numbers.
    ///   - issueTimes: Of the oldest and the newest forecast; nil without any.
    package init(
        _ days: [DayScores], models: [Int64: ArchivedModel], issueTimes: ClosedRange<Timestamp>?,
        isReplay: Bool, at now: Timestamp, windowDays: [Int] = windowDays,
        reference: SkillReference?
    ) {
        madeAt = now
        self.issueTimes = issueTimes
        self.isReplay = isReplay
        let last = Self.lastDate(issueTimes, at: now)
        windows = windowDays.map { length in
            let first = last.adding(days: 1 - length)
            return Window(length, days.filter { $0.date >= first && $0.date <= last }, models)
        }
        drift = reference.map { reference in
            var end = last.adding(days: 1)
            while !DayScores.isFinal(end.adding(days: -1), at: now) { end = end.adding(days: -1) }
            return DriftTest.latest(Self.dailyLosses(days), against: reference, before: end)
        }
    }

    /// The last day of all windows: that of the newest forecast, today at the latest, since a clock that was set back
    /// leaves forecasts of the future.
    package static func lastDate(
        _ issueTimes: ClosedRange<Timestamp>?, at now: Timestamp
    ) -> CivilDate {
        SeattleTime.civil(at: min(issueTimes?.upperBound ?? now, now)).date
    }

    /// Of bridges whose state was known, which leaves out those without a sensor.
    private static func dailyLosses(_ days: [DayScores]) -> [DailyLoss] {
        Dictionary(grouping: days, by: \.date).map { date, scores in
            var losses: [BridgeIndex: (model: Double, climatology: Double)] = [:]
            for bridge in BridgeIndex.all {
                for part in scores {
                    let stopped = part.sums(of: bridge, isKnown: true).stopped
                    guard stopped.rows > 0 else { continue }
                    losses[bridge, default: (0, 0)].model += stopped.logLoss
                    losses[bridge, default: (0, 0)].climatology += stopped.climatologyLogLoss
                }
            }
            return DailyLoss(date: date, losses: losses)
        }
    }
}

extension VerificationReport.Window {
    fileprivate init(_ length: Int, _ parts: [DayScores], _ models: [Int64: ArchivedModel]) {
        days = length
        func sum(_ sums: (DayScores) -> ScoreSums) -> ScoreSums {
            parts.reduce(into: ScoreSums()) { $0 += sums($1) }
        }
        total = sum { $0.sums() }
        byLead = ArchivedIssue.leadsMinutes.indices.map { lead in sum { $0.sums(lead: lead) } }
        byBridge = BridgeIndex.all.map { bridge in sum { $0.sums(of: bridge) } }
        byModel = Dictionary(grouping: parts, by: \.model)
            .compactMap { number, parts in
                models[number].map { model in
                    (model, parts.reduce(into: ScoreSums()) { $0 += $1.sums() })
                }
            }
            .sorted { ($0.0.file, $0.0.sha256) < ($1.0.file, $1.0.sha256) }
    }
}
