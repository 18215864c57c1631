// A few documents by what they are made from, the least lately used left out first; used by RecordShelf.
private import Synchronization

/// Keeps the documents that were asked for last.
final class DocumentShelf: Sendable {
    /// What a document is made from: equal keys, equal documents.
    typealias Key = [Int]

    private let most: Int
    /// The one that was asked for last stands last.
    private let kept = Mutex<[(key: Key, document: SharedDocument)]>([])

    /// - Parameter most: So many are kept.
    init(most: Int) { self.most = most }

    /// The document of a key, made if it is not kept.
    ///
    /// Two that ask at once for a new one may both make it; one of them is kept.
    func document(
        _ key: Key, _ make: () async throws -> [UInt8]
    ) async throws -> SharedDocument {
        if let document = found(key) { return document }
        let made = SharedDocument(try await make())
        return kept.withLock { kept in
            if let other = kept.first(where: { $0.key == key }) { return other.document }
            kept.append((key, made))
            if kept.count > most { kept.removeFirst() }
            return made
        }
    }

    private func found(_ key: Key) -> SharedDocument? {
        kept.withLock { kept in
            guard let place = kept.firstIndex(where: { $0.key == key }) else { return nil }
            let item = kept.remove(at: place)
            kept.append(item)
            return item.document
        }
    }
}
