// How long a feed asks to be left alone (RFC 9110, section 10.2.3); used by FeedClient.
internal import BridgecastCore
private import Foundation

/// The `Retry-After` field of a reply.
enum RetryAfter {
    /// No feed means to be left alone for years, whatever it says.
    private static let longestSeconds = 3_600.0

    /// Seconds of a field, a number or an HTTP date; an hour at most, nil if it is neither.
    static func seconds(_ field: String?, at now: Timestamp) -> Double? {
        field.flatMap { stated($0, now) }.map { min($0, longestSeconds) }
    }

    private static func stated(_ field: String, _ now: Timestamp) -> Double? {
        if let seconds = Double(field), seconds >= 0 { return seconds }
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(secondsFromGMT: 0)
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
        return format.date(from: field).map {
            max(0, $0.timeIntervalSince1970 - Double(now.secondsSinceEpoch))
        }
    }
}
