// One vehicle followed along one line, fix by fix: the position of each fix along it, moving forwards.
package import BridgecastCore
private import Foundation

package struct VehicleFix: Sendable {
    package var point: GeoPoint
    /// Time, seconds since 1970.
    package var seconds: Double
    /// Degrees clockwise from north; nil if unknown or standing.
    package var bearing: Double?
}

/// Map matching of a vehicle to a line.
///
/// Lines return to where they were: out and back on one road, loops, stubs. So several hypotheses are kept, each with a
/// cost, to which every fix adds: distance from the line, direction, going backwards, going too fast (as hidden Markov map
/// matching, Newson and Krumm 2009, forwards only). The cheapest is shown; small steps back are noise of the fixes, and the
/// vehicle stays where it was.
package struct LineTrack: Sendable {
    /// Distance from the line beyond which a vehicle is off its route.
    package static let offRouteMetres = 150.0
    /// Steps back up to this are noise of the fixes.
    static let stepBackMetres = 50.0
    /// Cost of a fix off the route, or just within ``offRouteMetres``.
    private static let offRouteCost = 15.0
    /// Cost of a jump back, or an implausibly fast one: two fixes off the route, so that a single bad fix is ignored.
    private static let jumpCost = 30.0
    /// Cost of going against the direction of the line.
    private static let opposedCost = 4.0
    /// Excess over the best cost at which a hypothesis is dropped.
    private static let maxCost = 60.0
    private static let maxHypotheses = 8

    private struct Hypothesis: Sendable {
        var metres, seconds, cost: Double
        /// Whether it is from the newest fix.
        var isNew: Bool
    }

    private var hypotheses: [Hypothesis] = []
    package private(set) var lastFix: VehicleFix?
    /// The position shown for it.
    package private(set) var lastPlace: VehicleLocation?
    /// Whether the newest fix was more than ``stepBackMetres`` behind the position shown.
    private var isBehind = false
    /// Number of times it was moved back along the line.
    package private(set) var jumps = 0

    package init() {}

    /// Matches the next fix; O(points of the line near it).
    ///
    /// - Parameters:
    ///   - maxMetresPerSecond: Highest plausible speed.
    ///   - startCost: Cost, 0 or more, of a position as the first one.
    ///   - bias: Cost, 0 or more, of a position at any time.
    package mutating func match(
        _ fix: VehicleFix, to line: ShapeLine, maxMetresPerSecond: Double,
        startCost: (Double) -> Double = { _ in 0 }, bias: (Double) -> Double = { _ in 0 }
    ) -> VehicleLocation {
        let bearing = courseOverGround(to: fix) ?? fix.bearing
        var next = hypotheses.map {
            Hypothesis(
                metres: $0.metres, seconds: $0.seconds, cost: $0.cost + Self.offRouteCost,
                isNew: false)
        }
        for approach in line.approaches(to: fix.point, within: Self.offRouteMetres) {
            let before =
                hypotheses.isEmpty
                ? startCost(approach.metres)
                : costOfReaching(
                    approach.metres, at: fix.seconds, maxMetresPerSecond: maxMetresPerSecond)
            let off = approach.offMetres / Self.offRouteMetres
            let cost =
                before + off * off * Self.offRouteCost + bias(approach.metres)
                + Self.directionCost(bearing, on: line, atMetres: approach.metres)
            next.append(
                Hypothesis(metres: approach.metres, seconds: fix.seconds, cost: cost, isNew: true))
        }
        keep(&next)
        let place = place(of: fix, on: line, maxMetresPerSecond: maxMetresPerSecond)
        lastFix = fix
        lastPlace = place
        return place
    }

    /// The lowest cost of reaching a position from any hypothesis.
    private func costOfReaching(
        _ metres: Double, at seconds: Double, maxMetresPerSecond: Double
    ) -> Double {
        var minCost = Double.infinity
        for hypothesis in hypotheses {
            let ahead = metres - hypothesis.metres
            let reach = maxMetresPerSecond * max(1, seconds - hypothesis.seconds) + 100
            let isPlausible = ahead >= -Self.stepBackMetres && ahead <= reach
            // A small cost of distance selects the nearer of two passes over the same ground.
            let cost = isPlausible ? max(0, ahead) * 1e-3 : Self.jumpCost
            minCost = min(minCost, hypothesis.cost + cost)
        }
        return minCost
    }

    private static func directionCost(
        _ bearing: Double?, on line: ShapeLine, atMetres metres: Double
    ) -> Double {
        guard let bearing else { return 0 }
        return max(0, -cos((bearing - line.course(atMetres: metres)) * .pi / 180)) * opposedCost
    }

    /// The direction from the previous fix, if the vehicle has moved far enough.
    private func courseOverGround(to fix: VehicleFix) -> Double? {
        guard let lastFix, fix.seconds - lastFix.seconds <= 120,
            lastFix.point.metres(to: fix.point) >= 30
        else { return nil }
        return ShapeLine.heading(from: lastFix.point, to: fix.point)
    }

    private mutating func keep(_ next: inout [Hypothesis]) {
        next.sort { ($0.cost, -$0.seconds, $0.metres) < ($1.cost, -$1.seconds, $1.metres) }
        let minCost = next.first?.cost ?? 0
        hypotheses = next.prefix(Self.maxHypotheses).filter { $0.cost <= minCost + Self.maxCost }
            .map {
                Hypothesis(
                    metres: $0.metres, seconds: $0.seconds, cost: $0.cost - minCost, isNew: $0.isNew
                )
            }
    }

    private mutating func place(
        of fix: VehicleFix, on line: ShapeLine, maxMetresPerSecond: Double
    ) -> VehicleLocation {
        guard let best = hypotheses.first, best.isNew else {
            return offRoute(fix, near: line, maxMetresPerSecond: maxMetresPerSecond)
        }
        let metres = forwards(best.metres)
        let point = line.point(atMetres: metres)
        return VehicleLocation(
            metres: metres, offMetres: fix.point.metres(to: point), isOffRoute: false, point: point,
            heading: line.heading(atMetres: metres))
    }

    /// The position to show: never behind the last one, unless a fix is more than ``offRouteMetres`` or two fixes are more
    /// than ``stepBackMetres`` behind it.
    private mutating func forwards(_ metres: Double) -> Double {
        guard let shown = lastPlace?.metres, metres < shown else {
            isBehind = false
            return metres
        }
        let wasBehind = isBehind
        isBehind = shown - metres > Self.stepBackMetres
        guard shown - metres > Self.offRouteMetres || (isBehind && wasBehind) else { return shown }
        isBehind = false
        jumps += 1
        return metres
    }

    /// A vehicle off the route: the location of its fix, and the nearest position along the line that it can have reached.
    private func offRoute(
        _ fix: VehicleFix, near line: ShapeLine, maxMetresPerSecond: Double
    ) -> VehicleLocation {
        var stretch = 0...line.length
        if let lastPlace, let lastFix {
            let low = min(max(lastPlace.metres, 0), line.length)
            let reach = maxMetresPerSecond * max(1, fix.seconds - lastFix.seconds) + 100
            stretch = low...min(line.length, low + reach)
        }
        let near = line.nearest(to: fix.point, within: stretch)
        return VehicleLocation(
            metres: near.metres, offMetres: near.offMetres, isOffRoute: true, point: fix.point,
            heading: fix.bearing)
    }
}
