/// Times of day as `hh:mm` or `hh:mm:ss`, and what they are made of.
package enum ClockText {
    /// A whole number, 0 or more, with at least two digits: `07`.
    package static func twoDigits(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }

    /// `07:05`; hours may exceed 23, as they do in timetables.
    package static func hoursMinutes(_ hours: Int, _ minutes: Int) -> String {
        "\(twoDigits(hours)):\(twoDigits(minutes))"
    }

    /// `07:05` of minutes since midnight.
    package static func hoursMinutes(ofMinutes minutes: Int) -> String {
        hoursMinutes(minutes / 60, minutes % 60)
    }

    /// `07:05:09` of seconds since midnight.
    package static func hoursMinutesSeconds(ofSeconds seconds: Int) -> String {
        "\(hoursMinutes(seconds / 3600, seconds / 60 % 60)):\(twoDigits(seconds % 60))"
    }
}
