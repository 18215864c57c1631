// What the three resources of routes read alike from a request: departure, time to arrive by, weights, and what is known.
internal import BridgecastAnswers
internal import BridgecastCore
internal import BridgecastEngine

/// When one leaves and wants to be there, what counts, and what is known for it.
struct RouteQuestion {
    /// What is known: the newest board, or that of the issue time asked for.
    let board: Board
    /// When one leaves; now if nothing is said.
    let departure: Timestamp
    /// When one wants to be there; nil if that does not matter.
    let deadline: Timestamp?
    /// What counts.
    let weights: RouteWeights

    /// The parameters that it reads.
    static let parameters = ["mode", "depart", "arrive_by", "weights"]

    private static let departTakes = "a time from now to 366 days ahead, such as 2026-02-20T17:50"

    /// Reads a request.
    ///
    /// - Throws: ``Problem``.
    init(_ request: ServiceRequest) throws(Problem) {
        board = try request.board()
        departure =
            try request.query.time("depart") ?? max(request.now, board.issueTime)
        guard departure >= board.issueTime else {
            throw .parameter(
                "depart",
                "\(TimeText.rfc3339(departure)) is past: the forecast is of "
                    + TimeText.rfc3339(board.issueTime),
                takes: Self.departTakes)
        }
        deadline = try Self.deadline(request.query, after: departure)
        do {
            weights = try WeightsText.weights(
                request.query.text("weights"), hasDeadline: deadline != nil)
        } catch {
            throw .parameter(
                "weights", error.description,
                takes: "prices in minutes by criterion, such as expected=1,p90=0,stopped=2",
                near: RouteCriterion.allCases.map(\.name))
        }
    }

    private static func deadline(
        _ query: Query, after departure: Timestamp
    ) throws(Problem) -> Timestamp? {
        guard let text = query.text("arrive_by") else { return nil }
        do {
            return try DeadlineText.deadline(text, after: departure)
        } catch {
            throw .parameter(
                "arrive_by", error.description,
                takes:
                    "RFC 3339, Seattle time such as 2026-02-20T17:50, or a clock time such as 09:00"
            )
        }
    }

    /// What is known for a departure, by default the one asked for.
    ///
    /// - Throws: ``Problem`` 400 for a departure too far ahead.
    func context(
        _ request: ServiceRequest, leaving other: Timestamp? = nil
    ) throws(Problem) -> ForecastContext {
        let envelope = board.envelope(at: request.now)
        // A departure that is later than the one asked for is one that the time to arrive by has set.
        let isInReach =
            departure.minutes(since: board.issueTime) <= ForecastTable.farthestDepartureMinutes
        return try Problem.tellingRanking(
            departing: isInReach ? "arrive_by" : "depart"
        ) { () throws(RankingError) in
            try ForecastContext(
                leaving: other ?? departure, known: (board.situation, envelope.warnings),
                traffic: board.traffic, model: board.model, by: request.state.parts.inference,
                sources: envelope.sources, askedAt: request.now)
        }
    }
}
