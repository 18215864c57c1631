// How high the water stands at Seattle: a feature, because laden tugs and barges of the Duwamish wait for it.
import Foundation

/// The astronomical tide at Seattle.
///
/// A harmonic prediction from the eight largest daily and half-daily constituents. The other 28 of the station amount
/// to 10 cm (root mean square), at most some 30 cm. Weather is not in it. Amplitudes and phases: NOAA, station 9447130
/// (Seattle, Madison Street), which is public domain. Astronomical arguments, nodal factors and angles: Schureman,
/// "Manual of Harmonic Analysis and Prediction of Tides", US Coast and Geodetic Survey, Special Publication 98 (1940),
/// in their usual short forms.
public enum Tide {
    /// Height of the water above mean sea level at a moment, metres, about -3.2...2.2.
    public static func heightMetres(at moment: Timestamp) -> Double {
        TideAstronomy(moment).heightMetres
    }

    /// How much the water rises in the hour around a moment, metres; negative while it falls.
    public static func riseMetresPerHour(at moment: Timestamp) -> Double {
        heightMetres(at: moment.adding(minutes: 30)) - heightMetres(at: moment.adding(minutes: -30))
    }
}

/// Where sun and moon stand, as tides need them.
private struct TideAstronomy {
    /// Amplitude in metres and Greenwich phase lag in degrees of a constituent.
    private struct Constituent {
        let metres: Double
        let lag: Double
    }

    private static let m2 = Constituent(metres: 1.063, lag: 10.8)
    private static let s2 = Constituent(metres: 0.268, lag: 36.8)
    private static let n2 = Constituent(metres: 0.214, lag: 341.1)
    private static let k2 = Constituent(metres: 0.079, lag: 37.7)
    private static let k1 = Constituent(metres: 0.834, lag: 276.8)
    private static let o1 = Constituent(metres: 0.459, lag: 254.6)
    private static let p1 = Constituent(metres: 0.257, lag: 276.2)
    private static let q1 = Constituent(metres: 0.073, lag: 248.9)

    /// Seconds since 1970 of noon on 1 January 2000, from which centuries are counted.
    private static let epoch = 946_728_000.0
    private static let secondsPerCentury = 36_525.0 * 86_400

    /// The day's angle, 15 degrees an hour from midnight UTC.
    private let hour: Double
    /// Mean longitudes of moon, sun, lunar perigee and ascending node, degrees.
    private let moon, sun, perigee: Double
    private let node: Double

    init(_ moment: Timestamp) {
        let seconds = Double(moment.secondsSinceEpoch)
        hour = (seconds / 240).truncatingRemainder(dividingBy: 360)
        let centuries = (seconds - Self.epoch) / Self.secondsPerCentury
        moon = 218.3164 + 481_267.8812 * centuries
        sun = 280.4665 + 36_000.7698 * centuries
        perigee = 83.3532 + 4_069.0137 * centuries
        node = (125.0445 - 1_934.1363 * centuries) * .pi / 180
    }

    var heightMetres: Double {
        let (c, s) = (cos(node), sin(node))
        let lunar = 1 - 0.037 * c
        let lunarAngle = -2.1 * s
        let lunarDaily = 1.009 + 0.187 * c
        let lunarDailyAngle = 10.8 * s
        var height = part(Self.m2, lunar, 2 * (hour + sun - moon) + lunarAngle)
        height += part(Self.s2, 1, 2 * hour)
        height += part(Self.n2, lunar, 2 * (hour + sun) - 3 * moon + perigee + lunarAngle)
        height += part(Self.k2, 1.024 + 0.286 * c, 2 * (hour + sun) - 17.7 * s)
        height += part(Self.k1, 1.006 + 0.115 * c, hour + sun + 90 - 8.9 * s)
        height += part(Self.o1, lunarDaily, hour + sun - 2 * moon + 270 + lunarDailyAngle)
        height += part(Self.p1, 1, hour - sun + 270)
        height += part(
            Self.q1, lunarDaily, hour + sun - 3 * moon + perigee + 270 + lunarDailyAngle)
        return height
    }

    private func part(_ constituent: Constituent, _ factor: Double, _ argument: Double) -> Double {
        factor * constituent.metres * cos((argument - constituent.lag) * .pi / 180)
    }
}
