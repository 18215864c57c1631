// What every feature group may look at, nothing of it from after the issue time; made by FeatureBuilder.
import Foundation

/// What every feature group may look at: nothing here comes from after the issue time.
struct RowContext {
    let bridge: BridgeIndex
    let leadMinutes: Double
    let density: Float
    let situation: Situation
    let climatology: Climatology
    let validTime: Timestamp
    let validCivil: CivilDateTime
    let issueCivil: CivilDateTime
    let validDayType: DayType
    let openProbability: Float

    init(
        bridge: BridgeIndex, leadMinutes: Double, density: Float, situation: Situation,
        climatology: Climatology
    ) {
        self.bridge = bridge
        self.leadMinutes = leadMinutes
        self.density = density
        self.situation = situation
        self.climatology = climatology
        validTime = situation.issueTime.adding(minutes: leadMinutes)
        validCivil = SeattleTime.civil(at: validTime)
        issueCivil = SeattleTime.civil(at: situation.issueTime)
        validDayType = DayType(validCivil.date)
        openProbability = climatology.openProbability(of: bridge, at: validCivil)
    }

    var own: BridgeSituation { situation[bridge] }
    var issueTime: Timestamp { situation.issueTime }

    /// How long the span has been up, minutes; nil if it is not known to be up.
    ///
    /// Where the start is not known, the age that openings have on average stands in.
    var raisedMinutes: Double? {
        guard case .raised(let since) = own.state else { return nil }
        return since.map { issueTime.minutes(since: $0) } ?? 3
    }
}

func logit(_ probability: Float) -> Float { logOdds(Double(probability)) }

func logOdds(_ probability: Double) -> Float {
    let bounded = min(max(probability, 1e-5), 1 - 1e-5)
    return Float(log(bounded / (1 - bounded)))
}
