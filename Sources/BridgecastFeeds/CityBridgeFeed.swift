// The city's live bridge states over HTTP, now and as a replay asks for them.
public import BridgecastCore
public import BridgecastData

/// The city's `GetBridgeData`, over HTTP.
public struct CityBridgeFeed: BridgeFeed {
    /// Where the city publishes it.
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

    /// Asks once; the poll after is the retry.
    ///
    /// - Throws: ``FeedError``, `CancellationError`.
    public func answer() async throws -> BridgeFeedAnswer {
        try await answer(headers: [:])
    }

    /// Asks once with header fields of the caller's.
    ///
    /// - Throws: As ``answer()``.
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
