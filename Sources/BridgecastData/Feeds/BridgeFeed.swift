// What gives live states, whoever is behind it; asked by a live service.
// Belongs here: what a feed is, how it fails, when it is asked again; not: what it says (Live, Records, Traffic).

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
