internal import BridgecastSupport
public import BridgecastCore
public import BridgecastData

/// WSDOT's travel times, over HTTP.
public struct TravelTimesFeed: TrafficFeed {
    /// The feed's name.
    public let name = "travel-times"
    private let client: FeedClient
    private let request: FeedRequest
    private let map: TravelTimeMap

    /// Creates a feed; `url` includes the access code that WSDOT requires.
    public init(url: String, map: TravelTimeMap, client: FeedClient) {
        self.client = client
        self.map = map
        var request = FeedRequest(feed: name, url: url)
        request.maxBytes = 4 << 20
        self.request = request
    }

    /// Requests the travel times once.
    ///
    /// - Throws: ``FeedError``, `CancellationError`.
    public func readings() async throws -> [TrafficReading] {
        try await client.get(request, retrying: .once) { [map] body throws(DocumentProblem) in
            map.readings(try TravelTimesReply(body ?? []))
        }.content
    }
}
