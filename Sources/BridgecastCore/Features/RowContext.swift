// What every feature group may look at, nothing of it from after the issue time; made by FeatureBatch.
import Foundation

/// One row: a bridge in a situation, and the moment it is asked about.
struct RowContext {
    let known: BridgeContext
    let moment: MomentContext
    /// Degree of saturation of the approach at the arrival, 0 ..< 1.
    let density: Float
    /// P(blocked) at the valid time by climatology.
    let openProbability: Float

    init(_ known: BridgeContext, _ moment: MomentContext, _ density: DensityContext) {
        self.known = known
        self.moment = moment
        self.density = density.saturation
        openProbability = known.usual(at: moment)
    }

    var bridge: BridgeIndex { known.bridge }
    var validTime: Timestamp { moment.validTime }
    var leadMinutes: Double { moment.leadMinutes }
}

func logit(_ probability: Float) -> Float { logOdds(Double(probability)) }

func logOdds(_ probability: Double) -> Float {
    let bounded = min(max(probability, 1e-5), 1 - 1e-5)
    return Float(log(bounded / (1 - bounded)))
}
