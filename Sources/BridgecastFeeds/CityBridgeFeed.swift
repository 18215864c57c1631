// The city's live bridge states over HTTP, now and as a replay asks for them.
import BridgecastCore
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
