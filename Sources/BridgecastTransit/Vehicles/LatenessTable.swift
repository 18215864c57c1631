// What the past says of lateness: how late each route has been at each hour, and how much that changes on the way.
internal import BridgecastCore

/// How late a route usually is, as far as it was seen.
public struct UsualLateness: Sendable, Hashable {
    /// Expected seconds late; negative if early.
    public let meanSeconds: Double
    /// One standard deviation, seconds.
    public let spreadSeconds: Double
    /// How many observations it is from.
    public let observations: Int
}

/// Lateness by route and hour, learned as it is seen.
///
/// Of bounded size: ``mostCells`` pairs of a route and an hour; of what exceeds them the changes alone count, in what is
/// known of all routes.
public struct LatenessTable: Sendable {
    /// Pairs of a route and an hour that are kept.
    public static let mostCells = 20_000
    /// Observations below which nothing is said of a route at an hour.
    public static let leastObservations = 5

    /// The ends of the stretches of time ahead for which changes of lateness are kept apart, seconds.
    static let horizonEnds = [300.0, 600, 1200, 2400, .infinity]

    /// By route and hour; boards look here for every run that nobody speaks of.
    private var cells: [Int: RunningMoments] = [:]
    /// By route and hour, and then by stretch of time ahead.
    private var changes: [Int: [RunningMoments]] = [:]
    private var allChanges = Self.noChanges

    private static let noChanges = [RunningMoments](
        repeating: RunningMoments(), count: horizonEnds.count)

    package init() {}

    /// How late a route usually is at an hour of the service day, 0...23; nil if it was seen fewer than
    /// ``leastObservations`` times then.
    public func usual(_ route: RouteIndex, hour: Int) -> UsualLateness? {
        guard let moments = cells[Self.key(route, hour)],
            moments.count >= Self.leastObservations
        else { return nil }
        return UsualLateness(
            meanSeconds: moments.mean, spreadSeconds: moments.variance.squareRoot(),
            observations: moments.count)
    }

    /// Takes how late a run of a route was.
    package mutating func learn(lateness: Double, of route: RouteIndex, hour: Int) {
        let key = Self.key(route, hour)
        guard cells.count < Self.mostCells || cells[key] != nil else { return }
        cells[key, default: RunningMoments()].add(lateness)
    }

    /// Takes by how much the lateness of a run changed in some seconds.
    package mutating func learn(
        change: Double, in seconds: Double, of route: RouteIndex, hour: Int
    ) {
        let stretch = Self.stretch(seconds)
        allChanges[stretch].add(change)
        let key = Self.key(route, hour)
        guard changes.count < Self.mostCells || changes[key] != nil else { return }
        changes[key, default: Self.noChanges][stretch].add(change)
    }

    /// How much lateness will change in some seconds: what is expected, and one standard deviation of it.
    ///
    /// What little is known of a route at an hour is weighed with what is known of all, and that with a rule of thumb:
    /// 30 s and a tenth of the time ahead.
    package func change(
        in seconds: Double, of route: RouteIndex, hour: Int
    ) -> (mean: Double, spread: Double) {
        changes(of: route, hour: hour).change(in: seconds)
    }

    /// The same for all stops of a run: what is known of its route at its hour is looked up once.
    func changes(of route: RouteIndex, hour: Int) -> Changes {
        Changes(own: changes[Self.key(route, hour)], all: allChanges)
    }

    /// How lateness changes on a route at an hour.
    struct Changes {
        /// By stretch of time ahead; nil where nothing is known of the route then.
        let own: [RunningMoments]?
        let all: [RunningMoments]

        /// As ``LatenessTable/change(in:of:hour:)``.
        func change(in seconds: Double) -> (mean: Double, spread: Double) {
            let stretch = LatenessTable.stretch(seconds)
            let thumb = 30 + 0.1 * max(0, seconds)
            let all = all[stretch].blended(
                withMean: 0, variance: thumb * thumb, weight: LatenessTable.weight)
            let both = (own?[stretch] ?? RunningMoments()).blended(
                withMean: all.mean, variance: all.variance, weight: LatenessTable.weight)
            return (both.mean, both.variance.squareRoot())
        }
    }

    /// Observations that what is known in general counts as.
    private static let weight = 20.0

    private static func key(_ route: RouteIndex, _ hour: Int) -> Int {
        route.position * 24 + ((hour % 24) + 24) % 24
    }

    private static func stretch(_ seconds: Double) -> Int {
        horizonEnds.firstIndex { seconds < $0 } ?? horizonEnds.count - 1
    }
}

/// Mean and variance of numbers that come one by one; of more than ``memory`` the older ones fade.
struct RunningMoments: Sendable {
    /// As many as a mean remembers.
    static let memory = 500

    private(set) var count = 0
    private(set) var mean = 0.0
    private(set) var variance = 0.0

    /// Welford's method (1962) with a weight that no longer falls once ``memory`` is reached.
    mutating func add(_ value: Double) {
        count = min(count + 1, Int.max - 1)
        let weight = 1 / Double(min(count, Self.memory))
        let away = value - mean
        mean += weight * away
        variance = (1 - weight) * (variance + weight * away * away)
    }

    /// Mean and mean square around it, where something known before counts as so many numbers.
    func blended(
        withMean known: Double, variance knownVariance: Double, weight: Double
    ) -> (mean: Double, variance: Double) {
        let own = Double(min(count, Self.memory))
        let both = (own * mean + weight * known) / (own + weight)
        let square =
            own * (variance + (mean - both) * (mean - both))
            + weight * (knownVariance + (known - both) * (known - both))
        return (both, square / (own + weight))
    }
}
