// Features of the degree of saturation.

/// The degree of saturation of the approach.
enum TrafficFeatures: DensityFeatures {
    static let count = 2

    static let specs = [
        FeatureSpec("traffic.density", .one, 0...1),
        FeatureSpec("traffic.queueStretch", .one, 0...3),
    ]

    static func append(_ density: DensityContext, to values: inout RowWriter) {
        values.append(density.saturation)
        values.append(min(3, density.logStretch))
    }
}
