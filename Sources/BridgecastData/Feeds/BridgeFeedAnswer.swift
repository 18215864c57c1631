// What a feed of bridge states answers; a live service measures with it how long a reading takes to be shown.
public import BridgecastCore

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
