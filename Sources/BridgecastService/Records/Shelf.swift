// A few things by what they are made from, the least lately used left out first: documents and boards of the past.
private import Synchronization

/// Keeps the things that were asked for last.
final class Shelf<Item: Sendable>: Sendable {
    /// The one that was asked for last stands last.
    private let kept = Mutex<[(key: ShelfKey, item: Item)]>([])
    private let most: Int

    /// - Parameter most: So many are kept.
    init(most: Int) { self.most = most }

    /// The thing of a key, made if it is not kept.
    ///
    /// Two that ask at once for a new one may both make it; one of them is kept.
    func item(_ key: ShelfKey, _ make: () async throws -> Item) async rethrows -> Item {
        if let item = found(key) { return item }
        let made = try await make()
        return kept.withLock { kept in
            if let other = kept.first(where: { $0.key == key }) { return other.item }
            kept.append((key, made))
            if kept.count > most { kept.removeFirst() }
            return made
        }
    }

    private func found(_ key: ShelfKey) -> Item? {
        kept.withLock { kept in
            guard let place = kept.lastIndex(where: { $0.key == key }) else { return nil }
            let item = kept.remove(at: place)
            kept.append(item)
            return item.item
        }
    }
}

/// What a thing is made from: equal keys, equal things.
typealias ShelfKey = [Int]
