// Limits of each client address: requests per second and simultaneous streams. Those of connections are in
// ConnectionCounts.swift.
package import HTTPTypes
private import Synchronization

package final class ClientLimits: Sendable {
    package static let maxAddresses = 65_536

    /// When each token bucket will be full again, in nanoseconds.
    ///
    /// Once the newer half is full the older one is dropped as a whole, so that no search for the least recent address
    /// is needed: one of the last 32,768 addresses is never forgotten.
    private struct Buckets {
        var newer: [ClientAddress: Int64] = [:]
        var older: [ClientAddress: Int64] = [:]
    }

    private let buckets = Mutex(Buckets())
    private let streams: ClientCounter
    private let maxStreamsPerClient: Int
    /// Nanoseconds after which a bucket gains one request; 0 without a limit.
    private let interval: Int64
    /// Nanoseconds in which an empty bucket fills.
    private let capacity: Int64
    private let burst: Int

    package init(_ settings: ServiceSettings) {
        maxStreamsPerClient = settings.maxStreamsPerClient
        streams = ClientCounter(max: settings.maxStreams, perClient: maxStreamsPerClient)
        burst = max(1, Int(settings.requestBurst.clamped(to: 0...1e9)))
        let rate = settings.requestsPerSecond
        // At least one per hour, so that the product below cannot overflow.
        interval = rate > 0 ? Int64((1e9 / rate).clamped(to: 1...3.6e12)) : 0
        capacity = interval.multipliedReportingOverflow(by: Int64(burst)).partialValue
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
        guard interval > 0 else { return nil }
        let key = address.counted
        let (fullAt, isAllowed) = buckets.withLock { buckets in
            let known = buckets.newer[key] ?? buckets.older[key] ?? nanoseconds
            let next = max(known, nanoseconds) + interval
            guard next - nanoseconds <= capacity else { return (known, false) }
            if buckets.newer.count >= Self.maxAddresses / 2, buckets.newer[key] == nil {
                buckets.older = buckets.newer
                buckets.newer = [:]
            }
            buckets.newer[key] = next
            return (next, true)
        }
        let missing = max(0, fullAt - nanoseconds)
        return RateDecision(
            limit: burst, remaining: isAllowed ? Int((capacity - missing) / interval) : 0,
            resetSeconds: seconds(missing),
            retryAfterSeconds: isAllowed ? nil : max(1, seconds(missing + interval - capacity)))
    }

    package var addressCount: Int { buckets.withLock { $0.newer.count + $0.older.count } }

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

    /// Whole seconds, rounded up.
    private func seconds(_ nanoseconds: Int64) -> Int {
        Int((nanoseconds + 999_999_999) / 1_000_000_000)
    }
}

extension Double {
    /// The nearest number in a range; its lower bound for NaN.
    fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
        self > range.lowerBound ? Swift.min(self, range.upperBound) : range.lowerBound
    }
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

    /// Adds `RateLimit-Limit`, `-Remaining` and `-Reset`, and `Retry-After` where it was refused.
    package func add(to fields: inout HTTPFields) {
        fields[Self.limitName] = String(limit)
        fields[Self.remainingName] = String(remaining)
        fields[Self.resetName] = String(resetSeconds)
        if let retryAfterSeconds { fields[.retryAfter] = String(retryAfterSeconds) }
    }

    /// The refusal; nil if the request may proceed.
    package var problem: Problem? {
        guard let retryAfterSeconds else { return nil }
        var problem = Problem(
            .tooManyRequests, "more requests than this address may send",
            recovery: "wait \(retryAfterSeconds) s; up to \(limit) requests may be sent at once",
            retryAfterSeconds: retryAfterSeconds)
        add(to: &problem.fields)
        return problem
    }

    private static let limitName = HTTPField.Name.known("RateLimit-Limit")
    private static let remainingName = HTTPField.Name.known("RateLimit-Remaining")
    private static let resetName = HTTPField.Name.known("RateLimit-Reset")
}
