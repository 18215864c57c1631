// Limits of each client address: requests per second and simultaneous streams. Those of connections are in
// ConnectionCounts.swift.
package import HTTPTypes

package final class ClientLimits: Sendable {
    package static let maxAddresses = 65_536

    private let buckets: RequestBuckets<ClientAddress>
    private let streams: ClientCounter
    private let maxStreamsPerClient: Int

    package init(_ settings: ServiceSettings) {
        maxStreamsPerClient = settings.maxStreamsPerClient
        streams = ClientCounter(max: settings.maxStreams, perClient: maxStreamsPerClient)
        buckets = RequestBuckets(
            perSecond: settings.requestsPerSecond, burst: settings.requestBurst,
            maxKeys: Self.maxAddresses)
    }

    /// Creates the limits of the page's files: ten times as many, because one visit requests all of them at once.
    package convenience init(filesOf settings: ServiceSettings) {
        var ofFiles = settings
        ofFiles.requestsPerSecond *= 10
        ofFiles.requestBurst *= 10
        self.init(ofFiles)
    }

    /// Takes one request from the bucket of an address; nil without a limit.
    ///
    /// - Parameter nanoseconds: The time of a monotonic clock.
    package func take(_ address: ClientAddress, at nanoseconds: Int64) -> RateDecision? {
        buckets.take(address.counted, at: nanoseconds)
    }

    package var addressCount: Int { buckets.keyCount }

    /// Counts a stream of events of an address until the pass is closed or released.
    ///
    /// - Throws: ``Problem`` 429 if the address has too many, 503 if there are too many in all.
    package func openStream(_ address: ClientAddress) throws(Problem) -> CountedPass {
        switch streams.open(address) {
        case .pass(let pass): return pass
        case .refused(_, isClientFull: true):
            throw Problem(
                .tooManyRequests,
                "an address may have \(maxStreamsPerClient) streams of events at once",
                recovery: "close a stream first", retryAfterSeconds: 5)
        case .refused:
            throw Problem(
                .overloaded, "all streams of events are in use",
                recovery: "try again in some seconds, or ask for /bridges", retryAfterSeconds: 5)
        }
    }

    package var streamCount: Int { streams.count }
}

// MARK: - Decisions

package struct RateDecision: Sendable, Equatable {
    /// Requests that may be sent at once.
    package let limit: Int
    /// Requests that may be sent now.
    package let remaining: Int
    /// Seconds until all of `limit` may be sent again.
    package let resetSeconds: Int
    /// Seconds after which the next request is accepted; nil if this one is.
    package let retryAfterSeconds: Int?

    package var isAllowed: Bool { retryAfterSeconds == nil }

    /// Adds `RateLimit-Limit`, `-Remaining` and `-Reset`, and `Retry-After` where it was refused; a closer limit's stay.
    package func add(to fields: inout HTTPFields) {
        guard fields[Self.limitName] == nil else { return }
        fields[Self.limitName] = String(limit)
        fields[Self.remainingName] = String(remaining)
        fields[Self.resetName] = String(resetSeconds)
        if let retryAfterSeconds { fields[.retryAfter] = String(retryAfterSeconds) }
    }

    /// The refusal; nil if the request may proceed.
    package var problem: Problem? { problem("more requests than this address may send") }

    /// The refusal with a text of its own; nil if the request may proceed.
    func problem(_ detail: String) -> Problem? {
        guard let retryAfterSeconds else { return nil }
        var problem = Problem(
            .tooManyRequests, detail,
            recovery: "wait \(retryAfterSeconds) s; up to \(limit) requests may be sent at once",
            retryAfterSeconds: retryAfterSeconds)
        add(to: &problem.fields)
        return problem
    }

    private static let limitName = HTTPField.Name.known("RateLimit-Limit")
    private static let remainingName = HTTPField.Name.known("RateLimit-Remaining")
    private static let resetName = HTTPField.Name.known("RateLimit-Reset")
}
