// What rows of the same traffic have in common; made by EarlierRows for a batch, by FeatureBuilder for trees.
private import Foundation

/// The degree of saturation of an approach, and what follows from it alone.
struct DensityContext: Sendable {
    /// 0 ..< 1.
    let saturation: Float
    /// ln(1 / (1 - rho)), of how many times as long an opening lasts for those who arrive.
    let logStretch: Float

    init(_ saturation: Float) {
        self.saturation = saturation
        logStretch = -log1p(-saturation)
    }
}
