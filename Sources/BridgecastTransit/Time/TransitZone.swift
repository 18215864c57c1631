// The clock that a timetable is by: service days, civil time and back, anywhere on earth.
// Belongs here: days, times of day and countdowns of timetables; not: what happens at them.
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
        (self.identifier, self.zone) = (identifier, zone)
    }

    /// Seattle's.
    public static let seattle = TransitZone("America/Los_Angeles") ?? TransitZone(utc: ())

    private init(utc: Void) { (identifier, zone) = ("UTC", .gmt) }

    /// Seconds to add to UTC to obtain the wall clock at a moment.
    public func utcOffsetSeconds(at moment: Timestamp) -> Int {
        zone.secondsFromGMT(
            for: Date(timeIntervalSince1970: Double(moment.secondsSinceEpoch)))
    }

    /// The wall clock at a moment.
    public func civil(at moment: Timestamp) -> CivilDateTime {
        let local = moment.secondsSinceEpoch + Int64(utcOffsetSeconds(at: moment))
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

    /// Such as `17:05` on the wall clock.
    public func clockText(_ moment: Timestamp) -> String {
        let second = civil(at: moment).secondOfDay
        return Self.twoDigits(second / 3600) + ":" + Self.twoDigits(second / 60 % 60)
    }

    /// RFC 3339 with this zone's offset, such as `2026-02-18T17:05:00-08:00`.
    public func rfc3339(_ moment: Timestamp) -> String {
        let (offset, civil) = (utcOffsetSeconds(at: moment), civil(at: moment))
        let second = civil.secondOfDay
        let time = [second / 3600, second / 60 % 60, second % 60].map(Self.twoDigits)
            .joined(separator: ":")
        guard offset != 0 else { return "\(civil.date)T\(time)Z" }
        let minutes = abs(offset) / 60
        return "\(civil.date)T\(time)\(offset < 0 ? "-" : "+")\(Self.twoDigits(minutes / 60)):"
            + Self.twoDigits(minutes % 60)
    }

    private static func twoDigits(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
