// Whether issued forecasts are as good as the published evaluation: a test with a known rate of false alarms.
package import BridgecastCore
package import Foundation

/// The skill of the published evaluation as live, by bridge: what the live feed alone reports, a day after the first
/// reading.
package struct SkillReference: Sendable {
    /// The evaluated days.
    package let days: Int
    /// Log loss skill of being stopped, with its standard error.
    package let skills: [BridgeIndex: (value: Double, error: Double)]

    package init(days: Int, skills: [BridgeIndex: (value: Double, error: Double)]) {
        self.days = days
        self.skills = skills
    }

    private struct File: Decodable {
        struct Figure: Decodable {
            let value: Double
            let low: Double
            let high: Double
        }
        struct Event: Decodable { let logLossSkill: Figure }
        struct Bridge: Decodable {
            let bridge: String
            let stopped: Event
        }
        struct Knowledge: Decodable {
            let observedMin: Int
            let byBridge: [Bridge]?
        }
        let days: Int
        let asLive: [Knowledge]
    }

    private static let observedMinutes = 1_440

    /// Standard errors from one end of a 95 % interval to the other.
    private static let errorsInInterval = 2 * 1.96

    /// Reads the file of `bridgecast evaluate --skill`; nil for anything else, for fewer than two days, and without
    /// figures as live.
    package init?(_ data: Data) {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        guard let file = try? decoder.decode(File.self, from: data), file.days > 1,
            let bridges = file.asLive.first(where: { $0.observedMin == Self.observedMinutes })?
                .byBridge
        else { return nil }
        days = file.days
        var skills: [BridgeIndex: (value: Double, error: Double)] = [:]
        for entry in bridges {
            guard let bridge = BridgeCatalogue.index(named: entry.bridge) else { continue }
            let figure = entry.stopped.logLossSkill
            skills[bridge] = (figure.value, (figure.high - figure.low) / Self.errorsInInterval)
        }
        guard !skills.isEmpty else { return nil }
        self.skills = skills
    }
}

/// The loss of a day's forecasts of being stopped, by bridge.
package struct DailyLoss: Sendable {
    /// The day of the issue times.
    package let date: CivilDate
    /// Sums of log loss of model and climatology.
    package let losses: [BridgeIndex: (model: Double, climatology: Double)]

    package init(
        date: CivilDate, losses: [BridgeIndex: (model: Double, climatology: Double)]
    ) {
        self.date = date
        self.losses = losses
    }
}

/// Compares the daily log loss of a fortnight with what the published skill predicts from climatology's.
///
/// The test of Diebold and Mariano (1995) on the daily differences between the model's loss and
/// (1 - published skill) x climatology's, bridge by bridge, so that neither busy days nor missing bridges count as drift.
/// Days are taken as independent, as for the published intervals; the uncertainty of the published skill is added, and
/// the statistic compared with Student's t, as Harvey, Leybourne and Newbold (1997) advise for few days, with the degrees
/// of freedom of Welch and Satterthwaite. Every fortnight is tested once, however often one looks: without drift one in
/// 200 is called worse, one in eight years. Losses are skewed upwards, which makes that rarer and the opposite tail too
/// heavy: nothing is called better. A correlation of 0.3 between days makes it up to four times as frequent.
package enum DriftTest {
    /// The share of fortnights without drift that are called worse.
    package static let falseAlarmRate = 0.005
    package static let blockDays = 14
    /// With fewer scored days a fortnight is not tested.
    package static let minDays = 10

    package enum Outcome: String, Sendable {
        /// No fortnight is complete, or too few of its days were scored.
        case untested
        case agrees
        case worse
    }

    package struct Result: Sendable {
        package let outcome: Outcome
        /// First day of the fortnight.
        package let from: CivilDate
        /// Its days with forecasts that were scored.
        package let days: Int
        /// Log loss skill in the fortnight; nil without forecasts.
        package var skill: Double?
        /// The published skill of the same bridges; nil without forecasts.
        package var expectedSkill: Double?
        /// P(a mean loss this high or higher) without drift; nil if untested.
        package var pValue: Double?
    }

    /// Tests the last complete fortnight; fortnights follow each other from a fixed day on.
    ///
    /// - Parameter end: The first day whose outcomes are not all known.
    package static func latest(
        _ days: [DailyLoss], against reference: SkillReference, before end: CivilDate
    ) -> Result {
        let block = Int((Double(end.dayNumber) / Double(blockDays)).rounded(.down)) - 1
        let from = CivilDate(dayNumber: block * blockDays)
        let until = from.adding(days: blockDays)
        return test(days.filter { $0.date >= from && $0.date < until }, from: from, reference)
    }

    static func test(
        _ days: [DailyLoss], from: CivilDate, _ reference: SkillReference
    ) -> Result {
        var differences: [Double] = []
        var total = (model: 0.0, expected: 0.0, climatology: 0.0)
        var climatology: [BridgeIndex: Double] = [:]
        for day in days {
            var difference = 0.0
            var isScored = false
            for (bridge, loss) in day.losses {
                guard let skill = reference.skills[bridge], loss.climatology > 0 else { continue }
                let expected = (1 - skill.value) * loss.climatology
                difference += loss.model - expected
                total.model += loss.model
                total.expected += expected
                total.climatology += loss.climatology
                climatology[bridge, default: 0] += loss.climatology
                isScored = true
            }
            if isScored { differences.append(difference) }
        }
        var result = Result(outcome: .untested, from: from, days: differences.count)
        guard total.climatology > 0 else { return result }
        result.skill = 1 - total.model / total.climatology
        result.expectedSkill = 1 - total.expected / total.climatology
        guard differences.count >= minDays else { return result }
        let referenceVariance = climatology.reduce(0) { sum, entry in
            sum + pow(entry.value * (reference.skills[entry.key]?.error ?? 0), 2)
        }
        let pValue = pValue(differences, referenceVariance, reference.days)
        let outcome = pValue < falseAlarmRate ? Outcome.worse : .agrees
        return Result(
            outcome: outcome, from: from, days: result.days, skill: result.skill,
            expectedSkill: result.expectedSkill, pValue: pValue)
    }

    /// - Parameter referenceVariance: Of the sum of the differences, by the uncertainty of the published skill.
    private static func pValue(
        _ differences: [Double], _ referenceVariance: Double, _ referenceDays: Int
    ) -> Double {
        let count = Double(differences.count)
        let sum = differences.reduce(0, +)
        let squares = differences.reduce(0) { $0 + pow($1 - sum / count, 2) }
        let variance = count * squares / (count - 1)
        let whole = variance + referenceVariance
        guard whole > 0 else { return sum > 0 ? 0 : sum < 0 ? 1 : 0.5 }
        let freedom =
            whole * whole
            / (variance * variance / (count - 1)
                + referenceVariance * referenceVariance / Double(max(1, referenceDays - 1)))
        return StudentT.upperTail(sum / whole.squareRoot(), degreesOfFreedom: freedom)
    }
}

/// Student's distribution.
enum StudentT {
    private static let steps = 2_000

    /// P(T >= t), by Simpson's rule in the angle whose tangent is t / sqrt(degrees of freedom).
    static func upperTail(_ t: Double, degreesOfFreedom freedom: Double) -> Double {
        guard t >= 0 else { return 1 - upperTail(-t, degreesOfFreedom: freedom) }
        // The density in that angle is proportional to cos^(freedom - 1), on a bounded interval.
        let start = atan(t / freedom.squareRoot())
        let area = integral(from: start, freedom)
        return area / (2 * integral(from: 0, freedom))
    }

    /// The integral of cos^(freedom - 1) up to a right angle.
    private static func integral(from start: Double, _ freedom: Double) -> Double {
        let width = (.pi / 2 - start) / Double(steps)
        return (0...steps).reduce(0) { sum, index in
            let weight = index == 0 || index == steps ? 1.0 : index.isMultiple(of: 2) ? 2 : 4
            let cosine = max(0, cos(start + Double(index) * width))
            return sum + weight * pow(cosine, freedom - 1) * width / 3
        }
    }
}
