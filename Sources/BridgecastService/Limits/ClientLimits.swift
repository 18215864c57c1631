// How much each client address may ask for: requests in a second, streams at once; the gate asks before each request.
private import HTTPTypes
private import Synchronization

/// The limits of all clients.
package final class ClientLimits: Sendable {
    /// Addresses that are remembered at most.
    package static let mostAddresses = 65_536

    /// When each bucket will be full again, in nanoseconds, for the addresses seen last and those before.
    ///
    /// Once the newer half is full the older one is forgotten as a whole, so that nothing is searched for the address
    /// longest unseen: one that was seen among the last 32,768 is never forgotten.
    private struct Buckets {
        var newer: [ClientAddress: Int64] = [:]
        var older: [ClientAddress: Int64] = [:]
    }

    /// Open streams.
    private struct Streams {
        var count = 0
        var ofClient: [ClientAddress: Int] = [:]
    }

    private let buckets = Mutex(Buckets())
    private let streams = Mutex(Streams())
    private let mostStreams: Int
    private let mostStreamsPerClient: Int
    /// Nanoseconds in which one request comes back to a bucket; 0 where there is no limit.
    private let interval: Int64
    /// Nanoseconds in which an empty bucket fills.
    private let capacity: Int64
    private let burst: Int

    /// Creates the limits of the settings.
    package init(_ settings: ServiceSettings) {
        (mostStreams, mostStreamsPerClient) = (settings.mostStreams, settings.mostStreamsPerClient)
        burst = max(1, Int(settings.requestBurst.clamped(to: 0...1e9)))
        let rate = settings.requestsPerSecond
        // No slower than one in an hour: the product below stays far from the largest number.
        interval = rate > 0 ? Int64((1e9 / rate).clamped(to: 1...3.6e12)) : 0
        capacity = interval.multipliedReportingOverflow(by: Int64(burst)).partialValue
    }

    /// Creates the limits of the page's files: ten times as many, for one visit asks for all of them at once.
    package convenience init(filesOf settings: ServiceSettings) {
        var ofFiles = settings
        ofFiles.requestsPerSecond *= 10
        ofFiles.requestBurst *= 10
        self.init(ofFiles)
    }

    /// Takes one request from the bucket of an address; nil where there is no limit.
    ///
    /// - Parameter nanoseconds: The time now of a clock that never goes back.
    package func take(_ address: ClientAddress, at nanoseconds: Int64) -> RateDecision? {
        guard interval > 0 else { return nil }
        let key = address.counted
        let (fullAt, isAllowed) = buckets.withLock { buckets in
            let known = buckets.newer[key] ?? buckets.older[key] ?? nanoseconds
            let next = max(known, nanoseconds) + interval
            guard next - nanoseconds <= capacity else { return (known, false) }
            if buckets.newer.count >= Self.mostAddresses / 2, buckets.newer[key] == nil {
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

    /// Addresses that are remembered, at most ``mostAddresses``.
    package var addressCount: Int { buckets.withLock { $0.newer.count + $0.older.count } }

    /// Counts a stream of events of an address until the pass is closed or goes.
    ///
    /// - Throws: ``Problem`` 429 if the address has too many, 503 if there are too many in all.
    package func openStream(_ address: ClientAddress) throws(Problem) -> StreamPass {
        let key = address.counted
        let refusal: Problem? = streams.withLock { streams in
            let ofClient = streams.ofClient[key, default: 0]
            if ofClient >= mostStreamsPerClient {
                return Problem(
                    .tooManyRequests, .tooManyRequests,
                    "an address may have \(mostStreamsPerClient) streams of events at once",
                    recovery: "close a stream first", retryAfterSeconds: 5)
            }
            if streams.count >= mostStreams {
                return Problem(
                    .serviceUnavailable, .overloaded, "all streams of events are taken",
                    recovery: "try again in some seconds, or ask for /bridges",
                    retryAfterSeconds: 5)
            }
            streams.count += 1
            streams.ofClient[key] = ofClient + 1
            return nil
        }
        if let refusal { throw refusal }
        return StreamPass { [weak self] in self?.closeStream(key) }
    }

    /// Streams that are open.
    package var streamCount: Int { streams.withLock { $0.count } }

    private func closeStream(_ key: ClientAddress) {
        streams.withLock { streams in
            streams.count -= 1
            let left = streams.ofClient[key, default: 1] - 1
            streams.ofClient[key] = left > 0 ? left : nil
        }
    }

    /// Whole seconds, rounded up.
    private func seconds(_ nanoseconds: Int64) -> Int {
        Int((nanoseconds + 999_999_999) / 1_000_000_000)
    }
}

extension Double {
    /// The nearest number in a range; its lower end for what is no number.
    fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
        self > range.lowerBound ? Swift.min(self, range.upperBound) : range.lowerBound
    }
}
