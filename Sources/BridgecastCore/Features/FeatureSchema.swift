// The one definition of the network's inputs: names, units, ranges, order, and a hash of them all.

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

    static func hats(_ name: String, _ basis: HatBasis, to highest: Float = 1) -> [FeatureSpec] {
        basis.knots.map { FeatureSpec("\(name)[\(text($0))min]", .weight, 0...highest) }
    }

    private static func text(_ knot: Double) -> String {
        knot == knot.rounded() ? String(Int(knot)) : String(knot)
    }
}

/// A set of inputs computed together; its specs and its values stand in the same order.
protocol FeatureGroup: SendableMetatype {
    static var specs: [FeatureSpec] { get }
    /// What the values depend on: where it is the same as in an earlier row, so are they.
    static var dependsOn: FeatureDependence { get }
    static func append(_ row: RowContext, to values: inout RowWriter)
}

/// What the values of a group depend on.
enum FeatureDependence {
    /// On everything.
    case row
    /// On the valid time alone.
    case validTime
    /// On the bridge and what is known at issue time, but not on the lead.
    case bridgeAndSituation
}

extension FeatureGroup {
    static var dependsOn: FeatureDependence { .row }
    /// How many inputs the group has.
    static var specCount: Int { specs.count }
}

/// The inputs of the network in order.
public enum FeatureSchema {
    static let groups: [any FeatureGroup.Type] = [
        BridgeIdentityFeatures.self, ClockFeatures.self, CalendarFeatures.self, LeadFeatures.self,
        ClimatologyFeatures.self, NavigationFeatures.self, OwnStateFeatures.self,
        RecentActivityFeatures.self, ConvoyFeatures.self, TrafficFeatures.self,
    ]

    /// Every input, in the order of a row.
    public static let features: [FeatureSpec] = groups.flatMap { $0.specs }

    /// Inputs per row, F.
    public static let count = features.count

    /// FNV-1a 64 over name, unit and range of every input in order: equal only for equal schemas.
    public static let hash: UInt64 = hash(of: features)

    static func hash(of features: [FeatureSpec]) -> UInt64 {
        var hash = emptyHash
        for feature in features {
            add(feature.name, feature.unit.rawValue, feature.range, to: &hash)
        }
        return hash
    }

    /// What the hash of no input is: that of FNV-1a 64.
    package static let emptyHash: UInt64 = 0xcbf2_9ce4_8422_2325

    /// Adds `name|unit|low|high` and a line feed to a hash.
    package static func add(
        _ name: String, _ unit: String, _ range: ClosedRange<Float>, to hash: inout UInt64
    ) {
        func add(_ text: String) {
            for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        }
        add(name)
        add("|")
        add(unit)
        for bound in [range.lowerBound, range.upperBound] {
            add("|")
            // As Swift prints a Float; whole numbers, which most are, without its printer.
            let whole = Int(exactly: bound).flatMap { $0.magnitude < 1 << 20 && $0 != 0 ? $0 : nil }
            add(whole.map { "\($0).0" } ?? "\(bound)")
        }
        add("\n")
    }
}

/// Piecewise linear soft bins: a value between two knots is shared between their weights.
struct HatBasis: Sendable {
    /// Increasing knots, minutes.
    let knots: [Double]

    init(_ knots: [Double]) { self.knots = knots }

    /// Adds the weights of a value to the basis's entries, which start at `offset`; a value outside
    /// the knots adds nothing.
    func add(_ value: Double, weight: Float = 1, to values: inout RowWriter, at offset: Int) {
        guard let first = knots.first, let last = knots.last, value >= first, value <= last else {
            return
        }
        var upper = 1
        while upper < knots.count - 1, knots[upper] < value { upper += 1 }
        let share = Float((value - knots[upper - 1]) / (knots[upper] - knots[upper - 1]))
        values.add(weight * (1 - share), at: offset + upper - 1)
        values.add(weight * share, at: offset + upper)
    }

    /// Appends the weights of a value, or zeros if there is none.
    func append(_ value: Double?, weight: Float = 1, to values: inout RowWriter) {
        let offset = appendZeros(to: &values)
        if let value { add(value, weight: weight, to: &values, at: offset) }
    }

    /// Leaves a zero per knot and returns where they start.
    func appendZeros(to values: inout RowWriter) -> Int { values.skip(knots.count) }
}
