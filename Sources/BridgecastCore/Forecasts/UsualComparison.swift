// How a forecast chance stands to the usual one; ForecastReason tells no reason that points the other way.

/// How a forecast chance of being stopped stands to the usual chance at the same moment.
public enum UsualComparison: Int, Sendable, CaseIterable {
    /// So far below that a reason other than the hour is owed: the usual is more than 1.5 times the chance.
    case farBelow
    /// Below, and nearly the usual.
    case below
    /// Within a tenth, or within half a point in 100: nobody sees a difference.
    case same
    /// Above, and nearly the usual.
    case above
    /// So far above that a reason other than the hour is owed: the chance is more than 1.5 times the usual.
    case farAbove

    private static let (sameFactor, sameDifference, farFactor) = (1.1, 0.005, 1.5)

    /// Compares two chances, 0...1; ``same`` where one of them is not a number.
    ///
    /// - Parameters:
    ///   - chance: The forecast.
    ///   - usual: By history alone, for the same arrival and traffic.
    public init(chance: Double, usual: Double) {
        let (less, more) = (min(chance, usual), max(chance, usual))
        let isBelow = chance < usual
        if !(more - less > Self.sameDifference && more > less * Self.sameFactor) {
            self = .same
        } else if more > less * Self.farFactor {
            self = isBelow ? .farBelow : .farAbove
        } else {
            self = isBelow ? .below : .above
        }
    }

    /// Whether the forecast is seen to be below the usual.
    public var isBelow: Bool { self == .farBelow || self == .below }
    /// Whether the forecast is seen to be above the usual.
    public var isAbove: Bool { self == .farAbove || self == .above }

    /// Whether a reason does not point the other way.
    func admits(_ reason: Reason) -> Bool {
        switch reason.tendency {
        case .more: !isBelow
        case .less: !isAbove
        case .near: self != .farBelow && self != .farAbove
        case .either: true
        }
    }
}
