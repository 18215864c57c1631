// The whole travel times of a few routes, computed only where they are asked for.
public import BridgecastCore

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
        let set = try RouteSet.packing(routes)
        let start = try startMinutes(of: set, leaving: departure)
        let kernels = RouteKernels(.preferred)
        var (tables, memory) = (DelayTables(), RouteMemory())
        tables.fill(set, from: self, startMinutes: start, kernels)
        return kernels.travelTimes(of: set, tables, memory: &memory)
    }

    /// Minutes from the issue time to a departure.
    ///
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
