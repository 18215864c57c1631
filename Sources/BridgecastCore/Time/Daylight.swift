// How high the sun stands over the Ship Canal: a feature, because pleasure boats move by day.
import Foundation

/// The sun's elevation over Seattle.
public enum Daylight {
    /// Sine of the sun's elevation, -1...1; positive by day.
    ///
    /// Low-precision formula (about half a degree): declination and equation of time by the
    /// fractional year, NOAA Global Monitoring Laboratory, "General Solar Position Calculations".
    public static func sineOfSunElevation(at moment: Timestamp) -> Double {
        let (days, second) = floorDivide(moment.secondsSinceEpoch, 86_400)
        let hour = Double(second) / 3600
        let dayOfYear = Double(CivilDate(dayNumber: Int(days)).dayOfYear)
        let angle = 2 * Double.pi / 365 * (dayOfYear - 1 + (hour - 12) / 24)
        let (c, s) = (cos(angle), sin(angle))
        // Of twice and three times the angle.
        let (c2, s2) = (c * c - s * s, 2 * s * c)
        let (c3, s3) = (c2 * c - s2 * s, s2 * c + c2 * s)
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
