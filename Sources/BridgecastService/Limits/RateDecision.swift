// What the limit of requests says to a request, and the fields by which a client is told.
package import HTTPTypes

/// Whether a request may go on.
package struct RateDecision: Sendable, Equatable {
    /// Requests that may be sent at once.
    package let limit: Int
    /// Requests that may be sent now.
    package let remaining: Int
    /// Seconds until all of `limit` may be sent again.
    package let resetSeconds: Int
    /// Seconds after which the next request goes through; nil if this one does.
    package let retryAfterSeconds: Int?

    /// Whether the request may go on.
    package var isAllowed: Bool { retryAfterSeconds == nil }

    /// Adds `RateLimit-Limit`, `-Remaining` and `-Reset`, and `Retry-After` where it was refused.
    package func add(to fields: inout HTTPFields) {
        fields[Self.limitName] = String(limit)
        fields[Self.remainingName] = String(remaining)
        fields[Self.resetName] = String(resetSeconds)
        if let retryAfterSeconds { fields[.retryAfter] = String(retryAfterSeconds) }
    }

    /// The refusal that a client is told of; nil if the request may go on.
    package var problem: Problem? {
        guard let retryAfterSeconds else { return nil }
        var problem = Problem(
            .tooManyRequests, .tooManyRequests,
            "more requests than this address may send",
            recovery: "wait \(retryAfterSeconds) s; up to \(limit) requests may be sent at once",
            retryAfterSeconds: retryAfterSeconds)
        add(to: &problem.fields)
        return problem
    }

    private static let limitName = HTTPField.Name.known("RateLimit-Limit")
    private static let remainingName = HTTPField.Name.known("RateLimit-Remaining")
    private static let resetName = HTTPField.Name.known("RateLimit-Reset")
}
