// The parameter `issue_time`: a request is answered as it would have been answered then.
internal import BridgecastCore

enum IssueTime {
    static let parameter = "issue_time"
    /// Seconds that such an answer may be cached: records and model rarely change.
    static let keptSeconds = 60

    private static let takes = "a past time, such as 2026-02-20T17:50"

    /// The issue time of a request; nil if it has none.
    ///
    /// - Throws: ``Problem`` 400 if it is not a time, or not past.
    static func time(_ request: ServiceRequest) throws(Problem) -> Timestamp? {
        guard let time = try request.query.time(parameter) else { return nil }
        guard time < request.now else {
            throw .parameter(
                parameter,
                "\(TimeText.rfc3339(time)) is not past: it is \(TimeText.rfc3339(request.now)) here",
                takes: takes + "; at and depart take future times")
        }
        guard time >= .earliestPlausible else {
            throw .parameter(
                parameter, "is before 2001, for which there are no records", takes: takes)
        }
        return time
    }
}

extension ServiceRequest {
    /// Whether it is to be answered as of another time.
    var namesIssueTime: Bool { query.text(IssueTime.parameter) != nil }

    /// The request as if it had been made at its issue time.
    ///
    /// - Throws: ``Problem`` for a time that is not past; the error of reading the records.
    func atIssueTime() async throws -> ServiceRequest {
        guard let time = try IssueTime.time(self) else { return self }
        var request = self
        request.past = try await state.pastSnapshots.snapshot(at: time, state)
        request.now = time
        return request
    }

    /// The snapshot that it is answered from.
    ///
    /// - Throws: ``Problem`` 503 while there is none.
    func snapshot() throws(Problem) -> BridgesSnapshot {
        if let past { return past }
        return try state.snapshot()
    }
}

extension Endpoint {
    /// Answers a request, as of its issue time if it has one.
    @concurrent package func answer(_ request: ServiceRequest) async throws -> ServiceAnswer {
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
