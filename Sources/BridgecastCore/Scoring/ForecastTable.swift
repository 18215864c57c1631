// Delay distributions of every bridge at a grid of leads: one inference, then only look-ups.

/// Forecasts by bridge and lead time; routes look them up at their arrival times.
public struct ForecastTable: Sendable {
    /// Minutes between the leads of the grid in the first hour.
    public static let fineStepMinutes = 5.0
    /// The leads of the grid in minutes: 0, 2, then every 5 to 60, then every 15 to `longest`.
    public let leadsMinutes: [Double]
    /// [mode: queueing or not][bridge][lead].
    private let distributions: [[[DelayDistribution]]]

    /// The grid of leads that covers arrivals up to so many minutes ahead.
    public static func leads(upTo minutes: Double) -> [Double] {
        var leads = [0.0, 2] + stride(from: fineStepMinutes, through: 60, by: fineStepMinutes)
        while let last = leads.last, last < minutes { leads.append(last + 15) }
        return leads
    }

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - leadsMinutes: Increasing, starting at 0.
    ///   - distributions: [with queueing first, then without][bridge][lead].
    public init(leadsMinutes: [Double], distributions: [[[DelayDistribution]]]) {
        precondition(leadsMinutes.first == 0, "the grid starts now")
        precondition(
            distributions.count == 2
                && distributions.allSatisfy { table in
                    table.count == BridgeCatalogue.count
                        && table.allSatisfy { $0.count == leadsMinutes.count }
                }, "one distribution per bridge and lead")
        self.leadsMinutes = leadsMinutes
        self.distributions = distributions
    }

    /// The delay at a bridge for an arrival at a lead of the grid.
    package func delay(
        at bridge: BridgeIndex, leadIndex: Int, queues: Bool
    ) -> DelayDistribution {
        distributions[queues ? 0 : 1][bridge.rawValue][leadIndex]
    }

    /// The delay at a bridge for an arrival so many minutes after the issue time, interpolated
    /// between the leads of the grid; beyond its end the last holds.
    public func delay(
        at bridge: BridgeIndex, leadMinutes: Double, queues: Bool
    ) -> DelayDistribution {
        let row = distributions[queues ? 0 : 1][bridge.rawValue]
        let upper = leadsMinutes.partitioningIndex { $0 > leadMinutes }
        guard upper > 0 else { return row[0] }
        guard upper < leadsMinutes.count else { return row[row.count - 1] }
        let (low, high) = (leadsMinutes[upper - 1], leadsMinutes[upper])
        return row[upper - 1].mixed(with: row[upper], weight: (leadMinutes - low) / (high - low))
    }
}
