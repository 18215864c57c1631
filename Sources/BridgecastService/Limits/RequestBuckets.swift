// Token buckets: requests per second and at once, for each of many keys.
private import Synchronization

/// Limits how often something with a key is done.
final class RequestBuckets<Key: Hashable & Sendable>: Sendable {
    /// When each bucket will be full again, in nanoseconds.
    ///
    /// Once the newer half is full the older one is dropped as a whole, so that no search for the least recent key
    /// is needed: one of the last half of all keys is never forgotten.
    private struct Buckets {
        var newer: [Key: Int64] = [:]
        var older: [Key: Int64] = [:]
    }

    private let buckets = Mutex(Buckets())
    private let maxKeys: Int
    /// Nanoseconds after which a bucket gains one request; 0 without a limit.
    private let interval: Int64
    /// Nanoseconds in which an empty bucket fills.
    private let capacity: Int64
    private let burst: Int

    /// - Parameters:
    ///   - perSecond: Requests; 0 for no limit.
    ///   - burst: Requests at once, at least 1.
    init(perSecond rate: Double, burst: Double, maxKeys: Int) {
        self.maxKeys = maxKeys
        self.burst = max(1, Int(burst.clamped(to: 0...1e6)))
        // At least one per hour: the product of both is below 2^62.
        interval = rate > 0 ? Int64((1e9 / rate).clamped(to: 1...3.6e12)) : 0
        capacity = interval * Int64(self.burst)
    }

    /// Takes one request from the bucket of a key; nil without a limit.
    ///
    /// - Parameter nanoseconds: The time of a monotonic clock.
    func take(_ key: Key, at nanoseconds: Int64) -> RateDecision? {
        guard interval > 0 else { return nil }
        let (fullAt, isAllowed) = buckets.withLock { buckets in
            let known = buckets.newer[key] ?? buckets.older[key] ?? nanoseconds
            let next = max(known, nanoseconds) + interval
            guard next - nanoseconds <= capacity else { return (known, false) }
            if buckets.newer.count >= maxKeys / 2, buckets.newer[key] == nil {
                buckets.older = buckets.newer
                buckets.newer = [:]
            }
            buckets.newer[key] = next
            return (next, true)
        }
        return decision(fullAt, isAllowed, at: nanoseconds)
    }

    var keyCount: Int { buckets.withLock { $0.newer.count + $0.older.count } }

    private func decision(
        _ fullAt: Int64, _ isAllowed: Bool, at nanoseconds: Int64
    ) -> RateDecision {
        let missing = max(0, fullAt - nanoseconds)
        return RateDecision(
            limit: burst, remaining: isAllowed ? Int((capacity - missing) / interval) : 0,
            resetSeconds: seconds(missing),
            retryAfterSeconds: isAllowed ? nil : max(1, seconds(missing + interval - capacity)))
    }

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
