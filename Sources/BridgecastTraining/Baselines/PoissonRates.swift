// The baseline that other trackers of these bridges publish: opening rates by weekday and hour.
package import BridgecastCore
private import Foundation

/// Opening rates by weekday and hour: the forecast that other trackers of these bridges publish.
package struct PoissonRates: Baseline {
    /// The last so many covered days are counted.
    private static let days = 84.0
    /// Rates are drawn towards the bridge's mean rate as if it had been seen for so many hours.
    private static let shrinkageHours = 1.0

    private let blockedShare: [Float]

    /// Counts the last 84 covered days of each bridge.
    package init(_ history: OpeningHistory) {
        blockedShare = BridgeIndex.all.flatMap { Self.shares(history, of: $0) }
    }

    /// P(blocked) = 1 - exp(-rate x mean length), as in a queue without end (M/G/infinity).
    package func probabilityBlocked(_ query: BaselineQuery) -> Float {
        blockedShare[query.bridge.rawValue * 168 + Self.cell(query.validCivil)]
    }

    private static func cell(_ civil: CivilDateTime) -> Int {
        civil.date.weekday.rawValue * 24 + civil.hour
    }

    private static func shares(_ history: OpeningHistory, of bridge: BridgeIndex) -> [Float] {
        var hours = [Double](repeating: 0, count: 168)
        var counts = hours
        var minutesOpen = 0.0
        for period in lastDays(history.coverage.periods[bridge.rawValue]) {
            var moment = period.lowerBound
            while moment < period.upperBound {
                let civil = SeattleTime.civil(at: moment)
                let next = moment.adding(seconds: Int64(3600 - civil.secondOfDay % 3600))
                let end = min(next, period.upperBound)
                hours[cell(civil)] += end.minutes(since: moment) / 60
                moment = end
            }
            for opening in history.openings(of: bridge, overlapping: period)
            where period.contains(opening.start) {
                counts[cell(SeattleTime.civil(at: opening.start))] += 1
                minutesOpen += opening.minutes ?? 0
            }
        }
        let total = counts.reduce(0, +)
        let meanRate = (total + 0.5) / (hours.reduce(0, +) + 1)
        let meanHours = total > 0 ? minutesOpen / total / 60 : 0.1
        return zip(counts, hours).map { count, hours in
            let rate = (count + shrinkageHours * meanRate) / (hours + shrinkageHours)
            return Float(1 - exp(-rate * meanHours))
        }
    }

    private static func lastDays(_ periods: [Range<Timestamp>]) -> [Range<Timestamp>] {
        var left = days * 1440
        var result: [Range<Timestamp>] = []
        for period in periods.reversed() where left > 0 {
            let minutes = min(left, period.upperBound.minutes(since: period.lowerBound))
            result.append(period.upperBound.adding(minutes: -minutes)..<period.upperBound)
            left -= minutes
        }
        return result
    }
}
