// Times of a service day as timetables write them; part of trips that run every so often.

/// Writes times of a service day.
package enum ServiceTimeText {
    /// Such as `25:10:00`.
    package static func text(_ seconds: Int) -> String {
        [seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
            .joined(separator: ":")
    }
}
