// What gives live states and live traffic: the forms that a live service knows, whoever is behind them.
public import BridgecastCore
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
    /// - Throws: Anything: a ``FeedError`` says when to ask again, `CancellationError` ends the service, whatever else
    ///   is told as it describes itself.
    func answer() async throws -> BridgeFeedAnswer
}

/// A source of live traffic.
public protocol TrafficFeed: Sendable {
    /// Its name on screens and in logs.
    var name: String { get }
    /// Asks once.
    ///
    /// - Throws: Anything, as ``BridgeFeed/answer()``.
    func readings() async throws -> [TrafficReading]
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
