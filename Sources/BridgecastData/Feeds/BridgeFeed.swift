public import BridgecastCore

/// A source of live bridge states.
public protocol BridgeFeed: Sendable {
    /// Its name on screens and in logs.
    var name: String { get }
    /// Requests the states once.
    ///
    /// - Throws: Anything: a ``FeedError`` decides when to ask again, `CancellationError` ends the service, any other
    ///   error is reported by its description.
    func answer() async throws -> BridgeFeedAnswer
}

/// A reading and when its last byte arrived, from which a live service measures how long it takes to be shown.
public struct BridgeFeedAnswer: Sendable {
    /// The states in the answer.
    public let reading: BridgeReading
    /// When its last byte arrived.
    public let arrival: ContinuousClock.Instant

    /// Creates an answer that has just arrived.
    public init(_ reading: BridgeReading) {
        self.reading = reading
        arrival = .now
    }
}

/// A source of live traffic.
public protocol TrafficFeed: Sendable {
    /// Its name on screens and in logs.
    var name: String { get }
    /// Requests the readings once.
    ///
    /// - Throws: Anything, as ``BridgeFeed/answer()``.
    func readings() async throws -> [TrafficReading]
}
