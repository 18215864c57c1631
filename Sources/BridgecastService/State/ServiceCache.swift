// Caches of the service: their sections and keys, within one budget of memory.
internal import BridgecastCore
internal import BridgecastRoads
internal import BridgecastSupport
internal import NIOCore
private import Synchronization

/// The cache of a service, which all its sections share.
package final class ServiceCache: Sendable {
    fileprivate struct Key: Hashable {
        let section: String
        let parts: CacheKey
    }

    /// What all items may have together, bytes.
    static let defaultBudgetBytes = 64 << 20

    fileprivate let memory: MemoryCache<Key>
    private let report: @Sendable (MemoryBudgetExceeded) -> Void
    private let reports = Mutex(Reports())

    /// What was reported with the budget of now.
    private struct Reports {
        var isMemoryShort = false
        var sections: Set<String> = []
    }

    /// - Parameter report: Called when a critical item does not fit: once for its section until the budget changes.
    init(
        budgetBytes: Int = ServiceCache.defaultBudgetBytes,
        monotonicSeconds: @escaping @Sendable () -> Double = MonotonicTime.seconds,
        report: @escaping @Sendable (MemoryBudgetExceeded) -> Void = { _ in }
    ) {
        memory = MemoryCache(budgetBytes: budgetBytes, monotonicSeconds: monotonicSeconds)
        self.report = report
    }

    package var budgetBytes: Int { memory.budgetBytes }
    package var usedBytes: Int { memory.usedBytes }
    var count: Int { memory.count }

    /// Shrinks the budget while memory is short.
    func set(isMemoryShort: Bool) {
        memory.set(isMemoryShort: isMemoryShort)
        reports.withLock { reports in
            guard reports.isMemoryShort != isMemoryShort else { return }
            reports = Reports(isMemoryShort: isMemoryShort)
        }
    }

    fileprivate func report(_ error: MemoryBudgetExceeded, of section: String) {
        let isNew = reports.withLock { $0.sections.insert(section).inserted }
        if isNew { report(error) }
    }
}

/// Items of one kind in the cache of a service.
struct CacheSection<Item: Sendable>: Sendable {
    let cache: ServiceCache
    let name: String
    let policy: CachePolicy
    /// What an item takes.
    let bytes: @Sendable (Item) -> Int

    /// The item of a key, made if it is not cached.
    ///
    /// Two concurrent callers may both make it; the later one is kept. An item that does not fit is made each time.
    func item(_ key: CacheKey, _ make: () async throws -> Item) async rethrows -> Item {
        let key = ServiceCache.Key(section: name, parts: key)
        if let item = cache.memory.value(key, as: Item.self) { return item }
        let made = try await make()
        do {
            try cache.memory.keep(made, for: key, bytes: bytes(made), policy)
        } catch { cache.report(error, of: name) }
        return made
    }
}

extension CacheSection<SharedDocument> {
    init(
        _ name: String, in cache: ServiceCache, timeToLiveSeconds: Double,
        priority: CachePriority
    ) {
        self.init(
            cache: cache, name: name,
            policy: CachePolicy(timeToLiveSeconds: timeToLiveSeconds, priority: priority)
        ) { $0.identity.readableBytes + ($0.packed?.readableBytes ?? 0) }
    }

    func document(
        _ key: CacheKey, _ make: () async throws -> [UInt8]
    ) async rethrows -> SharedDocument { try await item(key) { SharedDocument(try await make()) } }
}

/// What an item is made from: equal keys, equal items.
typealias CacheKey = [Int]

/// Positions of places on the roads, by text and mode: most trips begin and end at the same few.
final class AnchorCache: Sendable {
    private struct Key: Hashable {
        let text: String
        let mode: Route.Mode
    }

    private let known = Mutex<[Key: Anchor]>([:])
    /// The cache is emptied when it has more texts than this.
    private static let maxTexts = 4096
    /// Longer texts are not cached.
    private static let maxBytes = 80

    /// The anchor of a text, found on the roads on first use.
    ///
    /// - Throws: ``PlaceError``.
    func anchor(
        _ text: String, _ mode: Route.Mode, on network: RoadNetwork
    ) throws(PlaceError) -> Anchor {
        let key = Key(text: text, mode: mode)
        if let anchor = known.withLock({ $0[key] }) { return anchor }
        let anchor = try network.anchor(text, for: mode)
        guard text.utf8.count <= Self.maxBytes else { return anchor }
        known.withLock { known in
            if known.count >= Self.maxTexts { known.removeAll(keepingCapacity: true) }
            known[key] = anchor
        }
        return anchor
    }
}
