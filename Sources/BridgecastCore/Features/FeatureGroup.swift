// Inputs that are computed together, specs and values in the same order; each file of features holds some.

/// A set of inputs computed together; its specs and its values stand in the same order.
///
/// Values depend on the moment that is asked about, on the bridge and what is known of it, on both or on traffic: a group
/// implements what it has, and each of its functions walks over all its inputs.
protocol FeatureGroup: SendableMetatype {
    static var specs: [FeatureSpec] { get }
    /// How many specs there are, without making their names.
    static var count: Int { get }
}

/// Inputs that depend on the valid time and the lead alone: rows of one moment share them.
protocol MomentFeatures: FeatureGroup {
    static func append(_ moment: MomentContext, to values: inout RowWriter)
}

/// Inputs that depend on the bridge and what is known at issue time alone: its rows share them.
protocol BridgeFeatures: FeatureGroup {
    static func append(_ bridge: BridgeContext, to values: inout RowWriter)
}

/// Inputs that depend on the bridge and the moment together.
protocol RowFeatures: FeatureGroup {
    static func append(_ row: RowContext, to values: inout RowWriter)
}

/// Inputs that depend on the density of traffic alone; they stand behind all others.
protocol DensityFeatures: FeatureGroup {
    static func append(_ density: DensityContext, to values: inout RowWriter)
}
