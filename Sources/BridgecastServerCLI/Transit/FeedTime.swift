// Times as people type them for a transit feed: by its own clock, wherever it is; used by the commands of transit.
import BridgecastCLI
import BridgecastCore
import BridgecastTransit

/// Reads times.
enum FeedTime {
    /// A moment from RFC 3339, or a time of the feed's clock such as `2026-02-17T17:33`.
    ///
    /// - Throws: ``CommandFailure`` for what is no time, and for one that clocks showed twice or never.
    static func moment(_ text: String, in zone: TransitZone) throws -> Timestamp {
        guard let civil = TimeText.parseFloating(text) else {
            do {
                return try TimeText.parse(text)
            } catch {
                throw CommandFailure(
                    .usage,
                    "--at: '\(printable(text, most: 60))' is not a time: write 2026-02-20T17:50:00-08:00 (RFC 3339), or "
                        + "2026-02-20T17:50 for the feed's own clock (\(zone.identifier))")
            }
        }
        // Days are counted from 1970; no timetable of GTFS reaches so far back.
        guard civil.date.dayNumber >= 0 else {
            throw CommandFailure(
                .usage, "--at: '\(text)' lies before 1970: choose a day of the timetable")
        }
        let moments = zone.moments(of: civil)
        guard let first = moments.first else {
            throw CommandFailure(
                .usage,
                "--at: '\(text)' never happened in \(zone.identifier), because clocks were set forward: choose a time before or after, or add an offset"
            )
        }
        guard moments.count == 1 else {
            throw CommandFailure(
                .usage,
                "--at: '\(text)' happened twice in \(zone.identifier), because clocks were set back: write "
                    + moments.map(zone.rfc3339).joined(separator: " or "))
        }
        return first
    }
}

extension TransitZone {
    /// The moments at which a clock of the zone shows a time: one as a rule, two or none when clocks are set.
    func moments(of civil: CivilDateTime) -> [Timestamp] {
        let local = Int64(civil.date.dayNumber) * 86_400 + Int64(civil.secondOfDay)
        let offsets = [-86_400, 86_400].map { (shift: Int64) in
            utcOffsetSeconds(at: Timestamp(secondsSinceEpoch: local + shift))
        }
        return Set(offsets).map { Timestamp(secondsSinceEpoch: local - Int64($0)) }
            .filter { self.civil(at: $0) == civil }.sorted()
    }
}
