// The departures of a stop or station at a time, and boards for the times to come.
public import BridgecastCore

/// What a board contains.
public struct BoardQuery: Sendable, Hashable {
    /// Departures within this many seconds.
    public var horizonSeconds = 7200
    /// The maximum number of departures; nil for no limit.
    public var limit: Int?
    /// The maximum number in each direction; nil for no limit.
    public var limitPerDirection: Int?
    /// Only this route; nil for all.
    public var route: RouteIndex?
    /// Only this direction; nil for both.
    public var direction: Int?
    /// Whether arrivals at the last stops of trips are included.
    public var includesArrivals = false
    /// A departure later or earlier than this is not on time, seconds.
    public var onTimeSeconds = Self.defaultOnTimeSeconds

    /// Three minutes.
    public static let defaultOnTimeSeconds = 180

    /// The default board.
    public init() {}
}

/// A departures board.
public struct StopBoard: Sendable {
    /// The stop or station that was asked for.
    public let stop: StopIndex
    /// The time that it is for.
    public let asOf: Timestamp
    /// What was asked for.
    public let query: BoardQuery
    /// In order of the expected time, then of the run; late ones stay until they have left.
    public let departures: [Departure]
    /// Why nothing that was asked for runs around this time, such as that the timetable ended, or that none of it runs that
    /// day and when it does next; nil if some does.
    public let noService: String?
    /// Whether nothing leaves, and trips end at the stop within the horizon, which the query leaves out.
    public let hasOnlyArrivals: Bool

    package init(
        stop: StopIndex, asOf: Timestamp, query: BoardQuery, departures: [Departure],
        noService: String? = nil, hasOnlyArrivals: Bool = false
    ) {
        self.stop = stop
        self.asOf = asOf
        self.query = query
        self.departures = departures
        self.noService = noService
        self.hasOnlyArrivals = hasOnlyArrivals
    }
}

extension TransitSnapshot {
    /// The board of a stop, or of a station with all its platforms.
    ///
    /// Runs that have left are not included, however late or early they did; runs that have not are, however long ago they
    /// should have. Where riders cannot get on, nothing departs; arrivals are included if the query asks for them.
    ///
    /// Without a vehicle it is unknown whether a run has left: one that by its times has, but has to cross a bridge first
    /// which holds it now, stays at the top of the board.
    ///
    /// - Parameters:
    ///   - time: The time to wait from; by default ``asOf``.
    ///   - bridges: The bridges that may hold runs; nil to ignore bridges.
    /// - Complexity: O(departures within the horizon + runs that are predicted to stop there); while a bridge is up or has a
    ///   queue, also O(departures since it went up).
    public func board(
        of stop: StopIndex, at time: Timestamp? = nil, _ query: BoardQuery = BoardQuery(),
        holding bridges: TransitBridges? = nil
    ) -> StopBoard {
        let time = time ?? asOf
        let stops = platforms(of: stop)
        let found = departures(at: stops, from: time, query, holding: bridges)
        guard found.isEmpty else {
            return StopBoard(stop: stop, asOf: time, query: query, departures: found)
        }
        let noService = feed.noService(at: stops, query, around: time)
        return StopBoard(
            stop: stop, asOf: time, query: query, departures: [], noService: noService,
            hasOnlyArrivals: noService == nil && hasArrivals(at: stops, from: time, query))
    }

    private func departures(
        at stops: [StopIndex], from time: Timestamp, _ query: BoardQuery,
        holding bridges: TransitBridges?
    ) -> [Departure] {
        let seconds = time.secondsSinceEpoch
        var candidates = BoardCandidates(self, query, from: seconds, holding: bridges)
        for stop in stops { candidates.add(stop) }
        candidates.addAdded(at: stops)
        let maker = DepartureMaker(
            snapshot: self, now: seconds, onTimeSeconds: query.onTimeSeconds)
        return candidates.chosen().map { maker.departure($0) }
    }

    /// Whether trips arrive that a query without arrivals leaves out.
    private func hasArrivals(
        at stops: [StopIndex], from time: Timestamp, _ query: BoardQuery
    ) -> Bool {
        guard !query.includesArrivals else { return false }
        var query = query
        query.includesArrivals = true
        return departures(at: stops, from: time, query, holding: nil).contains(where: \.isServed)
    }

    /// A stop with the platforms that belong to it if it is a station.
    package func platforms(of stop: StopIndex) -> [StopIndex] {
        [stop] + feed.children.of(stop).map { StopIndex(Int($0)) }
    }
}

// MARK: - Timelines

/// The boards of a stop at several times, the first one now.
public struct BoardTimeline: Sendable {
    /// A board and how long it may be shown.
    public struct Entry: Sendable {
        /// Countdowns run from its ``StopBoard/asOf``.
        public let board: StopBoard
        /// When the next entry replaces it.
        public let validUntil: Timestamp
    }

    /// In order of time, without gaps.
    public let entries: [Entry]
    /// Until when the last one may be shown; nil without entries.
    public var validUntil: Timestamp? { entries.last?.validUntil }
}

extension StopBoard {
    /// Until when the board is valid without news: until its first departure leaves, five minutes at most.
    public var validUntil: Timestamp {
        let latest = asOf.adding(seconds: 300)
        let next = departures.lazy.compactMap(\.expected).first { $0 >= asOf }
        return min(latest, next?.adding(seconds: 1) ?? latest)
    }
}

extension TransitSnapshot {
    /// The boards of a stop every five minutes for an hour.
    ///
    /// - Parameters:
    ///   - bridges: The bridges that may hold runs at the first times; nil to ignore bridges.
    ///   - everySeconds: The interval between boards, clamped to 1...86,400.
    ///   - count: The number of boards, clamped to 1...144.
    public func timeline(
        of stop: StopIndex, at time: Timestamp? = nil, _ query: BoardQuery = BoardQuery(),
        holding bridges: TransitBridges? = nil, everySeconds: Int = 300, count: Int = 13
    ) -> BoardTimeline {
        let step = Int64(min(max(1, everySeconds), 86_400))
        let first = time ?? asOf
        return BoardTimeline(
            entries: (0..<Int64(min(max(1, count), 144))).map { index in
                let board = board(
                    of: stop, at: first.adding(seconds: index * step), query, holding: bridges)
                return BoardTimeline.Entry(
                    board: board, validUntil: board.asOf.adding(seconds: step))
            })
    }
}
