// What a ForecastTable refuses, in words.

/// What a table cannot be made of, or cannot answer.
public enum ForecastTableError: Failure, Equatable {
    /// The leads do not increase from 0, or go too far.
    case leads
    /// Nobody may look anything up.
    case noMode
    /// A bridge's openings a day or days of records are negative, absurd or not a number.
    case history(BridgeIndex)
    /// The forecasts are not for this mode.
    case unknownMode(Route.Mode, known: Set<Route.Mode>)
    /// A lead that is not a number.
    case notAMoment
    /// A moment so many minutes before the issue time.
    case beforeIssueTime(minutes: Double, Timestamp)
    /// A moment so many minutes after the issue time lies before the first lead.
    case beforeFirstLead(minutes: Double, first: Double)
    /// A moment so many minutes after the issue time lies beyond the last lead.
    case tooShort(minutes: Double, reach: Double)

    /// Whose matter it is.
    public var kind: FailureKind { .usage }

    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .leads:
            "the leads of a table increase, between 0 and \(Int(ForecastTable.farthestMinutes)) minutes"
        case .noMode: "a table needs at least one mode of travel"
        case .history(let bridge):
            "the history of \(bridge): openings a day and days of records are 0 or more"
        case .unknownMode(let mode, let known):
            "the forecasts are for \(known.map(\.rawValue).sorted().joined(separator: ", ")), not for "
                + "\(mode.rawValue): ask for a table with that mode"
        case .notAMoment: "a lead is not a number"
        case .beforeIssueTime(let minutes, let issueTime):
            "the moment lies \(Self.text(minutes)) min before the issue time, "
                + "\(TimeText.rfc3339(issueTime)): forecasts are of what comes after it"
        case .beforeFirstLead(let minutes, let first):
            "the forecasts begin \(Self.text(first)) minutes after their issue time, but those of minute "
                + "\(Self.text(minutes)) are needed: ask for a table for that departure"
        case .tooShort(let minutes, let reach):
            "the forecasts reach \(Self.text(reach)) minutes after their issue time, but "
                + "\(Self.text(minutes)) are needed: ask for a table that reaches so far"
        }
    }

    private static func text(_ minutes: Double) -> String {
        minutes.magnitude < 1e9 ? "\((minutes * 100).rounded() / 100)" : "\(minutes)"
    }
}
