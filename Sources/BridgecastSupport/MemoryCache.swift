// A cache of what is costly to get or to make, within a budget of memory.
private import Synchronization

/// What is kept the longest when the budget is short.
package enum CachePriority: Int, Sendable, CaseIterable, Comparable {
    case low, normal, high, critical

    package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}

/// How items of one kind are cached.
package struct CachePolicy: Sendable {
    /// An item is not used after this time, seconds.
    package let timeToLiveSeconds: Double
    package let priority: CachePriority

    package init(timeToLiveSeconds: Double, priority: CachePriority) {
        self.timeToLiveSeconds = timeToLiveSeconds
        self.priority = priority
    }
}

/// An item of the highest priority does not fit into the budget, even alone with its equals.
package struct MemoryBudgetExceeded: Failure, Equatable {
    package let neededBytes: Int
    package let budgetBytes: Int

    package var kind: FailureKind { .busy }
    /// What is asked for is made each time.
    package var isMadeGood: Bool { true }

    package var description: String {
        "a cached item of \(neededBytes) bytes exceeds the memory budget of \(budgetBytes) bytes"
    }

    package var recovery: String {
        "Give the service more memory; until then it makes this answer for every request."
    }
}

/// A cache within a budget of memory, in which each item has a time to live and a priority.
///
/// A new item displaces what has expired, then items of lower priority, then older ones of its own, those that were used
/// longest ago first. It never displaces a higher priority: then it is not kept. While memory is short the budget is a
/// quarter.
package final class MemoryCache<Key: Hashable & Sendable>: Sendable {
    private struct Entry {
        let value: any Sendable
        let bytes: Int
        let priority: CachePriority
        let expiresAtSeconds: Double
        /// Counts uses of the cache.
        var usedAt: Int
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var bytes = 0
        var uses = 0
        var isMemoryShort = false
    }

    private let state = Mutex(State())
    private let fullBudgetBytes: Int
    private let monotonicSeconds: @Sendable () -> Double

    /// - Parameter monotonicSeconds: The time by which items expire.
    package init(
        budgetBytes: Int,
        monotonicSeconds: @escaping @Sendable () -> Double = MonotonicTime.seconds
    ) {
        fullBudgetBytes = budgetBytes
        self.monotonicSeconds = monotonicSeconds
    }

    /// Bytes that the items may have now.
    package var budgetBytes: Int { state.withLock { budget($0) } }
    /// Bytes that the items have.
    package var usedBytes: Int { state.withLock { $0.bytes } }
    package var count: Int { state.withLock { $0.entries.count } }

    private func budget(_ state: State) -> Int {
        state.isMemoryShort ? fullBudgetBytes / MemoryShortage.budgetDivisor : fullBudgetBytes
    }

    /// The item of a key; nil if it is not cached, has expired, or is of another type.
    package func value<Value>(_ key: Key, as type: Value.Type = Value.self) -> Value? {
        let now = monotonicSeconds()
        return state.withLock { state in
            guard let entry = state.entries[key], now < entry.expiresAtSeconds else { return nil }
            state.uses += 1
            state.entries[key]?.usedAt = state.uses
            return entry.value as? Value
        }
    }

    /// Keeps an item if the budget allows.
    ///
    /// - Parameter bytes: What it takes.
    /// - Throws: ``MemoryBudgetExceeded`` if it is critical and does not fit; others are then not kept.
    /// - Complexity: O(n log n) in the items where some are dropped, else O(n).
    package func keep(
        _ value: some Sendable, for key: Key, bytes: Int, _ policy: CachePolicy
    ) throws(MemoryBudgetExceeded) {
        let now = monotonicSeconds()
        let missing: MemoryBudgetExceeded? = state.withLock { state in
            remove(key, from: &state)
            dropExpired(at: now, from: &state)
            let budget = budget(state)
            guard makeRoom(for: bytes, upTo: policy.priority, in: &state, budget) else {
                return MemoryBudgetExceeded(neededBytes: bytes, budgetBytes: budget)
            }
            state.uses += 1
            state.bytes += bytes
            state.entries[key] = Entry(
                value: value, bytes: bytes, priority: policy.priority,
                expiresAtSeconds: now + policy.timeToLiveSeconds, usedAt: state.uses)
            return nil
        }
        if policy.priority == .critical, let missing { throw missing }
    }

    /// Shrinks the budget while memory is short; what does not fit any more is dropped, the lowest priority first.
    package func set(isMemoryShort: Bool) {
        let now = monotonicSeconds()
        state.withLock { state in
            state.isMemoryShort = isMemoryShort
            dropExpired(at: now, from: &state)
            _ = makeRoom(for: 0, upTo: .critical, in: &state, budget(state))
        }
    }

    private func remove(_ key: Key, from state: inout State) {
        if let old = state.entries.removeValue(forKey: key) { state.bytes -= old.bytes }
    }

    private func dropExpired(at now: Double, from state: inout State) {
        let expired = state.entries.filter { $0.value.expiresAtSeconds <= now }
        for key in expired.keys { remove(key, from: &state) }
    }

    /// Drops items up to a priority until some bytes fit; whether they do.
    ///
    /// If they cannot, nothing is dropped.
    private func makeRoom(
        for bytes: Int, upTo priority: CachePriority, in state: inout State, _ budget: Int
    ) -> Bool {
        let excess = state.bytes + bytes - budget
        guard excess > 0 else { return true }
        let droppable = state.entries.filter { $0.value.priority <= priority }
            .sorted { ($0.value.priority, $0.value.usedAt) < ($1.value.priority, $1.value.usedAt) }
        guard droppable.reduce(0, { $0 + $1.value.bytes }) >= excess else { return false }
        let end = budget - bytes
        for (key, _) in droppable where state.bytes > end { remove(key, from: &state) }
        return true
    }
}

/// What is done while memory is short.
private enum MemoryShortage {
    /// The share of a cache's budget that is left: one in this many.
    static let budgetDivisor = 4
}

/// The time of a clock that is never set.
package enum MonotonicTime {
    private static let start = ContinuousClock.now

    /// Seconds since some fixed time.
    package static func seconds() -> Double { start.duration(to: .now) / .seconds(1) }
}
