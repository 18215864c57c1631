// Inputs that are computed together, specs and values in the same order; each file of features holds some.

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
