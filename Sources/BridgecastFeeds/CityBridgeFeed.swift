// The city's live bridge states over HTTP, now and at the times of a replay.
public import BridgecastCore
public import BridgecastData
internal import BridgecastSupport

/// The city's `GetBridgeData`, over HTTP.
public struct CityBridgeFeed: BridgeFeed {
    /// The city's address of it.
    public static let cityURL = "https://web.seattle.gov/Travelers/api/Map/GetBridgeData"

    /// The feed's name.
    public let name = "bridges"
    private let client: FeedClient
    private let request: FeedRequest

    /// Creates a feed.
    public init(url: String = cityURL, client: FeedClient) {
        self.client = client
        request = FeedRequest(feed: name, url: url)
    }

    /// Requests the states once; the next poll is the retry.
    ///
    /// - Throws: ``FeedError``, `CancellationError`.
    public func answer() async throws -> BridgeFeedAnswer {
        try await answer(headers: [:])
    }

    /// As ``answer()``, with additional header fields.
    func answer(headers: [String: String]) async throws -> BridgeFeedAnswer {
        var request = request
        request.headers = headers
        let (data, reply) = try await client.get(request, retrying: .once) {
            body throws(DocumentProblem) in try BridgeDataReply(body ?? [])
        }
        return BridgeFeedAnswer(
            BridgeReading(receivedAt: reply.receivedAt, isRaised: data.isRaised))
    }
}

/// The city's interface during a replay: every request states the time of the replay.
///
/// A server in the city's place (tools/checks/feeds/stand_in.py) answers for that time, so that a replay uses a real
/// network, with everything that goes wrong there.
public struct ReplayHTTPFeed: BridgeFeed {
    /// The header field with the time of the replay, RFC 3339.
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

    /// Requests the states once.
    ///
    /// - Throws: ``FeedError``, `CancellationError`.
    public func answer() async throws -> BridgeFeedAnswer {
        try await feed.answer(headers: [Self.timeHeader: TimeText.rfc3339(clock.now)])
    }
}
