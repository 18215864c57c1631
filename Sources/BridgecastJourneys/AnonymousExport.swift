// An export without names and times: hashed routes, slots of the day and classes of delay, each shared by several journeys.
import BridgecastCore
public import BridgecastSupport
public import Foundation

/// Parts of a day.
public enum TimeSlot: String, Sendable, Codable, CaseIterable {
    /// From 4 to before 7.
    case earlyMorning = "early_morning"
    /// From 7 to before 11.
    case morning
    /// From 11 to before 14.
    case midday
    /// From 14 to before 17.
    case afternoon
    /// From 17 to before 21.
    case evening
    /// From 21 to before 4.
    case night

    /// The slot of a local hour, 0...23.
    public init(hour: Int) {
        switch hour {
        case 4..<7: self = .earlyMorning
        case 7..<11: self = .morning
        case 11..<14: self = .midday
        case 14..<17: self = .afternoon
        case 17..<21: self = .evening
        default: self = .night
        }
    }
}

/// Classes of delay.
public enum DelayClass: String, Sendable, Codable, CaseIterable {
    /// At most 5 minutes late, or early.
    case onTime = "on_time"
    /// More than 5, at most 10 minutes late.
    case slight
    /// More than 10, at most 20 minutes late.
    case moderate
    /// More than 20 minutes late.
    case significant

    /// The class of a delay in seconds.
    public init(seconds: Int64) {
        switch seconds {
        case ...300: self = .onTime
        case ...600: self = .slight
        case ...1200: self = .moderate
        default: self = .significant
        }
    }
}

/// Journeys that arrived, counted by hashed route, time slot and class of delay.
///
/// A combination that fewer than ``minJourneys`` journeys share is left out, and counts are rounded down: from two
/// exports no one learns of one journey more, except where it completes the next ``minJourneys``. The hash is
/// HMAC-SHA256 of the route's identity; its key never leaves the journal, so no one else can try which route gives a hash.
public struct AnonymousExport: Sendable, Equatable {
    /// Journeys that share a combination.
    public struct Row: Sendable, Hashable {
        /// HMAC-SHA256 of the route, hexadecimal.
        public var routeHash: String
        /// When they began, by the person's clock.
        public var timeSlot: TimeSlot
        /// How late they were.
        public var delayClass: DelayClass
        /// How many share all of this, rounded down to a multiple of ``minJourneys``.
        public var journeys: Int
    }

    /// In order of hash, slot and class.
    public let rows: [Row]
    /// How many combinations were left out; for the person alone, documents do not have it.
    public let leftOutRows: Int
    /// How many journeys these were; for the person alone.
    public let leftOutJourneys: Int

    /// A row has at least as many journeys (k-anonymity; Sweeney, "k-anonymity", IJUFKS 10 (2002)).
    public static let minJourneys = 5

    private struct Combination: Hashable {
        let route: String
        let slot: TimeSlot
        let delay: DelayClass
    }

    /// - Complexity: O(n), and a hash for each route.
    init(of journeys: [Journey], zone: TimeZone, salt: [UInt8]) {
        var calendar = JourneyCalendar(zone)
        var counts: [Combination: Int] = [:]
        for journey in journeys {
            guard let delay = journey.delaySeconds else { continue }
            let combination = Combination(
                route: journey.route, slot: TimeSlot(hour: calendar.civil(at: journey.start).hour),
                delay: DelayClass(seconds: delay))
            counts[combination, default: 0] += 1
        }
        let kept = counts.filter { $0.value >= Self.minJourneys }
        leftOutRows = counts.count - kept.count
        leftOutJourneys = counts.values.reduce(0, +) - kept.values.reduce(0, +)
        var hashes: [String: String] = [:]
        rows = kept.map { combination, count in
            let hash =
                hashes[combination.route]
                ?? hexadecimal(SHA256.authenticationCode(of: combination.route.utf8, key: salt))
            hashes[combination.route] = hash
            return Row(
                routeHash: hash, timeSlot: combination.slot, delayClass: combination.delay,
                journeys: count / Self.minJourneys * Self.minJourneys)
        }.sorted { $0.order < $1.order }
    }
}

extension AnonymousExport.Row {
    fileprivate var order: (String, Int, Int) {
        (
            routeHash, TimeSlot.allCases.firstIndex(of: timeSlot) ?? 0,
            DelayClass.allCases.firstIndex(of: delayClass) ?? 0
        )
    }
}

extension JourneyStore {
    /// The anonymous export; see ``AnonymousExport``.
    ///
    /// - Parameter zone: The person's time zone.
    /// - Throws: ``JourneyStoreError``.
    public func anonymousExport(zone: TimeZone) throws(JourneyStoreError) -> AnonymousExport {
        AnonymousExport(of: try journeys(), zone: zone, salt: try salt())
    }
}

extension AnonymousExport: JSONObjectAnswer {
    package func writeFields(into json: inout JSONWriter) {
        json.field("min_journeys", Self.minJourneys)
        json.list("rows", objects: rows) { json, row in
            json.field("route_hash", row.routeHash)
            json.field("time_slot", row.timeSlot.rawValue)
            json.field("delay_class", row.delayClass.rawValue)
            json.field("journeys_at_least", row.journeys)
        }
    }

    /// The rows as CSV with a header.
    public var csv: String {
        "route_hash,time_slot,delay_class,journeys_at_least\n"
            + rows.map {
                "\($0.routeHash),\($0.timeSlot.rawValue),\($0.delayClass.rawValue),\($0.journeys)\n"
            }.joined()
    }
}
