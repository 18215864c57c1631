// Routes travelled together in the same thousand cases: what comparisons are counted from.
internal import BridgecastCore
internal import CBridgecastKernels

/// The times of up to ``RouteComparison/mostRoutes`` routes in the cases of ``LatticePoints``, leaving together.
///
/// Stretches of travel are independent of each other, those of different routes too, even where both take the same
/// road. So are delays at different bridges. At the same bridge who arrives later meets what ``CrossingDelays`` leaves
/// possible after the one who arrived last before him.
struct JointTrips {
    /// Minutes before the last stretch, and in all: [route][point].
    private(set) var before: [Float]
    private(set) var total: [Float]
    /// The last stretch of each route, which `before` does not contain.
    private(set) var lastStretches: [StretchTime] = []

    private struct Crossing {
        /// The stretch that leads there.
        let stretch: StretchTime
        let table: Int
        /// Of the stretch and of the delay.
        let stretchGenerator, delayGenerator: Int
    }

    /// Of all routes, one after another: those of route r are starts[r] ..< starts[r + 1].
    private var crossings: [Crossing] = []
    private var starts = [0]

    /// - Parameter density: Degree of saturation by table of the set.
    init(_ set: RouteSet, with forecasts: ForecastTable, startMinutes: Double, density: [Double]) {
        precondition(set.count <= RouteComparison.mostRoutes)
        before = Array(repeating: 0, count: set.count * LatticePoints.count)
        total = before
        for route in 0..<set.count { append(route, of: set) }
        let delays = CrossingDelays(
            set.tables, from: forecasts, startMinutes: startMinutes, lastMinute: set.arrivalCells,
            density: density)
        let shared = sharing(tables: set.tables.count)
        for route in 0..<set.count where !shared.contains(route) { travel(route, delays) }
        if !shared.isEmpty { travel(shared, delays, tables: set.tables.count) }
        for route in 0..<set.count { addLastStretch(route) }
    }

    private mutating func append(_ route: Int, of set: RouteSet) {
        var stretch = StretchTime.none
        for step in set.steps[Int(set.starts[route])..<Int(set.starts[route + 1])] {
            guard step.table >= 0 else {
                stretch = StretchTime(step)
                continue
            }
            // Last stretches have the first dimensions; then come the first crossings of all routes, and so on.
            let place = crossings.count - starts[route]
            let dimension = set.count + 2 * (place * set.count + route)
            crossings.append(
                Crossing(
                    stretch: stretch, table: Int(step.table),
                    stretchGenerator: LatticePoints.generator(dimension),
                    delayGenerator: LatticePoints.generator(dimension + 1)))
            stretch = .none
        }
        starts.append(crossings.count)
        lastStretches.append(stretch)
    }

    private func crossings(of route: Int) -> Range<Int> { starts[route]..<starts[route + 1] }

    /// The routes that cross a bridge which another one crosses too.
    private func sharing(tables: Int) -> [Int] {
        let own = lastStretches.indices.map { route in
            Set(crossings(of: route).map { crossings[$0].table })
        }
        return own.indices.filter { route in
            own.indices.contains { $0 != route && !own[$0].isDisjoint(with: own[route]) }
        }
    }

    /// A route that shares no bridge.
    private mutating func travel(_ route: Int, _ delays: CrossingDelays) {
        let normal = LatticePoints.normal
        let start = route * LatticePoints.count
        for number in crossings(of: route) {
            let crossing = crossings[number]
            for point in 0..<LatticePoints.count {
                var time = before[start + point]
                let place = LatticePoints.share(ofPoint: point, crossing.stretchGenerator)
                time += crossing.stretch.minutes(normal[place])
                let chance = LatticePoints.share(ofPoint: point, crossing.delayGenerator)
                time += delays.delay(
                    at: time, of: crossing.table, LatticePoints.uniform(chance))
                before[start + point] = time
            }
        }
    }

    /// Somebody at a bridge, whom the next one there comes after.
    private struct Latest {
        var route = -1
        var arrival = CrossingDelays.Arrival(minutes: 0, delay: 0)
    }

    /// Routes that share bridges: in every case crossing after crossing, in the order of arrival.
    private mutating func travel(_ routes: [Int], _ delays: CrossingDelays, tables: Int) {
        let (crossings, normal) = (crossings, LatticePoints.normal)
        let ranges = routes.map { self.crossings(of: $0) }
        var latest = [Latest](repeating: Latest(), count: tables)
        // By place among the routes: its next crossing, and the minutes of the arrival there; infinite after the last.
        var next = InlineArray<8, Int>(repeating: 0)
        var arrivals = InlineArray<8, Float>(repeating: 0)
        for point in 0..<LatticePoints.count {
            for table in 0..<tables { latest[table] = Latest() }
            func arrive(_ place: Int, from time: Float) {
                guard next[place] < ranges[place].upperBound else {
                    arrivals[place] = .infinity
                    return
                }
                let crossing = crossings[next[place]]
                let share = LatticePoints.share(ofPoint: point, crossing.stretchGenerator)
                arrivals[place] = time + crossing.stretch.minutes(normal[share])
            }
            for place in 0..<routes.count {
                next[place] = ranges[place].lowerBound
                arrive(place, from: 0)
            }
            while true {
                var first = 0
                for place in 1..<routes.count where arrivals[place] < arrivals[first] {
                    first = place
                }
                let (route, time) = (routes[first], arrivals[first])
                guard time < .infinity else { break }
                let crossing = crossings[next[first]]
                let chance = LatticePoints.uniform(
                    LatticePoints.share(ofPoint: point, crossing.delayGenerator))
                let earlier = latest[crossing.table]
                // Who crosses a bridge twice is forecast anew.
                let delay =
                    earlier.route < 0 || earlier.route == route
                    ? delays.delay(at: time, of: crossing.table, chance)
                    : delays.delay(at: time, of: crossing.table, after: earlier.arrival, chance)
                latest[crossing.table] = Latest(
                    route: route, arrival: CrossingDelays.Arrival(minutes: time, delay: delay))
                before[route * LatticePoints.count + point] = time + delay
                next[first] += 1
                arrive(first, from: time + delay)
            }
        }
    }

    private mutating func addLastStretch(_ route: Int) {
        let (stretch, normal) = (lastStretches[route], LatticePoints.normal)
        let generator = LatticePoints.generator(route)
        let start = route * LatticePoints.count
        for point in 0..<LatticePoints.count {
            let place = LatticePoints.share(ofPoint: point, generator)
            total[start + point] = before[start + point] + stretch.minutes(normal[place])
        }
    }
}
