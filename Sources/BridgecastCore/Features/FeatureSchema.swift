// The one definition of the network's inputs: names, units, ranges, order, and a hash of them all.

/// The inputs of the network in order.
public enum FeatureSchema {
    static let groups: [any FeatureGroup.Type] = [
        BridgeIdentityFeatures.self, ClockFeatures.self, CalendarFeatures.self, LeadFeatures.self,
        TideFeatures.self, ClimatologyFeatures.self, NavigationFeatures.self, OwnStateFeatures.self,
        LengthFeatures.self, RecentActivityFeatures.self, ConvoyFeatures.self,
        TrafficFeatures.self,
    ]

    /// The groups that have inputs of a moment, of a bridge at issue time, of both, and of the density.
    static let momentGroups = PlacedGroups<any MomentFeatures.Type>(
        [ClockFeatures.self, CalendarFeatures.self, LeadFeatures.self, TideFeatures.self],
        in: groups)
    static let bridgeGroups = PlacedGroups<any BridgeFeatures.Type>(
        [
            BridgeIdentityFeatures.self, NavigationFeatures.self, OwnStateFeatures.self,
            LengthFeatures.self, RecentActivityFeatures.self, ConvoyFeatures.self,
        ], in: groups)
    static let rowGroups = PlacedGroups<any RowFeatures.Type>(
        [
            ClimatologyFeatures.self, NavigationFeatures.self, OwnStateFeatures.self,
            ConvoyFeatures.self,
        ], in: groups)
    static let densityGroups = PlacedGroups<any DensityFeatures.Type>(
        [TrafficFeatures.self], in: groups)

    /// Every input, in the order of a row.
    ///
    /// A forecast needs none of the names: they are made when they are first asked for.
    public static let features: [FeatureSpec] = {
        let features = groups.flatMap { $0.specs }
        precondition(
            features.count == count && hash(of: features) == hash,
            "FeatureSchema must state count \(features.count), hash \(hash(of: features))")
        return features
    }()

    /// Inputs per row, F; stated, so that nobody who only needs it waits for 862 names.
    public static let count = 862

    /// FNV-1a 64 over name, unit and range of every input in order: equal only for equal schemas.
    ///
    /// Stated like ``count``; that both are those of ``features`` is checked where the names are made.
    public static let hash: UInt64 = 0x17eb_0f5e_bb33_4933

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
            for byte in text.utf8 { Self.add(byte, to: &hash) }
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

    /// Adds a byte to a hash.
    @inlinable
    package static func add(_ byte: UInt8, to hash: inout UInt64) {
        hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
}
