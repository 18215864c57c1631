// Features of the calendar and the clock: which bridge, when, how far ahead, and what is usual then.
import Foundation

enum BridgeIdentityFeatures: FeatureGroup {
    static let specs = BridgeCatalogue.seattle.map { FeatureSpec.flag("bridge.\($0.name)") }

    static func append(_ row: RowContext, to values: inout RowWriter) {
        for index in 0..<BridgeCatalogue.count {
            values.append(index == row.bridge.rawValue ? 1 : 0)
        }
    }
}

/// Time of day at the valid time, as harmonics of the day and of the hour and in soft bins: rules
/// and habits change at certain minutes.
enum ClockFeatures: FeatureGroup {
    private static let dayHarmonics = 1...4
    private static let hourHarmonics = 1...3

    private static let dayBins = HatBasis(stride(from: 0, through: 1440, by: 30).map(\.self))
    private static let hourBins = HatBasis(stride(from: 0, through: 60, by: 5).map(\.self))

    static let dependsOn = FeatureDependence.validTime

    static let specs =
        pairs("clock.day", dayHarmonics) + pairs("clock.hour", hourHarmonics)
        + FeatureSpec.hats("clock.day", dayBins) + FeatureSpec.hats("clock.hour", hourBins)

    static func append(_ row: RowContext, to values: inout RowWriter) {
        let minute = row.validCivil.minuteOfDay
        appendPairs(phase: minute / 1440, dayHarmonics, to: &values)
        appendPairs(phase: minute / 60, hourHarmonics, to: &values)
        dayBins.append(minute, to: &values)
        hourBins.append(minute.truncatingRemainder(dividingBy: 60), to: &values)
    }

    private static func pairs(_ name: String, _ harmonics: ClosedRange<Int>) -> [FeatureSpec] {
        harmonics.flatMap {
            [
                FeatureSpec("\(name).sin\($0)", .one, -1...1),
                FeatureSpec("\(name).cos\($0)", .one, -1...1),
            ]
        }
    }

    private static func appendPairs(
        phase: Double, _ harmonics: ClosedRange<Int>, to values: inout RowWriter
    ) {
        for harmonic in harmonics {
            let angle = 2 * Double.pi * phase * Double(harmonic)
            values.append(Float(sin(angle)))
            values.append(Float(cos(angle)))
        }
    }
}

/// The day at the valid time: weekday, holiday, and how high the sun stands.
///
/// There is no season: the records cover parts of two winters and one spring, too little to learn
/// one from, and networks that were shown the day of the year were no better on later days.
enum CalendarFeatures: FeatureGroup {
    static let dependsOn = FeatureDependence.validTime

    static let specs =
        Weekday.allCases.map { FeatureSpec.flag("calendar.\($0)") } + [
            .flag("calendar.holiday"), .flag("calendar.weekend"),
            FeatureSpec("calendar.sun", .one, -1...1),
        ]

    static func append(_ row: RowContext, to values: inout RowWriter) {
        let date = row.validCivil.date
        let weekday = date.weekday
        for day in Weekday.allCases { values.append(day == weekday ? 1 : 0) }
        let isWeekend = row.validDayType == .weekend
        values.append(isWeekend && !weekday.isWeekend ? 1 : 0)
        values.append(isWeekend ? 1 : 0)
        values.append(Float(Daylight.sineOfSunElevation(at: row.validTime)))
    }
}

/// The lead time in soft scales.
enum LeadFeatures: FeatureGroup {
    private static let scalesMinutes = [2.0, 5, 12, 30]

    static let specs =
        scalesMinutes.map { FeatureSpec("lead.decay\(Int($0))min", .one, 0...1) } + [
            FeatureSpec("lead.hours", .one, 0...1)
        ]

    static func append(_ row: RowContext, to values: inout RowWriter) {
        let lead = row.leadMinutes
        for scale in scalesMinutes { values.append(Float(exp(-lead / scale))) }
        values.append(Float(lead / 60))
    }
}

/// What is usual at the valid time.
enum ClimatologyFeatures: FeatureGroup {
    static let specs = [
        FeatureSpec("climatology.openLogit", .logit, -12...12),
        FeatureSpec("climatology.openLogitSinceIssue", .logit, -12...12),
        FeatureSpec("climatology.dayRate", .one, 0...3),
    ]

    static func append(_ row: RowContext, to values: inout RowWriter) {
        let usual = logit(row.openProbability)
        let usualAtIssue = row.climatology.openProbability(of: row.bridge, at: row.issueCivil)
        values.append(usual)
        values.append(usual - logit(usualAtIssue))
        let rate = row.climatology.openingsPerDay[row.bridge, row.validDayType]
        values.append(min(3, log1p(rate)))
    }
}

/// The degree of saturation of the approach.
enum TrafficFeatures: FeatureGroup {
    static let specs = [
        FeatureSpec("traffic.density", .one, 0...1),
        FeatureSpec("traffic.queueStretch", .one, 0...3),
    ]

    static func append(_ row: RowContext, to values: inout RowWriter) {
        values.append(row.density)
        values.append(min(3, -log1p(-row.density)))
    }
}
