// What a widget shows, whatever its size: the departures of a stop by direction, and what riders should know about them.
internal import BridgecastAnswers
internal import BridgecastCore
internal import BridgecastSupport
internal import BridgecastTransit
internal import BridgecastTransitAnswers

/// What is asked for: a line at a stop, or all that departs from a stop.
enum WidgetSubject: Sendable {
    case line(RouteIndex, StopIndex)
    case board(StopIndex)

    var stop: StopIndex {
        switch self {
        case .line(_, let stop), .board(let stop): stop
        }
    }

    var route: RouteIndex? { if case .line(let route, _) = self { route } else { nil } }
}

/// The time that a picture is for: it is made once in this period, and valid until its end.
///
/// Countdowns are those of the end, so that no picture promises more time than there is.
struct WidgetPeriod: Sendable {
    static let shared = SharedPeriod(seconds: 10, includesVehicles: true, excludesEnd: true)
    /// A thousand pictures have 10 to 30 megabytes.
    static let sharedPictures = SharedPeriod(
        seconds: shared.seconds, includesVehicles: true, maxBytes: 64 << 20, excludesEnd: true)

    let start: Timestamp
    let end: Timestamp

    init(at now: Timestamp) {
        end = Self.shared.end(at: now)
        start = end.adding(seconds: -Self.shared.seconds)
    }
}

struct WidgetContent: Sendable {
    /// The departures of one direction, or of a line at the stop.
    struct Group: Sendable {
        /// Where they go, as the feed calls it; nil without a name, and where there is only one group.
        let name: String?
        let rows: [DepartureEntry]
    }

    let subject: WidgetSubject
    let options: WidgetOptions
    let period: WidgetPeriod
    let feed: TransitFeed
    /// Its departures: on a board a group for each direction of the timetable, so that its form does not depend on the hour.
    let groups: [Group]
    let problem: StationProblem?
    /// Age of the oldest realtime data that is no longer to be trusted; nil if all is.
    let staleSeconds: Double?
    /// The line with its vehicles, for the largest size.
    let sketch: LineSketch?

    init(
        _ subject: WidgetSubject, _ options: WidgetOptions, _ view: TransitView
    ) {
        let period = WidgetPeriod(at: view.now)
        let board = Self.board(subject, options, view, at: period.start)
        self.subject = subject
        self.options = options
        self.period = period
        feed = view.feed
        groups = Self.groups(of: board, subject, options, view.feed)
        problem = board.problem
        let stale = view.snapshot.sources.map { SourceStatus($0, at: view.now) }.filter(\.isStale)
        staleSeconds = stale.compactMap(\.ageSeconds).max()
        sketch =
            options.size == .large && !options.isCompact
            ? subject.route.flatMap {
                LineSketch(of: $0, at: subject.stop, options.direction, view)
            }
            : nil
    }

    var stop: TransitStop { feed[subject.stop] }
    var line: TransitRoute? { subject.route.map { feed[$0] } }
    var texts: WidgetTexts { .of(options.language) }
    /// The next that stops; nil if nothing is coming.
    var next: DepartureEntry? { rows.first { $0.departure.isServed } }
    /// The departures of all directions.
    var rows: [DepartureEntry] { groups.flatMap(\.rows) }
    /// Whether times are known from the timetable alone, because no feed answers.
    var isTimetableOnly: Bool {
        guard case .apiError = problem else { return false }
        return rows.allSatisfy { $0.departure.origin == nil }
    }
    /// Why nothing departs, in English; nil where the timetable has no reason, or in another language.
    var reason: String? {
        guard options.language == .english, case .noData(let reason) = problem else { return nil }
        return reason
    }

    /// Seconds until a departure leaves, or arrives where it ends; nil if nothing stops.
    func secondsLeft(_ entry: DepartureEntry) -> Int? {
        entry.departure.secondsLeft(at: period.end)
    }

    /// A time by the agency's clock.
    func clock(_ time: Timestamp) -> String {
        PageTexts.of(options.language).clock(secondOfDay: feed.zone.civil(at: time).secondOfDay)
    }

    private static func board(
        _ subject: WidgetSubject, _ options: WidgetOptions, _ view: TransitView, at time: Timestamp
    ) -> StopBoardDocument {
        var query = BoardQuery()
        query.route = subject.route
        query.direction = options.direction
        query.onTimeSeconds = options.onTimeSeconds
        // A line's last stop is a stop like others; on a board what ends there is left out.
        query.includesArrivals = subject.route != nil
        if subject.route == nil { query.limitPerDirection = options.rows }
        let board = view.snapshot.board(of: subject.stop, at: time, query, holding: view.bridges)
        return StopBoardDocument(
            board, view.snapshot, envelope: view.envelope(about: time), bridges: view.bridges)
    }

    private static func groups(
        of board: StopBoardDocument, _ subject: WidgetSubject, _ options: WidgetOptions,
        _ feed: TransitFeed
    ) -> [Group] {
        guard subject.route == nil else {
            // A cancelled trip is no arrival.
            let rows = board.departures.filter(\.departure.isServed).prefix(options.rows)
            return [Group(name: nil, rows: Array(rows))]
        }
        let directions = options.direction.map { [$0] } ?? feed.directions(at: subject.stop)
        let groups = directions.map { direction in
            Group(
                name: directions.count > 1 ? board.directionNames[direction] : nil,
                rows: board.departures.filter { $0.departure.direction == direction })
        }
        let others = board.departures.filter { entry in
            !directions.contains { $0 == entry.departure.direction }
        }
        return groups.isEmpty || !others.isEmpty
            ? groups + [Group(name: nil, rows: others)] : groups
    }
}
