// Caches of a limited number of items, and their keys.
internal import BridgecastCore
internal import BridgecastRoads
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
