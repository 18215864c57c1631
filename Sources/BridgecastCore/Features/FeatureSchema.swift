// The one definition of the network's inputs: names, units, ranges, order, and a hash of them all.

/// The inputs of the network in order.
public enum FeatureSchema {
    private static let groups: [any FeatureGroup.Type] = [
        BridgeIdentityFeatures.self, ClockFeatures.self, CalendarFeatures.self, LeadFeatures.self,
        ClimatologyFeatures.self, NavigationFeatures.self, OwnStateFeatures.self,
        RecentActivityFeatures.self, ConvoyFeatures.self, TrafficFeatures.self,
    ]

    /// The groups that have inputs of a moment, of a bridge at issue time, and of a row.
    static let momentGroups = PlacedGroups(groups) { $0 as? any MomentFeatures.Type }
    static let bridgeGroups = PlacedGroups(groups) { $0 as? any BridgeFeatures.Type }
    static let rowGroups = PlacedGroups(groups) { $0 as? any RowFeatures.Type }

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
