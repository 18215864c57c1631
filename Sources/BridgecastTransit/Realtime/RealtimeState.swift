// What realtime feeds have said so far: whole messages replace, differential ones change, old ones are not believed.
public import BridgecastCore

/// The newest of every realtime feed of an agency.
///
/// A message of a full feed takes the place of what the feed said before; one of a differential feed changes single
/// entities. A message that is older by its own clock than what is held is passed over, unless what is held is from
/// the future, where a feed's clock was wrong. What a feed said stays when it fails, and ages.
public struct RealtimeState: Sendable {
    /// How far a feed's clock may be ahead before it is called wrong, and what it stamps is not believed, seconds.
    public static let mostAheadSeconds: Int64 = 60

    /// How each feed that was heard of stands: those of ``feeds`` in that order, then others as they were first heard of.
    public private(set) var statuses: [RealtimeStatus] = []
    /// What each feed says, in the same order.
    private var contents: [RealtimeContent] = []
    /// The feeds that are expected, in the order in which they are shown and merged, whichever answers first.
    private let feeds: [String]

    /// Nothing heard yet.
    ///
    /// - Parameter feeds: Identifiers of the feeds that are expected, in the order of the settings.
    public init(of feeds: [String] = []) { self.feeds = feeds }

    /// Takes a message of a feed.
    ///
    /// - Parameters:
    ///   - id: Which feed, such as `trip_updates`.
    ///   - now: When it was fetched.
    /// - Complexity: O(entities).
    public mutating func take(_ message: RealtimeFeed, of id: String, at now: Timestamp) {
        let place = place(of: id)
        statuses[place].problem = nil
        statuses[place].fetchedAt = now
        if let problem = staleness(of: message, at: place, now) {
            statuses[place].problem = problem
            return
        }
        if message.isDifferential {
            contents[place].change(by: message)
        } else {
            contents[place] = RealtimeContent(message)
        }
        statuses[place].feedTimestamp = message.timestamp
        statuses[place].entities = contents[place].count
        statuses[place].remark = Self.remark(on: message, at: now)
    }

    /// Notes that a feed could not be had; what it said before stays, and ages.
    public mutating func fail(_ id: String, _ problem: String, at now: Timestamp) {
        statuses[place(of: id)].problem = problem
    }

    /// Notes that a feed was asked and says the same as before.
    public mutating func confirm(_ id: String, at now: Timestamp) {
        let place = place(of: id)
        (statuses[place].problem, statuses[place].fetchedAt) = (nil, now)
    }

    /// All trip updates in use, of all feeds, each entity once, in the order of the feeds, and when their feed was made, or
    /// else heard last, and the place of the feed in ``statuses``.
    package var tripUpdates: [(update: TripUpdate, messageTime: Timestamp?, source: Int)] {
        zip(contents, statuses).enumerated().flatMap { source, feed in
            let (content, status) = feed
            return content.entities.compactMap { entity in
                entity.tripUpdate.map { ($0, status.feedTimestamp ?? status.fetchedAt, source) }
            }
        }
    }

    /// All vehicles in use, likewise, with their entities' identifiers and when their feed was made.
    package var vehicles:
        [(entityID: String, report: VehicleReport, messageTime: Timestamp?, source: Int)]
    {
        zip(contents, statuses).enumerated().flatMap { source, feed in
            let (content, status) = feed
            return content.entities.compactMap { entity in
                entity.vehicle.map { (entity.id, $0, status.feedTimestamp, source) }
            }
        }
    }

    /// All alerts in use, likewise; whether they are active is for the reader to tell.
    package var alerts: [ServiceAlert] { contents.flatMap { $0.entities.compactMap(\.alert) } }

    // MARK: Ages

    private mutating func place(of id: String) -> Int {
        if let place = statuses.firstIndex(where: { $0.id == id }) { return place }
        let rank = rank(of: id)
        let place = statuses.firstIndex { self.rank(of: $0.id) > rank } ?? statuses.count
        statuses.insert(RealtimeStatus(id: id), at: place)
        contents.insert(RealtimeContent(RealtimeFeed()), at: place)
        return place
    }

    /// The place of a feed among those that are expected; behind them all if it is not.
    private func rank(of id: String) -> Int { feeds.firstIndex(of: id) ?? feeds.count }

    /// Why a message is passed over; nil if it is not.
    private func staleness(of message: RealtimeFeed, at place: Int, _ now: Timestamp) -> String? {
        guard let held = statuses[place].feedTimestamp, let made = message.timestamp, made < held,
            held <= now.adding(seconds: Self.mostAheadSeconds)
        else { return nil }
        let seconds = held.secondsSinceEpoch - made.secondsSinceEpoch
        return "the message is \(seconds) s older than the one before it; the newer one is kept"
    }

    private static func remark(on message: RealtimeFeed, at now: Timestamp) -> String? {
        guard let made = message.timestamp else { return "the feed does not say when it was made" }
        let ahead = made.secondsSinceEpoch - now.secondsSinceEpoch
        guard ahead > mostAheadSeconds else { return nil }
        return "the feed's clock is \(ahead) s ahead"
    }
}
