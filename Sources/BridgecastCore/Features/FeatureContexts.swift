// What values of a row are computed from; nothing comes from after the issue time.
import Foundation

/// One row: a bridge in a situation, and the time it is asked about.
struct RowContext {
    let known: BridgeContext
    let valid: ValidTimeContext
    /// Degree of saturation of the approach at the arrival, 0 ..< 1.
    let density: Float
    /// P(blocked) at the valid time by climatology.
    let openProbability: Float

    init(_ known: BridgeContext, at valid: ValidTimeContext, density: DensityContext) {
        self.known = known
        self.valid = valid
        self.density = density.saturation
        openProbability = known.openProbability(at: valid)
    }

    var bridge: BridgeIndex { known.bridge }
    var validTime: Timestamp { valid.time }
    var leadMinutes: Double { valid.leadMinutes }

    /// The state of the bridge's rules at the valid time.
    var validRules: NavigationStatus { known.rules.status(at: valid.civil, on: valid.dayType) }

    /// P(an opening that is under way outlasts the lead); nil if the span is not known to be up.
    var probabilityStillRaised: Double? {
        known.raisedMinutes.map { age in
            known.probabilityOutlasts(total: age + leadMinutes, elapsed: age)
        }
    }
}

func logit(_ probability: Float) -> Float { logOdds(Double(probability)) }

/// The log-odds of a probability, which counts as at least 1e-5 and at most 1 - 1e-5.
func logOdds(_ probability: Double) -> Float {
    let bounded = min(max(probability, 1e-5), 1 - 1e-5)
    return Float(log(bounded / (1 - bounded)))
}

/// The time that a row asks about; rows of all bridges share it.
struct ValidTimeContext: Sendable {
    let time: Timestamp
    let leadMinutes: Double
    let civil: CivilDateTime
    let dayType: DayType
    /// How much of the climatology is that of summer, 0...1.
    let summerShare: Float
    let tide: Tide

    init(leadMinutes: Double, after issueTime: Timestamp) {
        self.leadMinutes = leadMinutes
        time = issueTime.adding(minutes: leadMinutes)
        civil = SeattleTime.civil(at: time)
        dayType = DayType(civil.date)
        summerShare = Season.summerShare(on: civil.date)
        tide = Tide(at: time)
    }

    /// Sine of the sun's elevation, -1...1.
    var sun: Double { Daylight.sineOfSunElevation(at: time) }
    /// Minutes since the last full hour.
    var minuteOfHour: Double { civil.minuteOfDay.truncatingRemainder(dividingBy: 60) }
}

/// The degree of saturation of an approach, and what follows from it alone.
struct DensityContext: Sendable {
    /// 0 ..< 1.
    let saturation: Float
    /// ln(1 / (1 - rho)), of how many times as long an opening lasts for arriving vehicles.
    let logStretch: Float

    init(_ saturation: Float) {
        self.saturation = saturation
        logStretch = -log1p(-saturation)
    }
}

final class IssueContext: Sendable {
    let situation: Situation
    let climatology: Climatology
    let civil: CivilDateTime
    let dayType: DayType
    /// How much of the climatology is that of summer, 0...1, now and on the mean of the last four weeks.
    let summerShare: Float
    let fourWeeksSummerShare: Float
    /// When the day of the issue time began.
    let midnight: Timestamp
    /// Whether neither state nor recent openings of any bridge of a waterway are known.
    private let isBlank: (shipCanal: Bool, duwamish: Bool)
    /// By ``BridgeIndex``; empty where all are 1, as those of bridges with history are.
    let rateRatios: [RateRatio]

    /// - Parameter rateRatios: Those of another situation, for one in which nothing is known; nil for its own.
    init(_ situation: Situation, _ climatology: Climatology, rateRatios: [RateRatio]? = nil) {
        self.situation = situation
        self.climatology = climatology
        self.rateRatios = rateRatios ?? RateRatio.all(in: situation, climatology)
        isBlank = (situation.isBlank(along: .shipCanal), situation.isBlank(along: .duwamish))
        civil = SeattleTime.civil(at: situation.issueTime)
        dayType = DayType(civil.date)
        summerShare = Season.summerShare(on: civil.date)
        fourWeeksSummerShare = FourWeeks.summerShare(before: civil.date)
        midnight = SeattleTime.startOfDay(civil.date)
    }

    var issueTime: Timestamp { situation.issueTime }

    /// How often a bridge opens, compared with its climatology.
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

// MARK: - A bridge and its neighbours

/// A bridge in a situation; rows of all leads share it.
final class BridgeContext: Sendable {
    let bridge: BridgeIndex
    let rules: NavigationRules
    let issue: IssueContext
    let own: BridgeSituation
    /// How long the span has been up, minutes; nil if it is not known to be up.
    ///
    /// 3 minutes, the mean age of openings, where the start is not known.
    let raisedMinutes: Double?
    /// When its last opening that is over ended.
    let lastClosing: Timestamp?
    /// P(blocked) at issue time by climatology, as log-odds.
    let issueLogit: Float
    /// ln(1 + openings a day), at most 3, on weekdays and on weekends.
    let dayRates: (weekday: Float, weekend: Float)
    /// Shares of its blocked time with a remaining delay in bins 1 to 11, by climatology.
    let binShares: InlineArray<11, Float>
    /// The evidence of how long openings last just now; nil without a law of lengths.
    let lengthCovariates: LengthCovariates?
    /// The curve that follows; nil also where the bridge's state is not known, since nothing uses it then.
    let lengths: LengthSurvival?
    /// Its newest openings, and those of the other bridges of its waterway.
    let openings: NewestOpenings
    let neighbours: [NeighbourContext]
    /// How often it opens, compared with climatology; not yet part of the table below.
    private let rateRatio: RateRatio
    /// P(blocked) of all bridges by climatology, [bridge, season, day type, slot of a day].
    private let openProbabilities: BridgeDayTable<Float>

    init(_ bridge: BridgeIndex, in issue: IssueContext) {
        self.bridge = bridge
        rules = BridgeCatalogue[bridge].rules
        self.issue = issue
        let own = issue.situation[bridge]
        self.own = own
        if case .raised(let since) = own.state {
            raisedMinutes = since.map { issue.issueTime.minutes(since: $0) } ?? 3
        } else {
            raisedMinutes = nil
        }
        lastClosing = own.recent.lazy.compactMap(\.end).first
        let rateRatio = issue.rateRatio(of: bridge)
        self.rateRatio = rateRatio
        issueLogit = logit(
            rateRatio.scaled(issue.climatology.openProbability(of: bridge, at: issue.civil)))
        func dayRate(_ dayType: DayType) -> Float {
            let perDay = issue.climatology.openingsPerDay.mean(
                bridge, dayType, summerShare: issue.summerShare)
            return min(3, log1p(rateRatio.scaled(rate: perDay)))
        }
        dayRates = (dayRate(.weekday), dayRate(.weekend))
        binShares = issue.climatology.shares(of: bridge)
        let law = issue.climatology.lengthLaw
        let known = law.map {
            LengthCovariates(
                bridge, in: issue.situation, civil: issue.civil, dayType: issue.dayType, law: $0)
        }
        lengthCovariates = known
        lengths = own.state == .unknown ? nil : known.flatMap { law?.survival(of: bridge, $0) }
        openings = NewestOpenings(own.recent)
        openProbabilities = issue.climatology.openProbability
        // Where nothing is known of the neighbours every value of them is zero, as if there were none.
        neighbours =
            issue.isBlank(around: bridge)
            ? [] : NeighbourContext.all(of: bridge, own, in: issue.situation)
    }

    var issueRules: NavigationStatus { rules.status(at: issue.civil, on: issue.dayType) }

    /// P(blocked) by climatology, corrected by the bridge's own count where it has little history.
    func openProbability(at valid: ValidTimeContext) -> Float {
        let slot = valid.civil.secondOfDay * openProbabilities.columns / 86_400
        return rateRatio.scaled(
            openProbabilities.mean(bridge, valid.dayType, slot, summerShare: valid.summerShare))
    }

    /// P(an opening lasts longer than `total` minutes, given that it has lasted `elapsed`) by what is known.
    func probabilityOutlasts(total: Double, elapsed: Double) -> Double {
        lengths?.probabilityOutlasts(total: total, elapsed: elapsed)
            ?? issue.climatology.probabilityOutlasts(bridge, total: total, elapsed: elapsed)
    }

    /// P(the delay is longer than each edge of the bins) for an arrival when `served` minutes' worth of the queue
    /// has left an opening that has lasted `elapsed` minutes.
    func delaysOutlast(served: Double, elapsed: Double) -> InlineArray<11, Double> {
        if let lengths { return lengths.delaysOutlast(served: served, elapsed: elapsed) }
        return InlineArray { bin in
            probabilityOutlasts(total: DelayBins.edgesMinutes[bin] + served, elapsed: elapsed)
        }
    }

    /// Minutes until a share of openings that lasted `elapsed` is over, to half a minute, at most 60.
    ///
    /// - Parameter share: 0 ..< 1; 0.5 gives the median.
    func minutesLeft(elapsed: Double, share: Double) -> Double {
        stride(from: 0.5, to: 60, by: 0.5).first { more in
            probabilityOutlasts(total: elapsed + more, elapsed: elapsed) <= 1 - share
        } ?? 60
    }
}

/// A bridge's newest openings, the newest first, as plain numbers: reading them counts no references.
struct NewestOpenings: Sendable {
    private static let maxCount = 3

    /// 0...3.
    let count: Int
    private let starts: (Timestamp, Timestamp, Timestamp)
    /// When the newest one ended, if it has.
    let newestEnd: Timestamp?

    init(_ recent: [KnownOpening]) {
        count = min(recent.count, Self.maxCount)
        func start(_ index: Int) -> Timestamp {
            index < recent.count ? recent[index].start : .earliest
        }
        starts = (start(0), start(1), start(2))
        newestEnd = recent.first?.end
    }

    subscript(index: Int) -> Timestamp {
        switch index {
        case 0: starts.0
        case 1: starts.1
        default: starts.2
        }
    }
}

struct NeighbourContext: Sendable {
    let bridge: BridgeIndex
    /// How many bridges inland it lies, negative seaward; those of which nothing is known do not count.
    let offset: Int
    /// Minutes that boats take between the two on average.
    let transitMinutes: Double
    let openings: NewestOpenings
    /// By bit: whether the boat of an opening may still be on its way; of the next bridges alone.
    private let pending: UInt8

    private static let minutesPerMile = 7.7
    private static let maxOffset = 3

    static func isNext(_ offset: Int) -> Bool { abs(offset) == 1 }

    /// The bridges up to three away of which anything is known, those to the sea first.
    static func all(
        of bridge: BridgeIndex, _ own: BridgeSituation, in situation: Situation
    ) -> [NeighbourContext] {
        (-maxOffset...maxOffset).compactMap { offset in
            self.bridge(atOffset: offset, from: bridge, in: situation).map {
                NeighbourContext($0, offset: offset, of: bridge, own, neighbour: situation[$0])
            }
        }
    }

    /// The bridge at an offset inland (seaward if negative) from another, if there is one.
    ///
    /// Bridges of which nothing is known do not count: behind a silent one boats are seen at the next.
    static func bridge(
        atOffset offset: Int, from bridge: BridgeIndex, in situation: Situation
    ) -> BridgeIndex? {
        let line = BridgeCatalogue.along(BridgeCatalogue[bridge].waterway)
        guard offset != 0, var index = line.firstIndex(of: bridge) else { return nil }
        var left = abs(offset)
        while left > 0 {
            index += offset.signum()
            guard line.indices.contains(index) else { return nil }
            if situation[line[index]].isInformed { left -= 1 }
        }
        return line[index]
    }

    private init(
        _ neighbour: BridgeIndex, offset: Int, of bridge: BridgeIndex, _ own: BridgeSituation,
        neighbour situation: BridgeSituation
    ) {
        self.bridge = neighbour
        self.offset = offset
        let transit = Self.transitMinutes(bridge, neighbour)
        transitMinutes = transit
        openings = NewestOpenings(situation.recent)
        var pending: UInt8 = 0
        for index in 0..<openings.count where Self.isNext(offset) {
            if Self.isPending(situation.recent[index], own, transit: transit) {
                pending |= 1 << index
            }
        }
        self.pending = pending
    }

    /// Whether the boat of an opening may still be on its way.
    func isPending(_ index: Int) -> Bool { pending >> index & 1 == 1 }

    /// Minutes a boat takes on average from one bridge to another of the same waterway.
    static func transitMinutes(_ a: BridgeIndex, _ b: BridgeIndex) -> Double {
        abs(BridgeCatalogue[a].waterwayMile - BridgeCatalogue[b].waterwayMile) * minutesPerMile
    }

    /// Whether the boat of a neighbour's opening may still be on its way here.
    private static func isPending(
        _ opening: KnownOpening, _ own: BridgeSituation, transit: Double
    ) -> Bool {
        let cameFromHere = own.recent.contains {
            let gap = opening.start.minutes(since: $0.start)
            return gap >= 0.4 * transit && gap <= 1.8 * transit
        }
        let hasPassed = own.recent.contains {
            let gap = $0.start.minutes(since: opening.start)
            return gap >= 0.4 * transit && gap <= 2.2 * transit
        }
        return !cameFromHere && !hasPassed
    }
}
