// The board of a stop as a screen observes it, and the countdowns of departures.
public import BridgecastCore
public import Observation

/// The departures of a stop or station.
///
/// ```swift
/// let board = StopBoardModel(of: stop, in: timetable, at: .now)
/// board.start(poller)
/// ```
@MainActor @Observable public final class StopBoardModel: TransitModel {
    /// The stop or station.
    public private(set) var stop: TransitStop
    /// What the board contains.
    public private(set) var query: BoardQuery
    /// In order of the expected time; late ones stay until they have left.
    public private(set) var departures: [Departure] = []
    /// Whether it is current.
    public private(set) var phase = TransitPhase.loading
    /// ``StationProblem/noData(reason:)`` where nothing departs, ``StationProblem/apiError(_:)`` while a feed of trips or
    /// vehicles fails; nil if nothing is wrong, and until feeds have answered.
    public private(set) var problem: StationProblem?
    /// The time for which it is shown; countdowns run from it.
    public private(set) var now: Timestamp

    /// The board with ``departures``, of ``snapshot``; not observed, as its time changes with every update.
    @ObservationIgnored public private(set) var board: StopBoard
    /// The snapshot that is shown.
    @ObservationIgnored public private(set) var snapshot: TransitSnapshot
    /// Bridges that may hold vehicles before the stop.
    @ObservationIgnored public var bridges: TransitBridges?
    /// The tasks that keep it up to date.
    public let updates = TransitUpdates()

    /// Whether a poller has published anything.
    @ObservationIgnored private var hasNews = false
    /// Whether the newest timetable does not have the stop, or the line of ``query``.
    @ObservationIgnored private var isLost = false

    /// Shows the board of a stop as the timetable has it now.
    public init(
        of stop: StopIndex, _ query: BoardQuery = BoardQuery(), in timetable: LiveTimetable,
        at now: Timestamp
    ) {
        self.now = now
        self.query = query
        self.stop = timetable.feed[stop]
        snapshot = timetable.snapshot
        board = snapshot.board(of: stop, at: now, query)
        update(at: now)
    }

    /// Shows another board of the stop; its line is of the timetable of ``snapshot``.
    public func setQuery(_ query: BoardQuery) {
        assign(query, to: \.query, of: self)
        update(at: now)
    }

    /// Seconds from ``now`` until each of ``departures`` leaves, or arrives where its trip ends; 0 or less if it should have;
    /// nil where nothing stops.
    public var countdownSeconds: [Int?] { departures.map { $0.secondsLeft(at: now) } }

    /// Shows a newer snapshot; of another timetable, the stop and the line with the same identifiers.
    ///
    /// If that timetable does not have them, ``problem`` is ``StationProblem/noData(reason:)``.
    public func show(_ snapshot: TransitSnapshot, at now: Timestamp) {
        hasNews = true
        isLost = !use(snapshot.feed)
        if !isLost { self.snapshot = snapshot }
        update(at: now)
    }

    /// Shows what departs from a time on.
    public func update(at now: Timestamp) {
        assign(now, to: \.now, of: self)
        guard !isLost else { return showLoss() }
        board = snapshot.board(of: stop.index, at: now, query, holding: bridges)
        assign(board.departures, to: \.departures, of: self)
        assign(snapshot.phase(at: now, hasNews: hasNews), to: \.phase, of: self)
        assign(snapshot.problem(of: board, hasNews: hasNews), to: \.problem, of: self)
    }

    /// Empties the board of a stop that the newest timetable does not have.
    private func showLoss() {
        let reason = "the timetable no longer has this stop or line"
        board = StopBoard(
            stop: stop.index, asOf: now, query: query, departures: [], noService: reason)
        assign([], to: \.departures, of: self)
        assign(.noData(reason: reason), to: \.problem, of: self)
    }

    /// Finds the stop and the line in a timetable; whether it has both.
    private func use(_ feed: TransitFeed) -> Bool {
        let known = snapshot.feed
        guard feed !== known else { return true }
        guard let index = feed.stop(stop.id) else { return false }
        var query = query
        if let route = query.route {
            guard let route = feed.route(known[route].id) else { return false }
            query.route = route
        }
        assign(feed[index], to: \.stop, of: self)
        assign(query, to: \.query, of: self)
        return true
    }
}

extension Departure {
    /// Seconds from a time until it leaves, or arrives where the trip ends; 0 or less if it should have; nil if its time is
    /// unknown or nothing stops.
    public func secondsLeft(at now: Timestamp) -> Int? {
        seconds(from: now, to: isServed ? expected : nil)
    }

    /// Seconds from a time until its vehicle arrives, which may wait before it leaves; nil as ``secondsLeft(at:)``.
    public func secondsToArrival(at now: Timestamp) -> Int? {
        seconds(from: now, to: expectedArrival)
    }

    private func seconds(from now: Timestamp, to time: Timestamp?) -> Int? {
        time.map { Int($0.secondsSinceEpoch - now.secondsSinceEpoch) }
    }
}
