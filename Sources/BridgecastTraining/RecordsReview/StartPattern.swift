// When in a day openings begin, by bridge and kind of day; what ClockShift compares a week's clock with.
import BridgecastCore
import Foundation

/// The density of starts over the minutes of a day, smoothed by a Gaussian of 8 minutes.
///
/// Seattle's closed hours are its sharpest edges: on weekdays the Ship Canal's bridges need not open from 7 to 9 and
/// from 16 to 18.
struct StartPattern {
    /// The start of an opening on Seattle's clock.
    struct Start {
        let bridge: BridgeIndex
        let day: Int
        let dayType: DayType
        let minute: Int

        init(_ opening: Opening) {
            let civil = SeattleTime.civil(at: opening.start)
            bridge = opening.bridge
            day = civil.date.dayNumber
            dayType = DayType(civil.date)
            minute = civil.secondOfDay / 60
        }

        var week: Int { BridgeWeek.number(ofDay: day) }
        var row: Int { bridge.rawValue * DayType.allCases.count + dayType.rawValue }
    }

    private static let smoothingMinutes = 8.0
    private static let reach = 40
    /// The share of openings that come at any time whatever.
    private static let floor = 0.1
    /// Openings' worth of an even spread, for bridges with few.
    private static let evenOpenings = 20.0

    private let kernel: [Double]
    private var sums: [[Double]]
    private var counts: [Double]

    /// The pattern of some starts.
    init(_ starts: [Start]) {
        let raw = (-Self.reach...Self.reach).map {
            exp(-0.5 * pow(Double($0) / Self.smoothingMinutes, 2))
        }
        let total = raw.reduce(0, +)
        kernel = raw.map { $0 / total }
        let rows = BridgeCatalogue.count * DayType.allCases.count
        sums = Array(repeating: Array(repeating: 0, count: 1440), count: rows)
        counts = Array(repeating: 0, count: rows)
        for start in starts {
            counts[start.row] += 1
            for offset in -Self.reach...Self.reach {
                sums[start.row][(start.minute + offset + 1440) % 1440] +=
                    kernel[
                        offset + Self.reach]
            }
        }
    }

    /// ln of the density at a minute of the day for a start, without the starts of its own week.
    ///
    /// - Parameter own: The starts of its week, bridge and kind of day.
    func logDensity(of start: Start, at minute: Int, without own: [Start]) -> Double {
        let nearby = own.reduce(0) { $0 + weight(minute - $1.minute) }
        let count = counts[start.row] - Double(own.count)
        let known = sums[start.row][minute] - nearby + Self.evenOpenings / 1440
        let density = max(known, 0) / (count + Self.evenOpenings)
        return log((1 - Self.floor) * density + Self.floor / 1440)
    }

    private func weight(_ distance: Int) -> Double {
        let around = abs(distance) % 1440
        let near = min(around, 1440 - around)
        return near <= Self.reach ? kernel[near + Self.reach] : 0
    }
}
