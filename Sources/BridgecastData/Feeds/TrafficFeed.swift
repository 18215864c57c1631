// What gives live traffic, whoever is behind it; asked by a live service.
public import BridgecastCore

/// A source of live traffic.
public protocol TrafficFeed: Sendable {
    /// Its name on screens and in logs.
    var name: String { get }
    /// Asks once.
    ///
    /// - Throws: Anything, as ``BridgeFeed/answer()``.
    func readings() async throws -> [TrafficReading]
}
