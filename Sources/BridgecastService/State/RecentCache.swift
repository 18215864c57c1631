// A cache of a limited number of items, and the keys of such caches.
private import Synchronization

/// A cache of the items that were used last.
final class RecentCache<Item: Sendable>: Sendable {
    /// In order of use, the most recent last.
    private let kept = Mutex<[(key: CacheKey, item: Item)]>([])
    private let capacity: Int

    init(capacity: Int) { self.capacity = capacity }

    /// The item of a key, made if it is not cached.
    ///
    /// Two concurrent callers may both make it; one of the two is kept.
    func item(_ key: CacheKey, _ make: () async throws -> Item) async rethrows -> Item {
        if let item = found(key) { return item }
        let made = try await make()
        return kept.withLock { kept in
            if let other = kept.first(where: { $0.key == key }) { return other.item }
            kept.append((key, made))
            if kept.count > capacity { kept.removeFirst() }
            return made
        }
    }

    private func found(_ key: CacheKey) -> Item? {
        kept.withLock { kept in
            guard let index = kept.lastIndex(where: { $0.key == key }) else { return nil }
            let item = kept.remove(at: index)
            kept.append(item)
            return item.item
        }
    }
}

extension RecentCache<SharedDocument> {
    func document(
        _ key: CacheKey, _ make: () async throws -> [UInt8]
    ) async rethrows -> SharedDocument { try await item(key) { SharedDocument(try await make()) } }
}

/// What an item is made from: equal keys, equal items.
typealias CacheKey = [Int]
