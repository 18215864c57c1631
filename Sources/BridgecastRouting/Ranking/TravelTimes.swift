// The whole distribution of a route's travel time, of which a ranking has four quantiles.
public import BridgecastCore
internal import BridgecastEngine
internal import CBridgecastKernels
private import Foundation

/// The travel time of one route as a distribution, delays at bridges included.
///
/// A cell stands for the time in its middle. Between the middles the distribution function is a cubic, so that
/// quantiles are those of ``RouteFigures``, which are computed so too.
public struct TravelTimeDistribution: Sendable, Equatable {
    /// The time of the first cell, minutes after the departure.
    public let startMinutes: Double
    /// From a cell to the next, seconds: 60, but less where all of the distribution would lie
    /// within a minute or two.
    public let secondsPerCell: Double
    /// The probability of each cell, never empty; what is integrated by rule may be a little below zero.
    public let probabilities: [Double]
    /// The sums of the probabilities up to each cell.
    private let sums: [Double]

    init(startMinutes: Double, secondsPerCell: Double, probabilities: [Double]) {
        self.startMinutes = startMinutes
        self.secondsPerCell = secondsPerCell
        self.probabilities = probabilities
        var sum = 0.0
        sums = probabilities.map { share in
            sum += share
            return sum
        }
    }

    /// A normal distribution, which is what ``RouteScorer`` takes a single short stretch for.
    init(meanMinutes: Double, spreadMinutes: Double) {
        let reach = 32
        // Four cells to a spread; without a spread there is still a width, of a thousandth of a second.
        let cell = max(spreadMinutes / 4, 1e-3 / 60)
        let weights = (-reach...reach).map { position -> Double in
            guard spreadMinutes > 0 else { return position == 0 ? 1 : 0 }
            return exp(-Double(position * position) / 32)
        }
        let sum = weights.reduce(0, +)
        self.init(
            startMinutes: meanMinutes - Double(reach) * cell, secondsPerCell: cell * 60,
            probabilities: weights.map { $0 / sum })
    }

    /// The travel time in minutes that is not exceeded with a probability, 0...1.
    public func quantileMinutes(_ probability: Double) -> Double {
        let below = sums.partitioningIndex { $0 >= probability }
        let piece = Piece(of: self, cumulative(at: below) >= probability ? below - 1 : below)
        let cells = Double(piece.cell) + piece.position(of: probability)
        return max(0, startMinutes + cells * secondsPerCell / 60)
    }

    /// The travel times in minutes that are not exceeded with the probabilities of ``QuantileLevels/all``, in order.
    public var quantilesMinutes: [Double] {
        var latest = 0.0
        return QuantileLevels.all.map { level in
            latest = max(latest, quantileMinutes(level))
            return latest
        }
    }

    /// The probability of at most `minutes`, 0...1.
    public func cumulative(atMinutes minutes: Double) -> Double {
        let cells = (minutes - startMinutes) * 60 / secondsPerCell
        guard cells > -1 else { return 0 }
        guard cells < Double(probabilities.count) else { return 1 }
        let piece = Piece(of: self, Int(cells.rounded(.down)))
        return min(max(piece.value(at: cells - Double(piece.cell)), 0), 1)
    }

    private func share(_ cell: Int) -> Double {
        probabilities.indices.contains(cell) ? probabilities[cell] : 0
    }

    /// The distribution function at a cell: the sum, with the end correction of Euler and Maclaurin.
    private func cumulative(at cell: Int) -> Double {
        guard cell >= 0 else { return 0 }
        guard cell < sums.count else { return 1 }
        return sums[cell] - share(cell) / 2 - (share(cell + 1) - share(cell - 1)) / 24
    }

    /// The distribution function from a cell to the next: a cubic whose slopes there are the density.
    ///
    /// `cubic` and `quantiles` in CBridgecastKernels/templates/routes.h are the same for the figures of a ranking: a change
    /// here is one there.
    private struct Piece {
        let cell: Int
        private let start, rise, slope, square, cube: Double

        init(of distribution: TravelTimeDistribution, _ cell: Int) {
            self.cell = cell
            start = distribution.cumulative(at: cell)
            rise = distribution.cumulative(at: cell + 1) - start
            slope = distribution.share(cell)
            let end = distribution.share(cell + 1)
            square = 3 * rise - 2 * slope - end
            cube = slope + end - 2 * rise
        }

        func value(at position: Double) -> Double {
            start + position * (slope + position * (square + position * cube))
        }

        /// Where between the cells, 0...1, a probability is reached.
        func position(of probability: Double) -> Double {
            guard rise > 0 else { return 0.5 }
            var position = (probability - start) / rise
            for _ in 0..<3 {
                let steepness = slope + position * (2 * square + position * 3 * cube)
                if steepness > 1e-9 { position -= (value(at: position) - probability) / steepness }
                position = min(max(position, 0), 1)
            }
            return position
        }
    }
}

// MARK: - With a table at hand

extension ForecastTable {
    /// The distributions of the travel times of a few routes, in their order; of those that are shown, say.
    ///
    /// Their quantiles are those of ``RouteFigures``, to a second. A route takes a few microseconds.
    /// - Parameters:
    ///   - routes: Routes that the table ranks, such as those of a ranking's scores.
    ///   - departure: Not before the issue time; the table reaches ``RouteSet/reachMinutes`` beyond it.
    /// - Throws: ``RankingError``.
    public func travelTimes(
        of routes: [Route], leaving departure: Timestamp
    ) throws(RankingError) -> [TravelTimeDistribution] {
        try travelTimes(of: .packing(routes), leaving: departure)
    }

    /// The same for routes that are packed already.
    func travelTimes(
        of set: RouteSet, leaving departure: Timestamp
    ) throws(RankingError) -> [TravelTimeDistribution] {
        let start = try startMinutes(of: set, leaving: departure)
        let kernels = RouteKernels(.preferred)
        var tables = DelayTables()
        var memory = RouteMemory()
        tables.fill(set, from: self, startMinutes: start, kernels)
        return kernels.travelTimes(of: set, tables, memory: &memory)
    }

    /// - Throws: ``RankingError`` if the table cannot answer for the routes of a set.
    func startMinutes(
        of set: RouteSet, leaving departure: Timestamp
    ) throws(RankingError) -> Double {
        let start = departure.minutes(since: issueTime)
        do throws(ForecastTableError) {
            try check(modes: set.modes, fromMinutes: start, toMinutes: start + set.reachMinutes)
        } catch {
            throw .table(error)
        }
        return start
    }
}

extension TravelTimeDistribution {
    /// From what the kernel says; a route of one short stretch or of none has no cells.
    init(_ cells: bck_route_cells, only: bck_route_step) {
        let minutes = RouteSet.cellSeconds / 60
        guard unsafe cells.count > 0 else {
            self.init(
                meanMinutes: Double(only.mean) * minutes,
                spreadMinutes: Double(only.spread) * minutes)
            return
        }
        let density = unsafe UnsafeBufferPointer(start: cells.density, count: Int(cells.count))
        unsafe self.init(
            startMinutes: Double(cells.first) * minutes, secondsPerCell: RouteSet.cellSeconds,
            probabilities: density.map(Double.init))
    }
}
