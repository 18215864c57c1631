// The live feed as the records would have had it answer; for replays.
public import Bridgecast
public import BridgecastData
private import Foundation
private import Synchronization

/// Says what a history says of each moment, in the very bytes of the city's feed.
///
/// Only bridges that have a sensor, and only where their records are complete.
public struct ReplayFeed: BridgeFeed {
    /// The feed's name.
    public let name = "replay"
    private let history: OpeningHistory
    private let clock: any WallClock

    /// Creates a feed.
    public init(_ history: OpeningHistory, clock: any WallClock) {
        (self.history, self.clock) = (history, clock)
    }

    /// What the city would have said now.
    ///
    /// - Throws: ``FeedError`` where the records cover no bridge.
    public func answer() async throws -> BridgeFeedAnswer {
        let now = clock.now
        do {
            let reply = try BridgeDataReply(Array(body(at: now).utf8))
            return BridgeFeedAnswer(BridgeReading(receivedAt: now, isRaised: reply.isRaised))
        } catch {
            throw FeedError.refused(
                url: name, reason: "the records say nothing of \(TimeText.rfc3339(now))")
        }
    }

    /// GetBridgeData's reply of a moment: JSON in a JSON string.
    package func body(at now: Timestamp) -> String {
        let entries = BridgeIndex.all.filter {
            BridgeCatalogue[$0].hasLiveSensor && history.coverage.contains(now, of: $0)
        }.map { bridge in
            let facts = BridgeCatalogue[bridge]
            let isRaised = !history.openings(of: bridge, overlapping: now..<now.adding(seconds: 1))
                .isEmpty
            return "{\\\"BridgeID\\\":\(facts.id),\\\"DisplayName\\\":\\\"\(facts.name)\\\","
                + "\\\"Latitude\\\":\(facts.latitude),\\\"Longitude\\\":\(facts.longitude),"
                + "\\\"Name\\\":\\\"Bridge_\(facts.name).Input01\\\","
                + "\\\"Status\\\":\\\"\(isRaised ? "Open" : "Closed")\\\"}"
        }
        return "\"[" + entries.joined(separator: ",") + "]\""
    }
}
