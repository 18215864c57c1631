// Features of the time of day.
import Foundation

/// Time of day at the valid time, as harmonics of the day and of the hour and in soft bins: rules
/// and habits change at certain minutes.
enum ClockFeatures: MomentFeatures {
    private static let dayHarmonics = 4
    private static let hourHarmonics = 3

    private static let dayBins = HatBasis(stride(from: 0, through: 1440, by: 30).map(\.self))
    private static let hourBins = HatBasis(stride(from: 0, through: 60, by: 5).map(\.self))

    static let count =
        2 * (dayHarmonics + hourHarmonics) + dayBins.count + hourBins.count

    static let specs =
        pairs("clock.day", dayHarmonics) + pairs("clock.hour", hourHarmonics)
        + FeatureSpec.hats("clock.day", dayBins) + FeatureSpec.hats("clock.hour", hourBins)

    static func append(_ moment: MomentContext, to values: inout RowWriter) {
        let minute = moment.validCivil.minuteOfDay
        appendPairs(phase: minute / 1440, dayHarmonics, to: &values)
        appendPairs(phase: minute / 60, hourHarmonics, to: &values)
        dayBins.append(minute, to: &values)
        hourBins.append(minute.truncatingRemainder(dividingBy: 60), to: &values)
    }

    private static func pairs(_ name: String, _ harmonics: Int) -> [FeatureSpec] {
        (1...harmonics).flatMap {
            [
                FeatureSpec("\(name).sin\($0)", .one, -1...1),
                FeatureSpec("\(name).cos\($0)", .one, -1...1),
            ]
        }
    }

    /// The sine and the cosine of so many multiples of a phase, from the first on, by turning the one before.
    private static func appendPairs(
        phase: Double, _ harmonics: Int, to values: inout RowWriter
    ) {
        let angle = 2 * Double.pi * phase
        let turn = (sin: sin(angle), cos: cos(angle))
        var here = turn
        for _ in 0..<harmonics {
            values.append(Float(here.sin))
            values.append(Float(here.cos))
            here = (
                here.sin * turn.cos + here.cos * turn.sin,
                here.cos * turn.cos - here.sin * turn.sin
            )
        }
    }
}
