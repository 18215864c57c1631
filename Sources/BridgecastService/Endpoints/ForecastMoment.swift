// The arrival that a forecast is asked for, from a query or a row of a body; used by ForecastEndpoints.
internal import BridgecastCore
internal import BridgecastEngine

/// Arrivals as minutes after a board's issue time.
enum ForecastMoment {
    /// What `at` takes.
    private static let takes =
        "a time from now to 366 days ahead, such as 2026-02-20T17:50"

    /// The lead of the arrival that a query names; that of now if it names none.
    ///
    /// - Throws: ``Problem`` 400 for one that nothing can be forecast for.
    static func leadMinutes(
        _ query: Query, at now: Timestamp, _ board: Board
    ) throws(Problem) -> Double {
        let lead = try query.number(
            "lead_min", in: 0...ForecastTable.farthestDepartureMinutes, unit: "minutes")
        guard let at = try query.time("at") else {
            return leadMinutes(fromNow: lead ?? 0, now, board)
        }
        guard lead == nil else {
            throw .parameter(
                "lead_min", "stands beside at", takes: "minutes from now; at takes a time")
        }
        return try leadMinutes(at, parameter: "at", board)
    }

    /// The lead of an arrival so many minutes from now: a board is some seconds old, as a rule.
    static func leadMinutes(fromNow minutes: Double, _ now: Timestamp, _ board: Board) -> Double {
        max(0, now.minutes(since: board.issueTime)) + minutes
    }

    /// The lead of an arrival at a time.
    ///
    /// - Parameter name: Where it stands, for the message.
    /// - Throws: ``Problem`` 400.
    static func leadMinutes(
        _ at: Timestamp, parameter name: String, _ board: Board
    ) throws(Problem) -> Double {
        if let fault = fault(of: at, board) { throw .parameter(name, fault, takes: takes) }
        return at.minutes(since: board.issueTime)
    }

    /// Why nothing can be forecast for a time; nil if something can.
    static func fault(of at: Timestamp, _ board: Board) -> String? {
        let lead = at.minutes(since: board.issueTime)
        if lead < 0 {
            guard board.past == nil else {
                return "\(TimeText.rfc3339(at)) lies before issue_time"
            }
            let day = SeattleTime.civil(at: at).date
            return "\(TimeText.rfc3339(at)) is past; what was forecast then is at "
                + "/api/v1/days/\(day), or here with issue_time"
        }
        return lead > ForecastTable.farthestDepartureMinutes
            ? "\(TimeText.rfc3339(at)) is more than 366 days ahead" : nil
    }
}
