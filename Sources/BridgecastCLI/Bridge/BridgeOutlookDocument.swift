// A bridge's outlook as JSON.
import BridgecastCore

/// The JSON of `bridge`.
struct BridgeOutlookDocument: Encodable {
    struct Row: Encodable {
        let validTime: String
        let probabilityDelayed: Double
        let expectedDelayS: Double
        let delayP95S: Double
        let usualProbabilityRaised: Double
    }

    let bridge: String
    let bridgeID: BridgeID
    let waterway: String
    let issueTime: String
    let state: String
    let raisedSince: String?
    let clearanceFt: Double
    let rules: [String]
    let vesselHeightFt: Double?
    let vesselNeedsOpening: Bool?
    let vesselAnswer: String?
    let confidence: Confidence
    let warnings: [String]
    let outlook: [Row]

    init(_ outlook: BridgeOutlook) {
        let facts = outlook.facts
        bridge = facts.name
        bridgeID = facts.id
        waterway = facts.waterway.rawValue
        issueTime = TimeText.rfc3339(outlook.context.issueTime)
        (state, raisedSince) =
            switch outlook.context.situation[outlook.bridge].state {
            case .unknown: ("unknown", nil)
            case .lowered: ("lowered", nil)
            case .raised(let since): ("raised", since.map(TimeText.rfc3339))
            }
        clearanceFt = facts.clearanceFeet
        rules = outlook.rules
        vesselHeightFt = outlook.vesselFeet
        vesselNeedsOpening = outlook.vesselFeet.map { $0 > facts.clearanceFeet }
        vesselAnswer = outlook.vesselAnswer
        confidence = outlook.confidence
        warnings = outlook.context.notes
        self.outlook = outlook.rows.map { row in
            Row(
                validTime: TimeText.rfc3339(row.moment),
                probabilityDelayed: row.delay.probabilityDelayed,
                expectedDelayS: row.delay.expectedSeconds,
                delayP95S: row.delay.quantileSeconds(0.95),
                usualProbabilityRaised: row.usualProbability)
        }
    }
}
