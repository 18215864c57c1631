// The parameter `issue_time`: a request is answered as it would have been answered then; the gate looks for it.
internal import BridgecastCore

/// Requests about forecasts of a time that is over.
enum IssueTime {
    /// What the parameter is called.
    static let parameter = "issue_time"
    /// Seconds that such an answer may be kept: records and model hardly ever become others.
    static let keptSeconds = 60

    private static let takes = "a time that is over, such as 2026-02-20T17:50"

    /// The time that a request names.
    ///
    /// - Throws: ``Problem`` 400 for one that is no time, or not over.
    static func moment(_ request: ServiceRequest) throws(Problem) -> Timestamp? {
        guard let moment = try request.query.time(parameter) else { return nil }
        guard moment < request.now else {
            throw .parameter(
                parameter,
                "\(TimeText.rfc3339(moment)) is not over: it is \(TimeText.rfc3339(request.now)) here",
                takes: takes + "; at and depart take times to come")
        }
        guard moment >= .earliestPlausible else {
            throw .parameter(
                parameter, "it lies before 2001, of which no record tells anything", takes: takes)
        }
        return moment
    }
}

extension ServiceRequest {
    /// Whether it is to be answered as it would have been answered at another time.
    var namesIssueTime: Bool { query.text(IssueTime.parameter) != nil }

    /// The request as if it had been made at the issue time that it names.
    ///
    /// - Throws: ``Problem`` for a time that is not over; what reading the records throws.
    func atIssueTime() async throws -> ServiceRequest {
        guard let moment = try IssueTime.moment(self) else { return self }
        var request = self
        request.past = try await state.pastBoards.board(at: moment, state)
        request.now = moment
        return request
    }

    /// The board that it is answered from.
    ///
    /// - Throws: ``Problem`` 503 while there is none.
    func board() throws(Problem) -> Board {
        if let past { return past }
        return try state.board()
    }
}

extension Endpoint {
    /// Answers a request about a time that is over, or about now.
    @concurrent
    package func answer(_ request: ServiceRequest) async throws -> ServiceAnswer {
        let request = try await request.atIssueTime()
        var answer =
            switch handle {
            case .now(let handle): try handle(request)
            case .later(let handle): try await handle(request)
            }
        if request.past != nil, answer.keeping == .untilNextReading {
            answer.keeping = .seconds(IssueTime.keptSeconds)
        }
        return answer
    }
}
