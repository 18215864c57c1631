// The page's document with the bridges in it, made once for all who ask within some seconds; used by PageShelf.
internal import BridgecastCore
internal import BridgecastData
internal import BridgecastLive
private import Synchronization

/// Keeps the newest document of each language.
final class PageFillings: Sendable {
    /// What a document is made from: equal keys, equal documents.
    private struct Key: Equatable {
        let revision: Int
        /// Ages are told in minutes, so nobody misses what is some seconds newer.
        let tenSeconds: Int64
        let board: Board?

        static func == (one: Key, other: Key) -> Bool {
            one.revision == other.revision && one.tenSeconds == other.tenSeconds
                && one.board === other.board
        }
    }

    private let kept = Mutex<[PageLanguage: (key: Key, document: SharedDocument)]>([:])

    /// The document of a moment.
    func document(
        of shell: PageShell, _ state: ServiceState, at now: Timestamp, in language: PageLanguage
    ) -> SharedDocument {
        let board = try? state.board()
        let key = Key(
            revision: shell.revision, tenSeconds: now.secondsSinceEpoch / 10, board: board)
        if let (known, document) = kept.withLock({ $0[language] }), known == key {
            return document
        }
        let feed = state.parts.live.bridges.name
        let document = SharedDocument(
            shell.filled { BridgeTable(board, feed: feed, at: now, in: language).html })
        kept.withLock { $0[language] = (key, document) }
        return document
    }
}
