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
    public static func heightMetres(at moment: Timestamp) -> Double { state(at: moment).metres }

    /// How much the water rises in the hour around a moment, metres; negative while it falls.
    public static func riseMetresPerHour(at moment: Timestamp) -> Double {
        state(at: moment).risePerHour
    }

    /// Both at once, for little more than one of them.
    static func state(at moment: Timestamp) -> (metres: Double, risePerHour: Double) {
        let astronomy = TideAstronomy(moment)
        return (astronomy.metres, astronomy.risePerHour)
    }
}

/// The constituents side by side: M2, S2, N2, K2, K1, O1, P1, Q1.
private struct Constituents {
    static let seattle = Constituents()

    /// Amplitudes, metres, and Greenwich phase lags, degrees.
    let metres: SIMD8<Double> = [1.063, 0.268, 0.214, 0.079, 0.834, 0.459, 0.257, 0.073]
    let lag: SIMD8<Double> = [10.8, 36.8, 341.1, 37.7, 276.8, 254.6, 276.2, 248.9]

    /// How often each argument has the day's angle and the longitudes of moon, sun and perigee, and what it adds.
    let hours: SIMD8<Double> = [2, 2, 2, 2, 1, 1, 1, 1]
    let moons: SIMD8<Double> = [-2, 0, -3, 0, 0, -2, 0, -3]
    let suns: SIMD8<Double> = [2, 0, 2, 2, 1, 1, -1, 1]
    let perigees: SIMD8<Double> = [0, 0, 1, 0, 0, 0, 0, 1]
    let offset: SIMD8<Double> = [0, 0, 0, 0, 90, 270, 270, 270]

    /// Nodal factors, `factor + factorByCosine cos N`, and angles, `angleBySine sin N` degrees.
    let factor: SIMD8<Double> = [1, 1, 1, 1.024, 1.006, 1.009, 1, 1.009]
    let factorByCosine: SIMD8<Double> = [-0.037, 0, -0.037, 0.286, 0.115, 0.187, 0, 0.187]
    let angleBySine: SIMD8<Double> = [-2.1, 0, -2.1, -17.7, -8.9, 10.8, 0, 10.8]

    /// Twice the sine of half an hour's angle: what a difference over an hour is in sines.
    let hourFactor: SIMD8<Double>

    private init() {
        let day = 24 * TideAstronomy.daysPerCentury
        let degreesPerHour =
            15 * hours + (TideAstronomy.moonPerCentury / day) * moons
            + (TideAstronomy.sunPerCentury / day) * suns
            + (TideAstronomy.perigeePerCentury / day) * perigees
        hourFactor = 2 * sineAndCosine(ofDegrees: degreesPerHour / 2).sine
    }
}

/// The sum of the constituents at a moment, by where sun and moon stand.
private struct TideAstronomy {
    /// Seconds since 1970 of noon on 1 January 2000, from which centuries are counted.
    private static let epoch = 946_728_000.0
    static let daysPerCentury = 36_525.0
    /// Degrees that the mean longitudes of moon, sun and lunar perigee gain.
    static let moonPerCentury = 481_267.8812
    static let sunPerCentury = 36_000.7698
    static let perigeePerCentury = 4_069.0137

    let metres: Double
    let risePerHour: Double

    init(_ moment: Timestamp) {
        let seconds = Double(moment.secondsSinceEpoch)
        // The day's angle, 15 degrees an hour from midnight UTC.
        let hour = (seconds / 240).truncatingRemainder(dividingBy: 360)
        // Mean longitudes, degrees, and that of the moon's ascending node.
        let centuries = (seconds - Self.epoch) / (Self.daysPerCentury * 86_400)
        let moon = 218.3164 + Self.moonPerCentury * centuries
        let sun = 280.4665 + Self.sunPerCentury * centuries
        let perigee = 83.3532 + Self.perigeePerCentury * centuries
        let node = (125.0445 - 1_934.1363 * centuries) * .pi / 180

        let all = Constituents.seattle
        let lunar = all.hours * hour + all.moons * moon + all.suns * sun + all.perigees * perigee
        let nodal = all.offset + all.angleBySine * sin(node)
        let (sine, cosine) = sineAndCosine(ofDegrees: lunar + nodal - all.lag)
        let amplitude = all.metres * (all.factor + all.factorByCosine * cos(node))
        metres = (amplitude * cosine).sum()
        risePerHour = -(amplitude * all.hourFactor * sine).sum()
    }
}
