// A line as a screen observes it: its patterns, its vehicles, and the next arrivals at a favourite stop.
public import BridgecastCore
public import Observation

/// A line with its vehicles, or all vehicles of a timetable.
///
/// ```swift
/// let line = LineModel(of: route, in: timetable, favourite: stop, at: .now)
/// line.start(poller)
/// ```
///
/// Vehicles keep their models while they are in the feed, so that observers stay attached.
@MainActor @Observable public final class LineModel: TransitModel {
    /// The line; nil for all lines of the timetable.
    public private(set) var route: TransitRoute?
    /// Its patterns with their stops; empty for all lines.
    public private(set) var patterns: [RoutePattern] = []
    /// Its vehicles in the order of the feeds; changes only if vehicles are added, removed or reordered.
    public private(set) var vehicles: [VehicleModel] = []
    /// The stop of ``nextArrivals``.
    public private(set) var favourite: TransitStop?
    /// The next arrivals at ``favourite``, at most ``maxArrivals``, those of trips that end there included; cancelled ones and
    /// those that pass by are not arrivals.
    public private(set) var nextArrivals: [Departure] = []
    /// Whether it is current.
    public private(set) var phase = TransitPhase.loading
    /// Why a feed fails, or that the timetable has lost the line; nil if nothing is wrong.
    public private(set) var problem: StationProblem?
    /// The time for which it is shown.
    public private(set) var now: Timestamp

    /// The snapshot that is shown.
    @ObservationIgnored public private(set) var snapshot: TransitSnapshot
    /// Bridges that may hold vehicles before ``favourite``.
    @ObservationIgnored public var bridges: TransitBridges?
    /// The tasks that keep it up to date.
    public let updates = TransitUpdates()

    /// The maximum number of arrivals in ``nextArrivals``.
    public nonisolated static let maxArrivals = 3

    /// Whether a poller has published anything.
    @ObservationIgnored private var hasNews = false
    /// Whether the newest timetable does not have the line.
    @ObservationIgnored private var isLost = false

    /// Shows a line as the timetable has it now.
    ///
    /// - Parameters:
    ///   - route: The line; nil for all.
    ///   - favourite: The stop or station of ``nextArrivals``; nil for none.
    /// - Complexity: As ``TransitFeed/patterns(of:)``.
    public init(
        of route: RouteIndex?, in timetable: LiveTimetable, favourite: StopIndex? = nil,
        at now: Timestamp
    ) {
        self.now = now
        snapshot = timetable.snapshot
        self.route = route.map { timetable.feed[$0] }
        self.favourite = favourite.map { timetable.feed[$0] }
        patterns = route.map { timetable.feed.patterns(of: $0).all } ?? []
        takeVehicles()
        update(at: now)
    }

    /// The stops of its patterns, each once, those of the first pattern first.
    public var stops: [TransitStop] {
        var seen: Set<StopIndex> = []
        return patterns.flatMap(\.stops).filter { seen.insert($0).inserted }
            .map { snapshot.feed[$0] }
    }

    /// Chooses the stop of ``nextArrivals``, of the timetable of ``snapshot``; nil for none.
    public func setFavourite(_ stop: StopIndex?) {
        assign(stop.map { snapshot.feed[$0] }, to: \.favourite, of: self)
        update(at: now)
    }

    /// Shows a newer snapshot; of another timetable, the line and the stop with the same identifiers.
    ///
    /// If that timetable does not have the line, ``problem`` is ``StationProblem/noData(reason:)``.
    public func show(_ snapshot: TransitSnapshot, at now: Timestamp) {
        hasNews = true
        isLost = !use(snapshot.feed)
        if !isLost {
            self.snapshot = snapshot
            takeVehicles()
        }
        update(at: now)
    }

    /// Moves vehicles, and shows the next arrivals, as of a time.
    public func update(at now: Timestamp) {
        assign(now, to: \.now, of: self)
        guard !isLost else { return showLoss() }
        for vehicle in vehicles { vehicle.update(at: now, in: snapshot) }
        assign(arrivals(at: now), to: \.nextArrivals, of: self)
        assign(snapshot.phase(at: now, hasNews: hasNews), to: \.phase, of: self)
        assign(snapshot.feedProblem, to: \.problem, of: self)
    }

    private func showLoss() {
        if !vehicles.isEmpty { vehicles = [] }
        assign([], to: \.nextArrivals, of: self)
        assign(
            .noData(reason: "the timetable no longer has this line"), to: \.problem, of: self)
    }

    private func arrivals(at now: Timestamp) -> [Departure] {
        guard let favourite else { return [] }
        var query = BoardQuery()
        query.route = route?.index
        query.includesArrivals = true
        let board = snapshot.board(of: favourite.index, at: now, query, holding: bridges)
        return Array(board.departures.lazy.filter(\.isServed).prefix(Self.maxArrivals))
    }

    /// Finds the line and the stop in a timetable; whether it has the line.
    private func use(_ feed: TransitFeed) -> Bool {
        guard feed !== snapshot.feed else { return true }
        if let route {
            guard let index = feed.route(route.id) else { return false }
            assign(feed[index], to: \.route, of: self)
            patterns = feed.patterns(of: index).all
        }
        // Their places are on paths of the old timetable.
        if !vehicles.isEmpty { vehicles = [] }
        let stop = favourite.flatMap { feed.stop($0.id) }
        assign(stop.map { feed[$0] }, to: \.favourite, of: self)
        return true
    }

    /// Takes the vehicles of the snapshot; those that are known keep their models.
    private func takeVehicles() {
        let known = Dictionary(vehicles.map { ($0.id, $0) }) { first, _ in first }
        var counts: [String: Int] = [:]
        var shown: [VehicleModel] = []
        for (index, vehicle) in snapshot.vehicles.enumerated() {
            guard route == nil || vehicle.route == route?.index else { continue }
            let name = vehicle.trackingName
            counts[name, default: 0] += 1
            let count = counts[name] ?? 1
            let id = count == 1 ? name : "\(name) #\(count)"
            let model = known[id] ?? VehicleModel(id: id, index, in: snapshot)
            model.take(index, in: snapshot)
            shown.append(model)
        }
        if !shown.elementsEqual(vehicles, by: ===) { vehicles = shown }
    }
}
