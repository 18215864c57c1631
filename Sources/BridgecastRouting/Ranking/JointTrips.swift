// Trips by several routes at once, simulated in the same cases, so that routes which share bridges can be compared.
internal import BridgecastCore
internal import CBridgecastKernels
private import Foundation

/// The times of up to ``RouteComparison/maxRoutes`` routes in the cases of ``LatticePoints``, leaving together.
///
/// Stretches of travel are independent of each other, those of different routes too, even where both take the same
/// road. So are delays at different bridges. At the same bridge a later arrival meets what ``CrossingDelays`` leaves
/// possible after the arrival before it.
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
        precondition(set.count <= RouteComparison.maxRoutes)
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
            let number = crossings.count - starts[route]
            let dimension = set.count + 2 * (number * set.count + route)
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
                let share = LatticePoints.share(ofPoint: point, crossing.stretchGenerator)
                time += crossing.stretch.minutes(normal[share])
                let chance = LatticePoints.share(ofPoint: point, crossing.delayGenerator)
                time += delays.delay(at: time, of: crossing.table, LatticePoints.uniform(chance))
                before[start + point] = time
            }
        }
    }

    private struct Latest {
        var route = -1
        var arrival = CrossingDelays.Arrival(minutes: 0, delay: 0)
    }

    /// Routes that share bridges: in every case crossing after crossing, in the order of arrival.
    private mutating func travel(_ routes: [Int], _ delays: CrossingDelays, tables: Int) {
        let crossings = crossings
        let normal = LatticePoints.normal
        let ranges = routes.map { self.crossings(of: $0) }
        var latest = [Latest](repeating: Latest(), count: tables)
        // By index in `routes`: the next crossing, and the minutes of the arrival there; infinite after the last.
        var next = InlineArray<8, Int>(repeating: 0)
        var arrivals = InlineArray<8, Float>(repeating: 0)
        for point in 0..<LatticePoints.count {
            for table in 0..<tables { latest[table] = Latest() }
            func arrive(_ member: Int, from time: Float) {
                guard next[member] < ranges[member].upperBound else {
                    arrivals[member] = .infinity
                    return
                }
                let crossing = crossings[next[member]]
                let share = LatticePoints.share(ofPoint: point, crossing.stretchGenerator)
                arrivals[member] = time + crossing.stretch.minutes(normal[share])
            }
            for member in 0..<routes.count {
                next[member] = ranges[member].lowerBound
                arrive(member, from: 0)
            }
            while true {
                var first = 0
                for member in 1..<routes.count where arrivals[member] < arrivals[first] {
                    first = member
                }
                let route = routes[first]
                let time = arrivals[first]
                guard time < .infinity else { break }
                let crossing = crossings[next[first]]
                let chance = LatticePoints.uniform(
                    LatticePoints.share(ofPoint: point, crossing.delayGenerator))
                let earlier = latest[crossing.table]
                // A route that crosses a bridge twice is forecast anew.
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
        let stretch = lastStretches[route]
        let normal = LatticePoints.normal
        let generator = LatticePoints.generator(route)
        let start = route * LatticePoints.count
        for point in 0..<LatticePoints.count {
            let share = LatticePoints.share(ofPoint: point, generator)
            total[start + point] = before[start + point] + stretch.minutes(normal[share])
        }
    }
}

// MARK: - The cases

/// A lattice of 1,024 points, the same in every run.
///
/// In each dimension by itself the points are the middles of 1,024 equal shares. The generators were found one after
/// another by the spectral test: in any two dimensions, and in any three of the first 16, the points lie on as many
/// lines or planes as can be.
enum LatticePoints {
    /// How many there are, a power of two.
    static let count = 1_024

    private static let generators = [
        1, 27, 311, 197, 123, 35, 95, 233, 87, 153, 11, 107, 181, 237, 263, 349, 125, 299, 397,
        497, 317, 89, 173, 265, 335, 327, 333, 495, 117, 295, 329, 499, 121, 309, 365, 155, 307,
        319, 455, 361, 69, 85, 215, 289, 367, 189, 491, 49, 137, 211, 231, 293, 355, 47, 65, 113,
        129, 287, 337, 347, 45, 61, 75, 83,
    ]

    /// Which of the equal shares a point falls into, 0 ..< ``count``.
    @inline(__always)
    static func share(ofPoint point: Int, _ generator: Int) -> Int {
        (point &* generator) & (count - 1)
    }

    /// The generator of a dimension, the most important first; from the 65th on, odd multiples of the first 64, which
    /// are less even.
    static func generator(_ dimension: Int) -> Int {
        let (round, index) = dimension.quotientAndRemainder(dividingBy: generators.count)
        return generators[index] * (2 * round + 1)
    }

    /// The middle of a share, 0...1.
    @inline(__always)
    static func uniform(_ share: Int) -> Float { (Float(share) + 0.5) / Float(count) }

    /// What a standard normal variable does not exceed with the probability of the middle of each share.
    static let normal: [Float] = {
        // Newton's method, from the value before on; the function is concave where it starts, so it never overshoots.
        var values: [Float] = []
        for share in 0..<count / 2 {
            let probability = (Double(share) + 0.5) / Double(count)
            var value = Double(values.last ?? -4)
            for _ in 0..<8 {
                let density = exp(-value * value / 2) / (2 * Double.pi).squareRoot()
                value -= (0.5 * erfc(-value / 2.0.squareRoot()) - probability) / density
            }
            values.append(Float(value))
        }
        return values + values.reversed().map { -$0 }
    }()
}

// MARK: - Stretches

/// The time of a stretch, gamma distributed, by the cubes of Wilson and Hilferty: mean x (1 - c + s z)^3 for a standard
/// normal z.
///
/// With typical spreads that is within a second of the gamma distribution from its 1 % to its 99 % quantile, whatever
/// the length; the mean is kept to two thousandths.
struct StretchTime {
    private let mean, base, slope: Float
    /// Standard deviation, minutes.
    let spread: Float

    static let none = StretchTime(mean: 0, spread: 0)

    /// A stretch of a packed route, whose cells are minutes.
    init(_ step: bck_route_step) {
        self.init(mean: step.mean, spread: step.spread)
    }

    private init(mean: Float, spread: Float) {
        let ratio = mean > 0 ? spread / mean : 0
        self.mean = mean
        self.spread = spread
        base = 1 - ratio * ratio / 9
        slope = ratio / 3
    }

    /// Minutes for a value of a standard normal variable.
    @inline(__always)
    func minutes(_ normal: Float) -> Float {
        let root = max(0, base + slope * normal)
        return mean * root * root * root
    }

    /// The distribution function as a table.
    var distribution: Distribution {
        let low = minutes(-4.5)
        let high = minutes(4.5)
        let step = max((high - low) / Float(Distribution.pieces), 1e-6)
        let values = (0...Distribution.pieces).map { piece -> Float in
            guard spread > 0 else { return piece > 0 ? 1 : 0 }
            let root = cbrtf(max(0, low + Float(piece) * step) / mean)
            return 0.5 * erfcf((base - root) / (slope * Float(2).squareRoot()))
        }
        return Distribution(low: low, piecesPerMinute: 1 / step, values: values)
    }

    /// A distribution function between whose values lines are drawn.
    struct Distribution {
        static let pieces = 128

        fileprivate let low, piecesPerMinute: Float
        fileprivate let values: [Float]

        /// The probability of at most `minutes`, 0...1.
        @inline(__always)
        func cumulative(_ minutes: Float) -> Float {
            let position = (minutes - low) * piecesPerMinute
            guard position > 0 else { return 0 }
            guard position < Float(Self.pieces) else { return 1 }
            let piece = Int(position)
            return values[piece] + (position - Float(piece)) * (values[piece + 1] - values[piece])
        }
    }
}
