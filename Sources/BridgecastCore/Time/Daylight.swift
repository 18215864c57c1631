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
        let equationOfTimeMinutes =
            229.18
            * (0.000075 + 0.001868 * cos(angle) - 0.032077 * sin(angle)
                - 0.014615 * cos(2 * angle) - 0.040849 * sin(2 * angle))
        let declination =
            0.006918 - 0.399912 * cos(angle) + 0.070257 * sin(angle) - 0.006758 * cos(2 * angle)
            + 0.000907 * sin(2 * angle) - 0.002697 * cos(3 * angle) + 0.00148 * sin(3 * angle)
        let solarMinutes = hour * 60 + equationOfTimeMinutes + 4 * longitude
        let hourAngle = (solarMinutes / 4 - 180) * Double.pi / 180
        let latitudeRadians = latitude * Double.pi / 180
        return sin(latitudeRadians) * sin(declination)
            + cos(latitudeRadians) * cos(declination) * cos(hourAngle)
    }

    private static let latitude = 47.65
    private static let longitude = -122.34
}
