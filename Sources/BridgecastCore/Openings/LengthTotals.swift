// Sums over the lengths of openings, from which it shows whether they last long lately; part of BridgeSituation.
private import Foundation

/// How many openings there were, and how long they lasted together.
public struct LengthTotals: Sendable, Equatable {
    /// So many minutes or more make a long opening.
    public static let longMinutes = 12.0
    /// Lengths count within these bounds, minutes: a test is no short opening, a stuck span no long one.
    package static let boundsMinutes = 1.0...60.0

    /// Openings whose length is known.
    public private(set) var count = 0
    /// The sum of the natural logarithms of their lengths in minutes.
    public private(set) var logMinutes = 0.0
    /// Those of ``longMinutes`` and more.
    public private(set) var longCount = 0

    /// No openings.
    public init() {}

    /// Adds an opening of so many minutes.
    package mutating func add(minutes: Double) {
        count += 1
        logMinutes += Self.logMinutes(minutes)
        if minutes >= Self.longMinutes { longCount += 1 }
    }

    mutating func add(_ other: LengthTotals) {
        count += other.count
        logMinutes += other.logMinutes
        longCount += other.longCount
    }

    /// The natural logarithm of a length in minutes, within the bounds.
    package static func logMinutes(_ minutes: Double) -> Double {
        log(min(max(minutes, boundsMinutes.lowerBound), boundsMinutes.upperBound))
    }
}
