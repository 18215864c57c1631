// Ranks packed routes with a forecast, a thousand in under a millisecond: the hot path of a route service.
public import BridgecastCore
internal import CBridgecastKernels

/// The figures of one route of a set.
public struct RouteFigures: Sendable, Equatable {
    /// Travel time, minutes, delays at bridges included: mean and quantiles.
    public var expectedMinutes, p50Minutes, p80Minutes, p90Minutes, p95Minutes: Float
    /// Probability of arriving by the deadline, 0...1; 1 without one.
    public var probabilityOnTime: Float
    /// Probability of a delay at any bridge, 0...1.
    public var probabilityStopped: Float
    /// Expected delay at all bridges, minutes.
    public var idleMinutes: Float
    /// Weighted sum of the criteria, minutes; less is better.
    public var score: Float

    static let none = RouteFigures(
        expectedMinutes: 0, p50Minutes: 0, p80Minutes: 0, p90Minutes: 0, p95Minutes: 0,
        probabilityOnTime: 0, probabilityStopped: 0, idleMinutes: 0, score: 0)
}

/// Scores and ranks the routes of a set; holds the memory for it, so it belongs to one task.
///
/// The travel times of stretches, gamma distributed with each its mean and spread, and the delays at
/// bridges, each looked up at the arrival that the earlier steps imply, are convolved in steps of a
/// minute; sums over them are accurate to about a second. Given the forecast, delays at different
/// bridges are taken as independent (`bridgecast evaluate --routes` measures how far they are).
public struct RouteScorer: Sendable {
    /// Figures by route, in the order of the set.
    public private(set) var figures: [RouteFigures] = []
    /// Indices into the set, the best route first; equal ones in order of expected time, then of the set.
    public private(set) var order: [Int] = []

    private let kernels: RouteKernels
    private var tables = DelayTables()
    private var raw: [bck_route_figures] = []
    private var scratch: [Float] = []
    private var sorter = ScoreOrder()

    /// Creates a scorer.
    ///
    /// - Parameter instructionSet: One of ``InstructionSet/available``.
    public init(instructionSet: InstructionSet = .preferred) {
        kernels = RouteKernels(instructionSet)
    }

    /// Scores and ranks all routes of a set: into ``figures`` and ``order``.
    ///
    /// Allocates nothing once it has seen a set as large.
    /// - Parameters:
    ///   - forecasts: Issued at `issueTime`, reaching as far as the departure and
    ///     ``RouteSet/farthestMinutes``; what it does not reach is taken as its last lead.
    ///   - departure: Not before `issueTime`.
    ///   - deadline: When one wants to be there; nil if that does not matter.
    ///   - openingsPerDay: By bridge, from ``Climatology/openingsPerDay(on:)``.
    /// - Complexity: Linear in the routes.
    public mutating func rank(
        _ set: RouteSet, with forecasts: ForecastTable, issueTime: Timestamp,
        leaving departure: Timestamp,
        arriveBy deadline: Timestamp? = nil, weights: RouteWeights = .standard,
        openingsPerDay: [Float] = []
    ) {
        var none: [bck_crossing_figures]?
        rank(
            set, with: forecasts, issueTime: issueTime, leaving: departure, arriveBy: deadline,
            weights: weights, openingsPerDay: openingsPerDay, crossings: &none)
    }

    /// The same, with the crossings of all routes in order, unless nil is handed in.
    mutating func rank(
        _ set: RouteSet, with forecasts: ForecastTable, issueTime: Timestamp,
        leaving departure: Timestamp, arriveBy deadline: Timestamp?, weights: RouteWeights,
        openingsPerDay: [Float], crossings: inout [bck_crossing_figures]?
    ) {
        score(set, forecasts, issueTime, departure, deadline, &crossings)
        conclude(set, PackedWeights(weights), openingsPerDay)
        sorter.sort(set.count, into: &order) {
            figures[$0].score
        } then: {
            figures[$0].expectedMinutes
        }
    }

    private mutating func score(
        _ set: RouteSet, _ forecasts: ForecastTable, _ issueTime: Timestamp, _ departure: Timestamp,
        _ deadline: Timestamp?, _ crossings: inout [bck_crossing_figures]?
    ) {
        let start = max(0, departure.minutes(since: issueTime))
        tables.fill(set, from: forecasts, startMinutes: start, kernels)
        if raw.count != set.count {
            raw = Array(repeating: bck_route_figures(), count: set.count)
            figures = Array(repeating: .none, count: set.count)
        }
        let cells = deadline.map {
            Float($0.minutes(since: departure) * 60 / RouteSet.cellSeconds)
        }
        kernels.score(
            set, tables, deadlineCells: cells ?? .infinity, into: &raw, crossings: &crossings,
            scratch: &scratch)
    }

    private mutating func conclude(
        _ set: RouteSet, _ weights: PackedWeights, _ openingsPerDay: [Float]
    ) {
        let minutes = Float(RouteSet.cellSeconds / 60)
        for (index, raw) in raw.enumerated() {
            var figure = RouteFigures(
                expectedMinutes: raw.mean * minutes, p50Minutes: raw.p50 * minutes,
                p80Minutes: raw.p80 * minutes, p90Minutes: raw.p90 * minutes,
                p95Minutes: raw.p95 * minutes, probabilityOnTime: raw.by_deadline,
                probabilityStopped: max(0, 1 - raw.unstopped), idleMinutes: raw.delay * minutes,
                score: 0)
            let openings =
                weights.openings == 0 ? 0 : set.openingsPerDay(ofRoute: index, openingsPerDay)
            figure.score = weights.score(figure, openings: openings)
            figures[index] = figure
        }
    }
}

/// Weights without a dictionary.
private struct PackedWeights {
    let expected, p50, p80, p90, p95, late, stopped, openings, idle: Float

    init(_ weights: RouteWeights) {
        func weight(_ criterion: RouteCriterion) -> Float { Float(weights[criterion]) }
        expected = weight(.expectedMinutes)
        (p50, p80) = (weight(.p50Minutes), weight(.p80Minutes))
        (p90, p95) = (weight(.p90Minutes), weight(.p95Minutes))
        late = weight(.probabilityLate)
        stopped = weight(.probabilityStopped)
        openings = weight(.openingsPerDay)
        idle = weight(.idleMinutes)
    }

    func score(_ figures: RouteFigures, openings count: Float) -> Float {
        let times =
            expected * figures.expectedMinutes + p50 * figures.p50Minutes + p80 * figures.p80Minutes
            + p90 * figures.p90Minutes + p95 * figures.p95Minutes
        return max(
            0,
            times + late * (1 - figures.probabilityOnTime) + stopped * figures.probabilityStopped
                + idle * figures.idleMinutes + openings * count)
    }
}

extension RouteSet {
    /// Openings a day of all bridges on a route.
    func openingsPerDay(ofRoute route: Int, _ perBridge: [Float]) -> Float {
        var sum: Float = 0
        for step in Int(starts[route])..<Int(starts[route + 1]) where steps[step].table >= 0 {
            sum += perBridge[tables[Int(steps[step].table)].bridge.rawValue]
        }
        return sum
    }
}
