// WSDOT's live travel times over HTTP.
public import BridgecastCore
public import BridgecastData

/// WSDOT's travel times, over HTTP.
public struct TravelTimesFeed: TrafficFeed {
    /// The feed's name.
    public let name = "travel-times"
    private let client: FeedClient
    private let request: FeedRequest
    private let map: TravelTimeMap

    /// Creates a feed; `url` includes the access code that WSDOT asks for.
    public init(url: String, map: TravelTimeMap, client: FeedClient) {
        (self.client, self.map) = (client, map)
        var request = FeedRequest(feed: name, url: url)
        request.mostBytes = 4 << 20
        self.request = request
    }

    /// Asks once.
    ///
    /// - Throws: ``FeedError``, `CancellationError`.
    public func readings() async throws -> [TrafficReading] {
        try await client.get(request, retrying: .once) { [map] body throws(DocumentProblem) in
            map.readings(try TravelTimesReply(body ?? []))
        }.content
    }
}
