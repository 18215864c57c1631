// Features of the tide: barges and tugs of the Duwamish wait for water.

/// How high the water stands at the valid time, and whether it rises.
///
/// In the records the openings of 1st Ave South, South Park and Lower Spokane St are a third as frequent as usual at
/// the lowest tenth of heights, and 1.2 to 2 times as frequent at the highest.
enum TideFeatures: MomentFeatures {
    private static let height = HatBasis([-3, -2, -1.3, -0.7, -0.2, 0.3, 0.8, 1.3, 2.3])
    private static let rise = HatBasis([-1.2, -0.6, -0.3, 0, 0.3, 0.6, 1.2])

    static let count = height.count + rise.count

    static let specs =
        FeatureSpec.hats("tide.height", height, unit: "m")
        + FeatureSpec.hats("tide.rise", rise, unit: "m/h")

    static func append(_ moment: MomentContext, to values: inout RowWriter) {
        height.append(moment.tide.metres, to: &values)
        rise.append(moment.tide.risePerHour, to: &values)
    }
}
