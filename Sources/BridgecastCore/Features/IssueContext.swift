// What all rows of a situation have in common; made by EarlierRows for a batch, by FeatureBuilder for trees.

/// A situation and the climatology it is seen with.
final class IssueContext: Sendable {
    let situation: Situation
    let climatology: Climatology
    let civil: CivilDateTime
    let dayType: DayType
    /// When the day of the issue time began.
    let midnight: Timestamp
    /// Whether neither state nor recent openings of any bridge of a waterway are known.
    private let isBlank: (shipCanal: Bool, duwamish: Bool)
    /// By ``BridgeIndex``; empty where all are 1, as those of bridges with history are.
    let rateRatios: [RateRatio]

    /// - Parameter rateRatios: Those of another situation, for one that says nothing; nil for its own.
    init(
        _ situation: Situation, _ climatology: Climatology, rateRatios: [RateRatio]? = nil
    ) {
        self.situation = situation
        self.climatology = climatology
        self.rateRatios = rateRatios ?? RateRatio.all(in: situation, climatology)
        isBlank = (situation.isBlank(along: .shipCanal), situation.isBlank(along: .duwamish))
        civil = SeattleTime.civil(at: situation.issueTime)
        dayType = DayType(civil.date)
        midnight = SeattleTime.startOfDay(civil.date)
    }

    var issueTime: Timestamp { situation.issueTime }

    /// How often a bridge opens against what its climatology says.
    func rateRatio(of bridge: BridgeIndex) -> RateRatio {
        rateRatios.isEmpty ? .one : rateRatios[bridge.rawValue]
    }

    /// Whether nothing is known along a bridge's waterway, so that rows do not depend on the lead.
    func isBlank(around bridge: BridgeIndex) -> Bool {
        BridgeCatalogue[bridge].waterway == .shipCanal ? isBlank.shipCanal : isBlank.duwamish
    }
}

extension Situation {
    fileprivate func isBlank(along waterway: Waterway) -> Bool {
        BridgeCatalogue.along(waterway).allSatisfy { !bridges[$0.rawValue].isInformed }
    }
}
