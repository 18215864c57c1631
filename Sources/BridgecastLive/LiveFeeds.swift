// Where live states and live traffic come from: the city, the state, a file, or a replay.
public import Bridgecast
public import BridgecastData
private import Foundation

/// A reading and when its last byte was here, for measuring how long it takes to be shown.
public struct BridgeFeedAnswer: Sendable {
    /// What the feed says.
    public let reading: BridgeReading
    /// When it was here.
    public let arrival: ContinuousClock.Instant

    /// Creates an answer that is here now.
    public init(_ reading: BridgeReading) {
        (self.reading, arrival) = (reading, .now)
    }
}

/// A source of live bridge states.
public protocol BridgeFeed: Sendable {
    /// Its name on screens and in logs.
    var name: String { get }
    /// Asks once.
    ///
    /// - Throws: ``FeedError``, `CancellationError`.
    func answer() async throws -> BridgeFeedAnswer
}

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
            body throws(FeedRefusal) in try BridgeDataReply(body ?? [])
        }
        return BridgeFeedAnswer(
            BridgeReading(receivedAt: reply.receivedAt, isRaised: data.isRaised))
    }
}

/// A source of live traffic.
public protocol TrafficFeed: Sendable {
    /// Its name on screens and in logs.
    var name: String { get }
    /// Asks once.
    ///
    /// - Throws: ``FeedError``, ``RecordFileError``, `CancellationError`.
    func readings() async throws -> [TrafficReading]
}

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
        try await client.get(request, retrying: .once) { [map] body throws(FeedRefusal) in
            map.readings(try TravelTimesReply(body ?? []))
        }.content
    }
}

/// A file that another program keeps up to date.
public struct TrafficFileFeed: TrafficFeed {
    /// The feed's name.
    public let name = "traffic-file"
    private let path: String

    /// Creates a feed.
    public init(path: String) { self.path = path }

    /// Reads the file as it is now.
    ///
    /// - Throws: ``RecordFileError``.
    public func readings() async throws -> [TrafficReading] {
        try TrafficFile(URL(fileURLWithPath: path)).readings
    }
}
