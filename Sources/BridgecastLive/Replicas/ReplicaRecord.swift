// What the replica that polls writes about each publication, so that the others can publish the same.
package import Bridgecast
private import BridgecastSupport
private import Foundation

/// An entry of the log of the replicas: a publication, the events that were sent about it, or both.
package struct ReplicaRecord: Sendable, Codable {
    /// An event of the service's stream.
    package struct SentEvent: Sendable, Equatable, Codable {
        package let name: String
        /// Its document, one line of JSON.
        package let json: String

        package init(name: String, json: String) {
            self.name = name
            self.json = json
        }
    }

    /// The format of the records that this program reads and writes.
    private static let currentVersion = 1

    private var version = Self.currentVersion
    /// Nil for events that do not come from the bridges.
    package let publication: ReplicaPublication?
    /// Every replica sends them to its clients as they are.
    package let sent: [SentEvent]

    package init(_ publication: ReplicaPublication?, sent: [SentEvent]) {
        self.publication = publication
        self.sent = sent
    }

    /// Reads what ``bytes()`` writes.
    ///
    /// - Throws: ``DocumentProblem`` if it is not a record, or one of a newer version.
    package init(_ bytes: [UInt8]) throws(DocumentProblem) {
        let data = Data(bytes)
        let version = try JSONDocument.decoded(Version.self, from: data).version
        guard version <= Self.currentVersion else {
            throw DocumentProblem(
                "version",
                "written by a newer version of Bridgecast; start this replica with that version too"
            )
        }
        self = try JSONDocument.decoded(Self.self, from: data)
    }

    /// The record as JSON.
    ///
    /// - Throws: `EncodingError`, for a number that JSON does not have.
    package func bytes() throws -> [UInt8] { Array(try JSONEncoder().encode(self)) }

    private struct Version: Decodable {
        let version: Int
    }
}

/// What was known and shown when the replica that polls published.
///
/// The others make the same forecast from it with their own model.
package struct ReplicaPublication: Sendable, Codable {
    package let publishedAt: Timestamp
    /// When the forecast that was shown was issued.
    package let issueTime: Timestamp
    package let isForecastNew: Bool
    package let changes: [BridgeChange]
    package let events: [BridgeEvent]
    package let feeds: [FeedStatus]
    package let phase: AppPhase
    package let tracker: BridgeTracker
    package let eventCount: Int
    package let traffic: TrafficDensity

    /// Describes news; nil before the first forecast.
    package init?(_ news: LiveNews) {
        guard let update = news.update else { return nil }
        publishedAt = news.publishedAt
        issueTime = update.issueTime
        isForecastNew = news.isForecastNew
        changes = news.changes
        events = news.events
        feeds = news.feeds
        phase = news.phase
        tracker = news.tracker
        eventCount = news.eventCount
        traffic = update.traffic
    }

    /// The same news with a forecast that was made from them.
    package func news(_ update: LiveUpdate) -> LiveNews {
        LiveNews(
            publishedAt: publishedAt, update: update, isForecastNew: isForecastNew,
            changes: changes, events: events, feeds: feeds, phase: phase, tracker: tracker,
            eventCount: eventCount)
    }
}

extension LiveNews {
    /// What was known last, forecast again while nothing newer arrives: without changes and events.
    ///
    /// - Parameters:
    ///   - publication: The last one; nil if there was none.
    ///   - update: The new forecast.
    ///   - feed: Why nothing newer arrives.
    package init(
        again publication: ReplicaPublication?, _ update: LiveUpdate, feed: FeedStatus
    ) {
        let readAt = publication?.tracker.lastReadingAt
        let isStale =
            readAt.map { LiveSnapshot.freshness.isStale($0, at: update.issueTime) } ?? true
        let stalePhase = readAt.map { AppPhase.stale(since: $0) } ?? .failed
        self.init(
            publishedAt: update.issueTime, update: update, isForecastNew: true, changes: [],
            events: [], feeds: (publication?.feeds ?? []) + [feed],
            phase: isStale ? stalePhase : publication?.phase ?? .failed,
            tracker: publication?.tracker ?? BridgeTracker(),
            eventCount: publication?.eventCount ?? 0)
    }
}
