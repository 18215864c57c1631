// A feed that an administrator can pause: while it is, it fails, and the sources say so. Put in front by LivePipeline.
internal import BridgecastData
private import Synchronization

/// Whether the feed is paused.
package final class FeedPause: Sendable {
    private let paused = Atomic<Bool>(false)

    package init() {}

    /// Whether it is paused.
    package var isPaused: Bool { paused.load(ordering: .acquiring) }

    /// Pauses the feed, or has it go on.
    package func set(_ isPaused: Bool) { paused.store(isPaused, ordering: .releasing) }
}

/// A feed that fails while it is paused.
struct PausableFeed: BridgeFeed {
    private let feed: any BridgeFeed
    private let pause: FeedPause

    init(_ feed: any BridgeFeed, _ pause: FeedPause) { (self.feed, self.pause) = (feed, pause) }

    var name: String { feed.name }

    func answer() async throws -> BridgeFeedAnswer {
        guard !pause.isPaused else {
            throw FeedError.failed(feed: name, reason: "paused by the administrator")
        }
        return try await feed.answer()
    }
}
