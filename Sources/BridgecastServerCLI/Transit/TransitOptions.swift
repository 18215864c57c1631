// Options that the commands of transit share: the timetable, realtime feeds, the time; and how
// stops, routes and trips are named.
import ArgumentParser
import BridgecastCLI
import BridgecastCore
internal import BridgecastRouting
internal import BridgecastSupport
import BridgecastTransit
import Foundation

/// Which timetable, which realtime feeds, and which time.
struct TransitOptions: ParsableArguments {
    @Option(
        name: .long,
        help:
            "The timetable: a zip file or a folder of GTFS. Default: what the environment variable BRIDGECAST_FEED names, or the shipped one: the bus lines over Montlake Bridge in the winter of 2017-18."
    )
    var feed: [String] = []

    @Option(
        name: .long,
        help:
            "Trip updates (GTFS-realtime, protobuf or JSON): a file, an address, or recorded messages in a folder or a file; may be repeated."
    )
    var updates: [String] = []

    @Option(name: .long, help: "Vehicle positions, as --updates.")
    var vehicles: [String] = []

    @Option(name: .long, help: "Service alerts, as --updates.")
    var alerts: [String] = []

    @Flag(name: .long, help: "No drawbridge forecasts.")
    var noBridges = false

    @OptionGroup var forecast: ForecastOptions

    /// The environment variable with the default timetable.
    static let feedVariable = "BRIDGECAST_FEED"

    /// The timetable that was named; nil for the shipped one.
    private var named: String? {
        let name = feed.first ?? Console.current.environment[Self.feedVariable] ?? ""
        return name.isEmpty ? nil : name
    }

    var realtime: [RealtimeLocation] {
        RealtimeLocation.all(.tripUpdates, at: updates, option: "--updates")
            + RealtimeLocation.all(.vehicles, at: vehicles, option: "--vehicles")
            + RealtimeLocation.all(.alerts, at: alerts, option: "--alerts")
    }

    /// The named feeds; without any, those of the shipped recording if the shipped timetable is used.
    ///
    /// - Throws: ``CommandFailure`` if the recording has nothing of the time.
    func vehicleFeeds(at time: Timestamp?) throws -> [RealtimeLocation] {
        guard realtime.isEmpty else { return realtime }
        let time = time ?? .now
        let shipped = named == nil ? ShippedRecording.feeds(from: time, to: time) : []
        guard !shipped.isEmpty else {
            throw CommandFailure(
                .usage,
                "timetables have no vehicles: name a realtime feed with --vehicles, or see those of the "
                    + "shipped recording with --at 2018-01-04T15:09 and no --feed")
        }
        return shipped
    }

    /// The timetable's file or folder.
    ///
    /// - Throws: ``CommandFailure`` if two are named, or if the shipped one is not there.
    private var feedURL: URL {
        get throws {
            guard feed.count < 2 else {
                throw CommandFailure(
                    .usage, "--feed is given twice: one timetable is read at a time")
            }
            return try named.map { URL(fileURLWithPath: $0) } ?? ShippedFiles.timetable()
        }
    }

    /// Reads the timetable, and the requested time by its clock; nil for now.
    ///
    /// - Throws: ``CommandFailure``, also for the shipped timetable at a time that it is not about; `TransitFeedError`.
    func readFeed() throws -> (feed: TransitFeed, time: Timestamp?) {
        let feed = try TransitFeed(contentsOf: feedURL)
        let time = try time(in: feed.zone)
        if named == nil { try Self.check(feed, isOf: time ?? .now) }
        return (feed, time)
    }

    /// A past winter's timetable has nothing to say about today.
    private static func check(_ shipped: TransitFeed, isOf time: Timestamp) throws {
        guard let period = shipped.services.period, !shipped.covers(time) else { return }
        throw CommandFailure(
            .usage,
            "the shipped timetable runs from \(period.lowerBound) to \(period.upperBound): choose a time "
                + "of that winter such as --at 2018-01-04T15:09, or name another timetable with --feed FILE"
        )
    }

    /// The requested time; nil for now.
    ///
    /// - Parameter zone: The zone of a time without an offset.
    /// - Throws: ``CommandFailure``
    private func time(in zone: TransitZone) throws -> Timestamp? {
        try forecast.at.map { try FeedTime.parse($0, in: zone) }
    }
}

extension TransitFeed {
    /// Whether a time is between the first and the last day of the timetable.
    func covers(_ time: Timestamp) -> Bool {
        services.period?.contains(zone.civil(at: time).date) ?? false
    }
}

/// `--format` of the commands of transit.
enum TransitFormat: String, ExpressibleByArgument, CaseIterable {
    /// For people.
    case table
    /// An indented document.
    case json
    /// A document on one line.
    case ndjson
}

// MARK: - Times

/// Times in a feed's own time zone.
enum FeedTime {
    /// A time from RFC 3339, or of the feed's clock such as `2026-02-17T17:33`, `17:33` (today) or `tomorrow 9:00`.
    ///
    /// - Throws: ``CommandFailure`` for other text, and for a time that clocks showed twice or never.
    static func parse(
        _ text: String, in zone: TransitZone, now: Timestamp = .now
    ) throws -> Timestamp {
        let typed = TypedClock(text)?.civil(today: zone.civil(at: now).date)
        guard let civil = typed ?? TimeText.parseFloating(text) else {
            do {
                return try TimeText.parse(text)
            } catch {
                throw CommandFailure(
                    .usage,
                    "--at: '\(printable(text, maxLength: 60))' is not a time: write 18:02, 6:30 pm or "
                        + "'tomorrow 9:00', 2026-02-20T17:50 for the feed's own clock (\(zone.identifier)), or "
                        + "2026-02-20T17:50:00-08:00 (RFC 3339)")
            }
        }
        // Days are counted from 1970; no timetable of GTFS reaches so far back.
        guard civil.date.dayNumber >= 0 else {
            throw CommandFailure(
                .usage, "--at: '\(text)' is before 1970: choose a day of the timetable")
        }
        // With its date, to which an offset can be added.
        let shown = typed.map { "\($0)" } ?? text
        let times = zone.times(of: civil)
        guard let first = times.first else {
            throw CommandFailure(
                .usage,
                "--at: '\(shown)' never happened in \(zone.identifier), because clocks were set forward: choose a time before or after, or add an offset"
            )
        }
        guard times.count == 1 else {
            throw CommandFailure(
                .usage,
                "--at: '\(shown)' happened twice in \(zone.identifier), because clocks were set back: write "
                    + times.map(zone.rfc3339).joined(separator: " or "))
        }
        return first
    }
}

extension TransitZone {
    /// When a clock of the zone shows a time: once as a rule, twice or never when clocks are changed.
    fileprivate func times(of civil: CivilDateTime) -> [Timestamp] {
        let local = Int64(civil.date.dayNumber) * 86_400 + Int64(civil.secondOfDay)
        let offsets = [-86_400, 86_400].map { (shift: Int64) in
            utcOffsetSeconds(at: Timestamp(secondsSinceEpoch: local + shift))
        }
        return Set(offsets).map { Timestamp(secondsSinceEpoch: local - Int64($0)) }
            .filter { self.civil(at: $0) == civil }.sorted()
    }
}

// MARK: - Stops, routes and trips

/// Finds stops, routes and trips by identifier, sign or name.
struct FeedNames {
    let feed: TransitFeed

    /// Maximum names in a message.
    private static let maxNames = 5

    /// The stop or station with an identifier, a code or a name; of a station and its platforms the station.
    ///
    /// - Throws: ``CommandFailure`` that names the matches if there are several, or similar names.
    func stop(_ text: String) throws -> StopIndex {
        if let stop = feed.stop(text) { return stop }
        let stops = (0..<feed.stops.count).map { feed[StopIndex($0)] }
            .filter { $0.kind == .stop || $0.kind == .station }
        let wanted = text.lowercased()
        let named = stops.map { NameMatch($0.name, wanted) }
        let coded = stops.filter { $0.code.lowercased() == wanted }
        let ranked = NameMatch.allCases.map { match in
            zip(stops, named).compactMap { $1 == match ? $0 : nil }
        }
        // A code is a stop's own, names are shared: the best match that any stop has decides.
        for found in [coded] + ranked where !wanted.isEmpty {
            let parents = Set(found.map(\.index))
            // A platform has the name of its station.
            let tops = found.filter { stop in !(stop.parent.map(parents.contains) ?? false) }
            if let only = tops.first, tops.count == 1 { return only.index }
            guard tops.isEmpty else {
                let list = tops.prefix(Self.maxNames).map { "\($0.id) (\($0.name))" }
                    .joined(separator: ", ")
                let rest =
                    tops.count > Self.maxNames ? ", and \(tops.count - Self.maxNames) more" : ""
                throw CommandFailure(
                    .usage,
                    "several stops are called '\(printable(text))': name one by its identifier: \(list)\(rest)"
                )
            }
        }
        throw unknown(
            "stop", text, near: NearNames.nearest(text, of: stops.map(\.name), max: Self.maxNames))
    }

    /// The route with an identifier or a name, such as `542`.
    ///
    /// - Throws: ``CommandFailure`` that names similar routes.
    func route(_ text: String) throws -> RouteIndex {
        if let route = feed.route(text) { return route }
        let routes = (0..<feed.routes.count).map { feed[RouteIndex($0)] }
        let wanted = text.lowercased()
        let found = routes.filter {
            $0.shortName.lowercased() == wanted || $0.longName.lowercased() == wanted
        }
        if let only = found.first, found.count == 1 { return only.index }
        guard found.isEmpty else {
            throw CommandFailure(
                .usage,
                "several routes are called '\(printable(text))': name one by its identifier: "
                    + found.prefix(Self.maxNames).map(\.id).joined(separator: ", "))
        }
        throw unknown(
            "route", text,
            near: NearNames.nearest(text, of: routes.map(\.title), max: Self.maxNames))
    }

    /// The trip with an identifier, or a name for riders such as a train's number; preferably one of the day.
    ///
    /// - Throws: ``CommandFailure``
    func trip(_ text: String, in snapshot: TransitSnapshot, at now: Timestamp) throws -> TripIndex {
        if let trip = feed.trip(text) { return trip }
        let today = feed.zone.civil(at: now).date
        let named = (0..<feed.trips.count).lazy.map { feed[TripIndex($0)] }.filter {
            $0.shortName == text
        }
        if let trip = named.first(where: { feed.services.isActive($0.service, on: today) })
            ?? named.first
        {
            return trip.index
        }
        let live = snapshot.runs.keys.map { feed[$0.trip].id }.sorted()
        let ids =
            live.isEmpty ? (0..<min(feed.trips.count, 20_000)).map { feed.trips.ids[$0] } : live
        throw unknown("trip", text, near: NearNames.nearest(text, of: ids, max: Self.maxNames))
    }

    private func unknown(_ kind: String, _ text: String, near: [String]) -> CommandFailure {
        let hint = near.isEmpty ? "" : "; is it \(near.joined(separator: ", "))?"
        return CommandFailure(
            .usage, "the feed has no \(kind) '\(printable(text))'\(hint)")
    }
}
