// One vehicle followed along one line, fix by fix: where along it each fix lies, and that it goes forwards.
package import BridgecastCore
private import Foundation

/// A report of a vehicle, as following it along a line needs it.
package struct VehicleFix: Sendable {
    /// Where it says it is.
    package var point: GeoPoint
    /// When, seconds since 1970.
    package var seconds: Double
    /// Degrees clockwise from north in which it goes; nil if that is not known, or it stands.
    package var bearing: Double?

    package init(point: GeoPoint, seconds: Double, bearing: Double? = nil) {
        (self.point, self.seconds, self.bearing) = (point, seconds, bearing)
    }
}

/// A vehicle on a line.
///
/// Lines come back to where they were: out and back on one road, loops, stubs. So several places are kept in mind,
/// each with a cost, and every fix adds to them what speaks against each: distance from the line, direction, going
/// backwards, going too fast (the way of hidden Markov map matching, Newson and Krumm 2009, forwards only). Shown is
/// the cheapest; small steps back are inexactness of fixes, and the vehicle stays where it was.
package struct LineTrack: Sendable {
    /// Farther than so from its line, a vehicle is off its route.
    package static let offRouteMetres = 150.0
    /// Steps back up to this are within what fixes are off.
    static let stepBackMetres = 50.0
    /// What a fix off the route costs, and so what one just within ``offRouteMetres`` does.
    private static let offRouteCost = 15.0
    /// A jump back, or one faster than anything drives: two fixes off the route, so that one bad fix is not believed.
    private static let jumpCost = 30.0
    /// Going against the line.
    private static let opposedCost = 4.0
    /// What costs so much more than the best is forgotten.
    private static let mostCost = 60.0
    private static let mostGuesses = 8

    private struct Guess: Sendable {
        var metres, seconds, cost: Double
        /// Whether the newest fix put it there.
        var isNew: Bool
    }

    private var guesses: [Guess] = []
    /// The newest fix that was taken.
    package private(set) var lastFix: VehicleFix?
    /// What was shown for it.
    package private(set) var lastPlace: VehiclePlace?
    /// Whether the newest fix lay farther behind what was shown than fixes are off.
    private var isBehind = false
    /// How often it had to be put back along the line.
    package private(set) var jumps = 0

    package init() {}

    /// Takes the next fix; O(points of the line near it).
    ///
    /// - Parameters:
    ///   - mostMetresPerSecond: The fastest it plausibly goes.
    ///   - start: What speaks against a place where nothing is known of before, 0 or more.
    ///   - bias: What speaks against a place at any time, 0 or more.
    package mutating func take(
        _ fix: VehicleFix, on line: ShapeLine, mostMetresPerSecond: Double,
        start: (Double) -> Double = { _ in 0 }, bias: (Double) -> Double = { _ in 0 }
    ) -> VehiclePlace {
        let bearing = courseOverGround(to: fix) ?? fix.bearing
        var next = guesses.map {
            Guess(
                metres: $0.metres, seconds: $0.seconds, cost: $0.cost + Self.offRouteCost,
                isNew: false)
        }
        for approach in line.approaches(to: fix.point, within: Self.offRouteMetres) {
            let before =
                guesses.isEmpty
                ? start(approach.metres)
                : costOfReaching(approach.metres, at: fix.seconds, mostMetresPerSecond)
            let off = approach.offMetres / Self.offRouteMetres
            let cost =
                before + off * off * Self.offRouteCost + bias(approach.metres)
                + Self.directionCost(bearing, line, approach.metres)
            next.append(
                Guess(metres: approach.metres, seconds: fix.seconds, cost: cost, isNew: true))
        }
        keep(&next)
        let place = place(of: fix, bearing, on: line, mostMetresPerSecond)
        (lastFix, lastPlace) = (fix, place)
        return place
    }

    /// The cheapest way to a place from where the vehicle may have been.
    private func costOfReaching(
        _ metres: Double, at seconds: Double, _ mostMetresPerSecond: Double
    ) -> Double {
        var least = Double.infinity
        for guess in guesses {
            let ahead = metres - guess.metres
            let reach = mostMetresPerSecond * max(1, seconds - guess.seconds) + 100
            let isPlausible = ahead >= -Self.stepBackMetres && ahead <= reach
            // A little for the way: of two passes over the same ground, the nearer is meant.
            let cost = isPlausible ? max(0, ahead) * 1e-3 : Self.jumpCost
            least = min(least, guess.cost + cost)
        }
        return least
    }

    private static func directionCost(
        _ bearing: Double?, _ line: ShapeLine, _ metres: Double
    ) -> Double {
        guard let bearing else { return 0 }
        return max(0, -cos((bearing - line.course(atMetres: metres)) * .pi / 180)) * opposedCost
    }

    /// The direction from the fix before, where the vehicle has moved so far that it tells.
    private func courseOverGround(to fix: VehicleFix) -> Double? {
        guard let lastFix, fix.seconds - lastFix.seconds <= 120,
            lastFix.point.metres(to: fix.point) >= 30
        else { return nil }
        return ShapeLine.heading(from: lastFix.point, to: fix.point)
    }

    private mutating func keep(_ next: inout [Guess]) {
        next.sort { ($0.cost, -$0.seconds, $0.metres) < ($1.cost, -$1.seconds, $1.metres) }
        let least = next.first?.cost ?? 0
        guesses = next.prefix(Self.mostGuesses).filter { $0.cost <= least + Self.mostCost }.map {
            Guess(
                metres: $0.metres, seconds: $0.seconds, cost: $0.cost - least, isNew: $0.isNew)
        }
    }

    private mutating func place(
        of fix: VehicleFix, _ bearing: Double?, on line: ShapeLine, _ mostMetresPerSecond: Double
    ) -> VehiclePlace {
        guard let best = guesses.first, best.isNew else {
            return offRoute(fix, on: line, mostMetresPerSecond)
        }
        let metres = forwards(best.metres)
        let point = line.point(atMetres: metres)
        return VehiclePlace(
            metres: metres, offMetres: fix.point.metres(to: point), isOffRoute: false, point: point,
            heading: line.heading(atMetres: metres))
    }

    /// The place to show: not behind what was shown, until the fixes leave no doubt: one that lies farther back than
    /// vehicles go off their routes, or two that lie farther back than fixes are off.
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

    /// Off the route: where it is by its fix, and along the line where it can have come nearest.
    private func offRoute(
        _ fix: VehicleFix, on line: ShapeLine, _ mostMetresPerSecond: Double
    ) -> VehiclePlace {
        var stretch = 0...line.length
        if let lastPlace, let lastFix {
            let low = min(max(lastPlace.metres, 0), line.length)
            let reach = mostMetresPerSecond * max(1, fix.seconds - lastFix.seconds) + 100
            stretch = low...min(line.length, low + reach)
        }
        let near = line.nearest(to: fix.point, within: stretch)
        return VehiclePlace(
            metres: near.metres, offMetres: near.offMetres, isOffRoute: true, point: fix.point,
            heading: fix.bearing)
    }
}
