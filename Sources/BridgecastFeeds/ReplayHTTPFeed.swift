// The states of a server that answers for a moment of a replay.
public import BridgecastCore
public import BridgecastData

/// The city's interface as a replay asks it: every request says which moment it means.
///
/// A stand-in server (tools/checks/feeds/stand_in.py) answers for that moment; so a replay can go through a
/// real network, with everything that goes wrong there.
public struct ReplayHTTPFeed: BridgeFeed {
    /// The header field that carries the moment, RFC 3339.
    public static let timeHeader = "X-Replay-Time"

    /// The feed's name.
    public var name: String { feed.name }
    private let feed: CityBridgeFeed
    private let clock: any WallClock

    /// Creates a feed; the client's clock must be the same.
    public init(url: String, client: FeedClient, clock: any WallClock) {
        feed = CityBridgeFeed(url: url, client: client)
        self.clock = clock
    }

    /// Asks once.
    ///
    /// - Throws: ``FeedError``, `CancellationError`.
    public func answer() async throws -> BridgeFeedAnswer {
        try await feed.answer(headers: [Self.timeHeader: TimeText.rfc3339(clock.now)])
    }
}
