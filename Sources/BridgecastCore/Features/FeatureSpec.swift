// One input of the network: its name, unit and range.

/// One input of the network.
public struct FeatureSpec: Sendable, Equatable {
    /// Unique name, `group.meaning`.
    public let name: String
    /// What one unit of the value is.
    public let unit: Unit
    /// The values it can take.
    public let range: ClosedRange<Float>

    /// Units of features.
    public enum Unit: String, Sendable {
        /// 0 or 1.
        case flag
        /// A weight of a soft bin, or a sum of such weights.
        case weight
        /// A pure number.
        case one
        /// Log-odds or a log ratio.
        case logit
    }

    init(_ name: String, _ unit: Unit, _ range: ClosedRange<Float>) {
        self.name = name
        self.unit = unit
        self.range = range
    }

    static func flag(_ name: String) -> FeatureSpec { FeatureSpec(name, .flag, 0...1) }

    static func hats(
        _ name: String, _ basis: HatBasis, to highest: Float = 1, unit: String = "min"
    ) -> [FeatureSpec] {
        basis.knots.map { FeatureSpec("\(name)[\(text($0))\(unit)]", .weight, 0...highest) }
    }

    private static func text(_ knot: Double) -> String {
        knot == knot.rounded() ? String(Int(knot)) : String(knot)
    }
}
