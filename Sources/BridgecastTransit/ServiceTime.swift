// Dates and times of timetables: time zones, service days, the texts of dates and times in feeds, countdowns.
internal import BridgecastSupport
public import BridgecastCore
private import Foundation

/// A time zone of the zone database.
public struct TransitZone: Sendable, Hashable {
    /// Such as `America/Los_Angeles`.
    public let identifier: String
    private let zone: TimeZone

    /// The zone of an identifier; nil if the zone database has no such zone.
    public init?(_ identifier: String) {
        guard let zone = TimeZone(identifier: identifier) else { return nil }
        self.identifier = identifier
        self.zone = zone
    }

    /// The time zone of Seattle.
    public static let seattle = TransitZone("America/Los_Angeles") ?? TransitZone(utc: ())

    private init(utc: Void) {
        identifier = "UTC"
        zone = .gmt
    }

    /// Seconds to add to UTC to obtain local time.
    public func utcOffsetSeconds(at time: Timestamp) -> Int {
        zone.secondsFromGMT(
            for: Date(timeIntervalSince1970: Double(time.secondsSinceEpoch)))
    }

    /// Local time.
    public func civil(at time: Timestamp) -> CivilDateTime {
        let local = time.secondsSinceEpoch + Int64(utcOffsetSeconds(at: time))
        let day = local >= 0 ? local / 86_400 : (local - 86_399) / 86_400
        return CivilDateTime(
            date: CivilDate(dayNumber: Int(day)), secondOfDay: Int(local - day * 86_400))
    }

    /// When the service day of a date begins: twelve hours before noon, from where stop times count.
    ///
    /// That is midnight but on days when clocks change (GTFS reference, type Time).
    public func serviceDayStart(_ date: CivilDate) -> Timestamp {
        let noon = Int64(date.dayNumber) * 86_400 + 43_200
        // The offset at noon, found from a guess that is at most a day off.
        let guess = Timestamp(
            secondsSinceEpoch: noon
                - Int64(utcOffsetSeconds(at: Timestamp(secondsSinceEpoch: noon))))
        let offset = Int64(utcOffsetSeconds(at: guess))
        return Timestamp(secondsSinceEpoch: noon - offset - 43_200)
    }

    /// Local time such as `17:05`.
    public func clockText(_ time: Timestamp) -> String {
        let second = civil(at: time).secondOfDay
        return ClockText.hoursMinutes(ofMinutes: second / 60)
    }

    /// RFC 3339 with this zone's offset, such as `2026-02-18T17:05:00-08:00`.
    public func rfc3339(_ time: Timestamp) -> String {
        let offset = utcOffsetSeconds(at: time)
        let civil = civil(at: time)
        let second = civil.secondOfDay
        let clock = ClockText.hoursMinutesSeconds(ofSeconds: second)
        guard offset != 0 else { return "\(civil.date)T\(clock)Z" }
        let minutes = abs(offset) / 60
        return
            "\(civil.date)T\(clock)\(offset < 0 ? "-" : "+")\(ClockText.hoursMinutes(ofMinutes: minutes))"
    }
}

// MARK: - Service days

/// When service days begin and which services run on them; the days around a time are precomputed.
package final class ServiceDays: Sendable {
    private let services: ServiceCalendar
    private let zone: TransitZone
    /// The first precomputed day, as ``CivilDate/dayNumber``.
    private let firstDay: Int
    /// By precomputed day, seconds since 1970.
    private let starts: [Int64]
    /// By precomputed day and service.
    private let active: [[Bool]]

    /// Computes the days from three before a time to two after it; O(services · log exceptions).
    package init(_ feed: TransitFeed, around time: Timestamp) {
        services = feed.services
        zone = feed.zone
        let today = zone.civil(at: time).date
        let days = (-3...2).map { today.adding(days: $0) }
        firstDay = days[0].dayNumber
        starts = days.map { [zone] in zone.serviceDayStart($0).secondsSinceEpoch }
        active = days.map { [services] in services.active(on: $0) }
    }

    /// When a service day begins, seconds since 1970: twelve hours before noon.
    package func start(ofDay day: Int) -> Int64 {
        let index = day - firstDay
        guard starts.indices.contains(index) else {
            return zone.serviceDayStart(CivilDate(dayNumber: day)).secondsSinceEpoch
        }
        return starts[index]
    }

    /// Whether a service runs on a day.
    @inline(__always)
    package func isActive(_ service: Int32, onDay day: Int) -> Bool {
        let index = day - firstDay
        guard active.indices.contains(index) else {
            return services.isActive(
                ServiceIndex(Int(service)), on: CivilDate(dayNumber: day))
        }
        return active[index][Int(service)]
    }

    /// The local date at a time, as ``CivilDate/dayNumber``.
    package func day(at seconds: Int64) -> Int {
        // The precomputed days begin at midnight or an hour from it; the time zone is slow to ask.
        let index = starts.partitioningIndex { $0 > seconds } - 1
        guard index >= 1, index < starts.count - 1, seconds - starts[index] >= 3600,
            starts[index + 1] - seconds > 3600
        else {
            return zone.civil(at: Timestamp(secondsSinceEpoch: seconds)).date.dayNumber
        }
        return firstDay + index
    }
}

// MARK: - Texts

extension CivilDate {
    /// The date of `YYYYMMDD`, as feeds write it; nil for anything else.
    package init?(compact digits: some Collection<UInt8>) {
        guard digits.count == 8, let number = decimalNumber(digits) else { return nil }
        self.init(compact: number)
    }

    /// The date of a number such as 20260220; nil if there is no such date.
    init?(compact number: Int) {
        self.init(year: number / 10_000, month: number / 100 % 100, day: number % 100)
    }
}

/// Times of feeds, which count from the start of the service day and may exceed 24 hours.
package enum ServiceTime {
    /// Seconds of the service day of `H:MM:SS`, `HH:MM:SS` or `HHH:MM:SS`; nil for anything else.
    package static func seconds(_ text: String) -> Int? {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 3, (1...3).contains(parts[0].count), parts[1].count == 2,
            parts[2].count == 2, let hours = decimalNumber(parts[0]),
            let minutes = decimalNumber(parts[1]), let seconds = decimalNumber(parts[2]),
            minutes < 60, seconds < 60
        else { return nil }
        return hours * 3600 + minutes * 60 + seconds
    }
}

/// Formats countdowns.
public enum Countdown {
    /// `m:ss` below an hour, `h:mm:ss` from there on, `now` for 0 and less.
    public static func text(seconds: Int) -> String {
        guard seconds > 0 else { return "now" }
        let (minutes, rest) = seconds.quotientAndRemainder(dividingBy: 60)
        guard minutes >= 60 else { return "\(minutes):\(ClockText.twoDigits(rest))" }
        return "\(minutes / 60):\(ClockText.twoDigits(minutes % 60)):\(ClockText.twoDigits(rest))"
    }

    /// The countdown from one time to another.
    public static func text(from now: Timestamp, to time: Timestamp) -> String {
        let (seconds, overflow) = time.secondsSinceEpoch
            .subtractingReportingOverflow(now.secondsSinceEpoch)
        // Differences beyond 64 bits: past if the time is before 1970, else never.
        guard !overflow else { return text(seconds: time.secondsSinceEpoch < 0 ? 0 : .max) }
        return text(seconds: Int(seconds))
    }
}

/// The number of a few ASCII digits; nil if any byte is no digit.
private func decimalNumber(_ digits: some Collection<UInt8>) -> Int? {
    var value = 0
    for digit in digits {
        guard (48...57).contains(digit) else { return nil }
        value = value * 10 + Int(digit) - 48
    }
    return value
}
