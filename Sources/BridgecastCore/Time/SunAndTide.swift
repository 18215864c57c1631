// The sun and the tide over Seattle, which boats depend on.
import Foundation

/// The sun's elevation over Seattle.
public enum Daylight {
    /// Sine of the sun's elevation, -1...1; positive by day.
    ///
    /// Low-precision formula (about half a degree): declination and equation of time by the
    /// fractional year, NOAA Global Monitoring Laboratory, "General Solar Position Calculations".
    public static func sineOfSunElevation(at time: Timestamp) -> Double {
        let (days, second) = floorDivide(time.secondsSinceEpoch, 86_400)
        let hour = Double(second) / 3600
        let dayOfYear = Double(CivilDate(dayNumber: Int(days)).dayOfYear)
        let angle = 2 * Double.pi / 365 * (dayOfYear - 1 + (hour - 12) / 24)
        let c = cos(angle)
        let s = sin(angle)
        // Of twice and three times the angle.
        let c2 = c * c - s * s
        let s2 = 2 * s * c
        let c3 = c2 * c - s2 * s
        let s3 = s2 * c + c2 * s
        let equationOfTimeMinutes =
            229.18 * (0.000075 + 0.001868 * c - 0.032077 * s - 0.014615 * c2 - 0.040849 * s2)
        let declination =
            0.006918 - 0.399912 * c + 0.070257 * s - 0.006758 * c2 + 0.000907 * s2
            - 0.002697 * c3 + 0.00148 * s3
        let solarMinutes = hour * 60 + equationOfTimeMinutes + 4 * longitude
        let hourAngle = (solarMinutes / 4 - 180) * Double.pi / 180
        return latitude.sin * sin(declination) + latitude.cos * cos(declination) * cos(hourAngle)
    }

    /// Sine and cosine of 47.65 degrees north.
    private static let latitude = (
        sin: sin(47.65 * Double.pi / 180), cos: cos(47.65 * Double.pi / 180)
    )
    private static let longitude = -122.34
}

// MARK: - Tide

/// The astronomical tide at Seattle.
///
/// A harmonic prediction from the eight largest daily and half-daily constituents. The other 28 of the station amount
/// to 10 cm (root mean square), at most some 30 cm. Weather is not in it. Amplitudes and phases: NOAA, station
/// 9447130 (Seattle, Madison Street), which is public domain. Astronomical arguments, nodal factors and angles:
/// Schureman, "Manual of Harmonic Analysis and Prediction of Tides", US Coast and Geodetic Survey, Special
/// Publication 98 (1940), in their usual short forms.
struct Tide {
    /// Height of the water above mean sea level, about -3.2...2.2.
    let metres: Double
    /// How much the water rises in the hour around, metres; negative while it falls.
    let risePerHour: Double

    private static let daysPerCentury = 36_525.0
    /// Seconds since 1970 of noon on 1 January 2000, from which centuries are counted.
    private static let epoch = 946_728_000.0
    /// Degrees that the mean longitudes of moon, sun and lunar perigee gain.
    private static let moonPerCentury = 481_267.8812
    private static let sunPerCentury = 36_000.7698
    private static let perigeePerCentury = 4_069.0137

    init(at time: Timestamp) {
        let seconds = Double(time.secondsSinceEpoch)
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

        /// Twice the sine of half an hour's angle: the factor of a difference over an hour.
        let hourFactor: SIMD8<Double>

        private init() {
            let day = 24 * Tide.daysPerCentury
            let degreesPerHour =
                15 * hours + (Tide.moonPerCentury / day) * moons + (Tide.sunPerCentury / day) * suns
                + (Tide.perigeePerCentury / day) * perigees
            hourFactor = 2 * sineAndCosine(ofDegrees: degreesPerHour / 2).sine
        }
    }
}

// MARK: - Eight sines at once

/// The sines and the cosines of eight angles, to about 1e-11; eight calls would be a third of the time of a tide.
///
/// With t half of what the angle leaves of whole turns, in -pi / 2 ... pi / 2, both are found by Taylor's series
/// for t, then by sin 2t = 2 sin t cos t and cos 2t = 1 - 2 sin^2 t.
///
/// - Parameter degrees: Below 1e12 in magnitude.
func sineAndCosine(
    ofDegrees degrees: SIMD8<Double>
) -> (sine: SIMD8<Double>, cosine: SIMD8<Double>) {
    let turns = degrees * (1.0 / 360)
    // Adding and subtracting this rounds to whole numbers.
    let whole = (turns + 0x1.8p52) - 0x1.8p52
    let t = (turns - whole) * Double.pi
    let z = t * t
    // One statement a step: of the whole polynomial the compiler would not find the types.
    var sine: SIMD8<Double> = z * (1 / 355_687_428_096_000) - 1 / 1_307_674_368_000
    for coefficient in [
        1.0 / 6_227_020_800, -1.0 / 39_916_800, 1.0 / 362_880, -1.0 / 5_040, 1.0 / 120, -1.0 / 6, 1,
    ] as [Double] {
        sine = sine * z + coefficient
    }
    sine *= t
    var cosine: SIMD8<Double> = z * (1 / 20_922_789_888_000) - 1 / 87_178_291_200
    for coefficient in [
        1.0 / 479_001_600, -1.0 / 3_628_800, 1.0 / 40_320, -1.0 / 720, 1.0 / 24, -1.0 / 2, 1,
    ] as [Double] {
        cosine = cosine * z + coefficient
    }
    return (2 * (sine * cosine), 1 - 2 * (sine * sine))
}
