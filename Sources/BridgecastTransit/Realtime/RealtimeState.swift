// The latest content of realtime feeds: full messages replace, differential ones change, outdated ones are ignored.
public import BridgecastCore

/// The latest content of every realtime feed of an agency.
///
/// A full message replaces the content of its feed; a differential one changes single entities. A message that is older by
/// its own clock than the content is ignored, unless the content is from the future because the feed's clock was wrong. The
/// content stays when a feed fails, and ages.
public struct RealtimeState: Sendable {
    /// How far a feed's clock may be ahead before it is considered wrong and its timestamps are ignored, seconds.
    public static let maxAheadSeconds: Int64 = 60

    /// The status of each feed that was heard from: the expected feeds in their order, then others as they came.
    public private(set) var statuses: [RealtimeStatus] = []
    /// The content of each feed, in the same order.
    private var contents: [RealtimeContent] = []
    /// The feeds that are expected, in the order in which they are shown and merged, whichever answers first.
    private let feeds: [String]
    /// What readers must know of a feed's messages.
    private let notes: [String: String]

    /// An empty state.
    ///
    /// - Parameter feeds: Identifiers of the feeds that are expected, in the order of the settings.
    public init(of feeds: [String] = []) {
        self.feeds = feeds
        notes = [:]
    }

    /// An empty state of some sources, in the order of the settings.
    package init(of sources: [any RealtimeSource]) {
        feeds = sources.map(\.id)
        let known = sources.compactMap { source in source.note.map { (source.id, $0) } }
        notes = Dictionary(known) { first, _ in first }
    }

    /// The expected feeds that have neither answered nor failed yet.
    var unanswered: [String] {
        let known = Set(statuses.map(\.id))
        return feeds.filter { !known.contains($0) }
    }

    /// Takes a message of a feed.
    ///
    /// - Parameters:
    ///   - id: Which feed, such as `trip_updates`.
    ///   - now: When it was fetched.
    /// - Complexity: O(entities).
    public mutating func take(_ message: RealtimeFeed, of id: String, at now: Timestamp) {
        let index = index(of: id)
        statuses[index].problem = nil
        statuses[index].fetchedAt = now
        if let problem = staleness(of: message, at: index, now: now) {
            statuses[index].problem = problem
            return
        }
        if message.isDifferential {
            contents[index].apply(message)
        } else {
            contents[index] = RealtimeContent(message)
        }
        statuses[index].feedTimestamp = message.timestamp
        statuses[index].entities = contents[index].entities.count
        statuses[index].remark = Self.remark(on: message, at: now) ?? notes[id]
        statuses[index].contentRemark = Self.contentRemark(on: message, of: id)
    }

    /// Notes that a feed could not be fetched; its content stays, and ages.
    public mutating func fail(_ id: String, problem: String) {
        statuses[index(of: id)].problem = problem
    }

    /// Notes that a feed was fetched and has not changed.
    public mutating func confirm(_ id: String, at now: Timestamp) {
        let index = index(of: id)
        statuses[index].problem = nil
        statuses[index].fetchedAt = now
    }

    /// All trip updates, each entity once, in the order of the feeds, with the time of their message, or else when it was
    /// fetched, and the index of their feed in ``statuses``.
    package var tripUpdates: [(update: TripUpdate, messageTime: Timestamp?, source: Int)] {
        zip(contents, statuses).enumerated().flatMap { source, feed in
            let (content, status) = feed
            return content.entities.compactMap { entity in
                entity.tripUpdate.map { ($0, status.feedTimestamp ?? status.fetchedAt, source) }
            }
        }
    }

    /// All vehicles, likewise, with their entities' identifiers and the time of their message.
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

    /// All alerts, likewise, active or not.
    package var alerts: [ServiceAlert] { contents.flatMap { $0.entities.compactMap(\.alert) } }

    // MARK: Feeds

    /// The index of a feed, which is inserted if it is new.
    private mutating func index(of id: String) -> Int {
        if let index = statuses.firstIndex(where: { $0.id == id }) { return index }
        let rank = rank(of: id)
        let index = statuses.firstIndex { self.rank(of: $0.id) > rank } ?? statuses.count
        statuses.insert(RealtimeStatus(id: id), at: index)
        contents.insert(RealtimeContent(RealtimeFeed()), at: index)
        return index
    }

    /// The index of a feed among those expected; after them all if it is not expected.
    private func rank(of id: String) -> Int { feeds.firstIndex(of: id) ?? feeds.count }

    /// Why a message is ignored; nil if it is not.
    private func staleness(
        of message: RealtimeFeed, at index: Int, now: Timestamp
    ) -> String? {
        guard let held = statuses[index].feedTimestamp, let made = message.timestamp, made < held,
            held <= now.adding(seconds: Self.maxAheadSeconds)
        else { return nil }
        let seconds = held.secondsSinceEpoch - made.secondsSinceEpoch
        return "the message is \(seconds) s older than the one before it; the newer one is kept"
    }

    /// What a message holds in place of what its feed is named after, such as `trip_updates_2`; nil if it has some of that.
    private static func contentRemark(on message: RealtimeFeed, of id: String) -> String? {
        let held = message.kinds
        guard let wanted = RealtimeKind.allCases.first(where: { id.hasPrefix($0.rawValue) }),
            !held.isEmpty, !held.contains(wanted)
        else { return nil }
        let found = RealtimeKind.allCases.filter(held.contains).map(\.plural)
        return
            "holds \(found.joined(separator: " and ")), no \(wanted.plural); used as what they are"
    }

    private static func remark(on message: RealtimeFeed, at now: Timestamp) -> String? {
        guard let made = message.timestamp else { return "the feed does not say when it was made" }
        let ahead = made.secondsSinceEpoch - now.secondsSinceEpoch
        guard ahead > maxAheadSeconds else { return nil }
        return "the feed's clock is \(ahead) s ahead"
    }
}

/// The status of a realtime feed: how old its content is and what went wrong.
public struct RealtimeStatus: Sendable, Hashable {
    /// Which feed, such as `trip_updates`.
    public let id: String
    /// When its newest message was fetched; nil if none was.
    public var fetchedAt: Timestamp?
    /// The message's own timestamp; nil if it has none.
    public var feedTimestamp: Timestamp?
    /// Why the last attempt failed, for people; nil if it did not.
    public var problem: String?
    /// What is odd about the message although it is used, such as a clock that is ahead, or what its source notes; nil if
    /// nothing is.
    public var remark: String?
    /// That the message holds another kind of content than its feed is named after; nil if it does not.
    public var contentRemark: String?
    /// The number of entities in use.
    public var entities: Int

    package init(
        id: String, fetchedAt: Timestamp? = nil, feedTimestamp: Timestamp? = nil,
        problem: String? = nil, entities: Int = 0
    ) {
        self.id = id
        self.fetchedAt = fetchedAt
        self.feedTimestamp = feedTimestamp
        self.problem = problem
        self.entities = entities
    }
}

/// The entities of one feed, each once.
private struct RealtimeContent: Sendable {
    /// In the order in which they were first seen.
    private(set) var entities: [RealtimeEntity]

    /// The content of a full message.
    init(_ message: RealtimeFeed) { entities = Self.distinct(Self.notDeleted(message)) }

    /// Applies a differential message: entities by their identifiers.
    mutating func apply(_ message: RealtimeFeed) {
        let changed = Set(message.entities.map(\.id))
        let kept = entities.filter { !changed.contains($0.id) }
        entities = Self.distinct(kept + Self.notDeleted(message))
    }

    private static func notDeleted(_ message: RealtimeFeed) -> [RealtimeEntity] {
        guard message.entities.contains(where: { $0.isDeleted == true }) else {
            return message.entities
        }
        return message.entities.filter { $0.isDeleted != true }
    }

    // MARK: Duplicates

    /// What an entity is about: identifiers should be unique in a feed, and in some feeds are not.
    private enum Subject: Hashable {
        case trip(id: String, date: String?, time: String?, copy: TripProperties?)
        case vehicle(id: String, trip: String?)
        case alert(id: String, [ServiceAlert.Translation])
    }

    /// The entities without duplicates about the same subject, of which the one that was seen later stays.
    ///
    /// - Complexity: O(n); nothing is copied if there are none.
    private static func distinct(_ entities: [RealtimeEntity]) -> [RealtimeEntity] {
        var indices: [Subject: Int] = [:]
        indices.reserveCapacity(entities.count)
        var duplicates: [(index: Int, first: Int)] = []
        for index in entities.indices {
            guard let subject = subject(of: entities[index]) else { continue }
            if let first = indices[subject] {
                duplicates.append((index, first))
            } else {
                indices[subject] = index
            }
        }
        guard !duplicates.isEmpty else { return entities }
        var result = entities
        for (index, first) in duplicates
        where time(of: entities[index]) >= time(of: result[first]) {
            result[first] = entities[index]
        }
        let dropped = Set(duplicates.map(\.index))
        return result.indices.filter { !dropped.contains($0) }.map { result[$0] }
    }

    /// Nil for an entity with several contents, or with none that can be identified.
    private static func subject(of entity: RealtimeEntity) -> Subject? {
        switch (entity.tripUpdate != nil, entity.vehicle != nil, entity.alert != nil) {
        case (true, false, false):
            guard let trip = entity.tripUpdate?.trip, let id = trip.tripID, id != "" else {
                return nil
            }
            // A copy names the trip that it copies, which has an update of its own.
            let isCopy = trip.relationship == .duplicated
            return .trip(
                id: id, date: trip.startDate, time: trip.startTime,
                copy: isCopy ? entity.tripUpdate?.properties ?? TripProperties() : nil)
        case (false, true, false):
            guard let id = entity.vehicle?.vehicle?.id, id != "" else { return nil }
            return .vehicle(id: id, trip: entity.vehicle?.trip?.tripID)
        case (false, false, true): return .alert(id: entity.id, entity.alert?.header ?? [])
        default: return nil
        }
    }

    private static func time(of entity: RealtimeEntity) -> Timestamp {
        entity.tripUpdate?.timestamp ?? entity.vehicle?.timestamp ?? .earliest
    }
}
