// Inputs that depend on the arrival time and the lead alone, and those of the traffic then.
import Foundation

/// Time of day at the valid time, as harmonics of the day and of the hour and in soft bins: rules
/// and habits change at certain minutes.
enum ClockFeatures: FeatureGroup {
    private static let dayBins = HatBasis(stride(from: 0, through: 1440, by: 30).map(\.self))
    private static let hourBins = HatBasis(stride(from: 0, through: 60, by: 5).map(\.self))

    static func depends(on kind: FeatureSourceKind) -> Bool { kind == .validTime }

    static func write(_ source: some FeatureSource, to row: inout some FeatureSink & ~Copyable) {
        let minute = source.atValidTime { $0.civil.minuteOfDay }
        harmonics(4, "clock.day", phase: minute.map { $0 / 1440 }, to: &row)
        harmonics(3, "clock.hour", phase: minute.map { $0 / 60 }, to: &row)
        row.hats("clock.day", dayBins, minute)
        row.hats("clock.hour", hourBins, source.atValidTime { $0.minuteOfHour })
    }

    /// The sine and the cosine of multiples of a phase, from the first on, each by turning the one before.
    @inline(__always)
    private static func harmonics(
        _ count: Int, _ name: String, phase: Double?, to row: inout some FeatureSink & ~Copyable
    ) {
        let turn = phase.map { phase in
            let angle = 2 * Double.pi * phase
            return (sin: sin(angle), cos: cos(angle))
        }
        var here = turn
        for multiple in 1...count {
            row.input(
                FeatureSpec("\(name).sin\(multiple)", .one, -1...1), here.map { Float($0.sin) })
            row.input(
                FeatureSpec("\(name).cos\(multiple)", .one, -1...1), here.map { Float($0.cos) })
            guard let turn, let old = here else { continue }
            here = (
                old.sin * turn.cos + old.cos * turn.sin, old.cos * turn.cos - old.sin * turn.sin
            )
        }
    }
}

/// The day at the valid time: weekday, holiday, and the height of the sun.
///
/// There is no season: the climatology that the network corrects has one, and networks that were shown the day of the
/// year were no better on later days.
enum CalendarFeatures: FeatureGroup {
    static func depends(on kind: FeatureSourceKind) -> Bool { kind == .validTime }

    static func write(_ source: some FeatureSource, to row: inout some FeatureSink & ~Copyable) {
        let weekday = source.atValidTime { $0.civil.date.weekday }
        for day in Weekday.allCases {
            row.flag("calendar.\(day)", weekday.map { $0 == day })
        }
        let isWeekend = source.atValidTime { $0.dayType == .weekend }
        row.flag("calendar.holiday", isWeekend == true && weekday?.isWeekend == false)
        row.flag("calendar.weekend", isWeekend)
        row.input(FeatureSpec("calendar.sun", .one, -1...1), source.atValidTime { Float($0.sun) })
    }
}

enum LeadFeatures: FeatureGroup {
    private static let scalesMinutes = [2.0, 5, 12, 30]

    static func depends(on kind: FeatureSourceKind) -> Bool { kind == .validTime }

    static func write(_ source: some FeatureSource, to row: inout some FeatureSink & ~Copyable) {
        let lead = source.atValidTime { $0.leadMinutes }
        for scale in scalesMinutes {
            row.input(
                FeatureSpec("lead.decay\(Int(scale))min", .one, 0...1),
                lead.map { Float(exp(-$0 / scale)) })
        }
        row.input(FeatureSpec("lead.hours", .one, 0...1), lead.map { Float($0 / 60) })
    }
}

/// The height of the water at the valid time, and whether it rises: barges and tugs of the Duwamish wait for water.
///
/// In the records the openings of 1st Ave South, South Park and Lower Spokane St are a third as frequent as on
/// average at the lowest tenth of heights, and 1.2 to 2 times as frequent at the highest.
enum TideFeatures: FeatureGroup {
    private static let height = HatBasis([-3, -2, -1.3, -0.7, -0.2, 0.3, 0.8, 1.3, 2.3])
    private static let rise = HatBasis([-1.2, -0.6, -0.3, 0, 0.3, 0.6, 1.2])

    static func depends(on kind: FeatureSourceKind) -> Bool { kind == .validTime }

    static func write(_ source: some FeatureSource, to row: inout some FeatureSink & ~Copyable) {
        row.hats("tide.height", height, unit: "m", source.atValidTime { $0.tide.metres })
        row.hats("tide.rise", rise, unit: "m/h", source.atValidTime { $0.tide.risePerHour })
    }
}

/// The degree of saturation of the approach.
enum TrafficFeatures: FeatureGroup {
    static func depends(on kind: FeatureSourceKind) -> Bool { kind == .traffic }

    static func write(_ source: some FeatureSource, to row: inout some FeatureSink & ~Copyable) {
        row.input(FeatureSpec("traffic.density", .one, 0...1), source.ofTraffic { $0.saturation })
        row.input(
            FeatureSpec("traffic.queueStretch", .one, 0...3),
            source.ofTraffic { min(3, $0.logStretch) })
    }
}
