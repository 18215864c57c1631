// The reports of `feed check` as JSON: of a timetable, of one that is refused, and of a realtime feed.
package import BridgecastAnswers
package import BridgecastCore
package import BridgecastSupport
package import BridgecastTransit

package struct TimetableReport: Sendable, JSONObjectAnswer {
    /// Where it came from.
    package let name: String
    package let agencies: [TransitAgency]
    package let timeZone: String
    /// Its publisher; nil if not given.
    package let info: FeedInfo?
    /// The first and last day of any service; nil without any.
    package let period: ClosedRange<CivilDate>?
    /// Rows of its tables, by what they are.
    package let counts: [(name: String, number: Int)]
    /// The drawbridges that its shapes cross, with the routes that do.
    package let bridges: [(bridge: BridgeIndex, routes: [String])]
    /// What is wrong with it, and that it is over where it is.
    package let notices: FeedNotices
    private let today: CivilDate

    /// The report of a feed.
    ///
    /// - Parameter now: Tells whether its service is over.
    package init(_ feed: TransitFeed, at now: Timestamp) {
        name = feed.name
        agencies = feed.agencies
        info = feed.info
        timeZone = feed.zone.identifier
        period = feed.services.period
        today = feed.zone.civil(at: now).date
        var notices = feed.notices
        for notice in feed.notices(on: today) {
            notices.add(
                notice.severity, notice.code, file: notice.file, field: notice.field, notice.message
            )
        }
        self.notices = notices
        let stations = feed.stops.kinds.count { $0 == TransitStop.Kind.station.rawValue }
        counts = [
            ("stops", feed.stops.count), ("stations", stations), ("routes", feed.routes.count),
            ("trips", feed.trips.count), ("stop_times", feed.stopTimes.count),
            ("services", feed.services.count), ("shapes", feed.shapes.count),
            ("frequencies", feed.frequencies.count), ("transfers", feed.transfers.count),
        ]
        let crossings = BridgeCrossings(of: feed)
        bridges =
            crossings.isEmpty
            ? []
            : BridgeIndex.all.compactMap { bridge in
                let routes = crossings.routes(over: bridge).map { feed[$0].title }
                return routes.isEmpty ? nil : (bridge, routes)
            }
    }

    package var serviceText: String {
        guard let period else { return "none on any day" }
        let text = "\(period.lowerBound) to \(period.upperBound)"
        if period.upperBound < today {
            let days = today.dayNumber - period.upperBound.dayNumber
            return "\(text): ended \(days) \(days == 1 ? "day" : "days") ago"
        }
        if period.lowerBound > today { return "\(text): has not begun" }
        return text
    }

    package var bridgesText: String {
        guard !bridges.isEmpty else { return "none of Seattle's on the way" }
        return bridges.map { bridge, routes in
            let names = routes.prefix(Self.maxRoutes).joined(separator: ", ")
            let more =
                routes.count > Self.maxRoutes ? " and \(routes.count - Self.maxRoutes) more" : ""
            return "\(BridgeCatalogue[bridge].name) (\(names)\(more))"
        }.joined(separator: "; ")
    }

    private static let maxRoutes = 12

    package func writeFields(into json: inout JSONWriter) {
        json.field("name", name)
        json.field("kind", "timetable")
        json.list("agencies", objects: agencies) { json, agency in
            json.field("id", agency.id)
            json.field("name", agency.name)
            json.field("url", agency.url)
            json.field("time_zone", agency.timeZone)
        }
        json.field("time_zone", timeZone)
        json.field("publisher", info?.publisher)
        json.field("version", info?.version)
        json.field("first_day", period.map { "\($0.lowerBound)" })
        json.field("last_day", period.map { "\($0.upperBound)" })
        json.field("counts", counts)
        json.list("bridges", objects: bridges) { json, crossed in
            json.field("bridge", BridgeCatalogue[crossed.bridge].name)
            json.list("routes", crossed.routes)
        }
        json.notices(notices)
    }
}

package struct RealtimeReport: Sendable, JSONObjectAnswer {
    package let name: String
    /// Its bytes as they came.
    package let bytes: Int
    /// `protobuf`, `json` or `onebusaway`.
    package let form: String
    /// The version of the specification; nil if not given.
    package let version: String?
    /// Whether it contains changes only.
    package let isDifferential: Bool
    /// When it was made, by its own clock.
    package let madeAt: Timestamp?
    /// How much of what it holds.
    package let counts: [(name: String, number: Int)]
    /// What is wrong with it, and with how it fits its timetable.
    package let notices: FeedNotices
    private let zone: TransitZone
    private let now: Timestamp

    /// The report of a feed.
    ///
    /// - Parameters:
    ///   - timetable: What it belongs to; nil to look at the feed alone.
    ///   - now: Tells how old it is.
    package init(
        _ reading: RealtimeReading, of name: String, bytes: Int, against timetable: TransitFeed?,
        at now: Timestamp
    ) {
        let feed = reading.feed
        self.name = name
        self.bytes = bytes
        self.now = now
        form = reading.form.rawValue
        version = feed.version
        isDifferential = feed.isDifferential
        madeAt = feed.timestamp
        zone = timetable?.zone ?? TransitZone("UTC") ?? .seattle
        var counts = Self.counts(of: feed)
        var notices = reading.notices
        if let timetable {
            let time = feed.timestamp ?? now
            var state = RealtimeState()
            var tracker = VehicleTracker()
            state.take(feed, of: "feed", at: time)
            let snapshot = TransitSnapshot(timetable, state, asOf: time, tracker: &tracker)
            counts += [
                ("scheduled_runs", snapshot.runs.count), ("added_runs", snapshot.added.count),
                ("vehicles_on_route", snapshot.vehicles.count { $0.place?.isOffRoute == false }),
                ("vehicles_off_route", snapshot.vehicles.count { $0.place?.isOffRoute == true }),
            ]
            notices.add(snapshot.notices)
        }
        self.counts = counts
        self.notices = notices
    }

    private static func counts(of feed: RealtimeFeed) -> [(name: String, number: Int)] {
        let updates = feed.entities.compactMap(\.tripUpdate)
        let vehicles = feed.entities.compactMap(\.vehicle)
        return [
            ("entities", feed.entities.count), ("trip_updates", updates.count),
            ("stop_time_updates", updates.reduce(0) { $0 + $1.stops.count }),
            ("vehicles", vehicles.count),
            ("vehicles_with_occupancy", vehicles.count { $0.occupancy != nil }),
            ("alerts", feed.entities.count { $0.alert != nil }),
            ("deleted", feed.entities.count { $0.isDeleted == true }),
        ]
    }

    /// Its timestamp and age, for people.
    package var timestampText: String {
        guard let madeAt else { return "not given" }
        let seconds = now.secondsSinceEpoch - madeAt.secondsSinceEpoch
        let clock = zone.rfc3339(madeAt)
        guard seconds >= 0 else { return "\(clock), \(-seconds) s ahead of this machine's clock" }
        return seconds < 86_400
            ? "\(clock), \(seconds) s ago" : "\(clock), \(seconds / 86_400) days ago"
    }

    package func writeFields(into json: inout JSONWriter) {
        var clock = ZonedTimeText(zone)
        json.field("name", name)
        json.field("kind", "realtime")
        json.field("form", form)
        json.field("bytes", bytes)
        json.field("version", version)
        json.field("differential", isDifferential)
        json.fields("timestamp", madeAt, &clock)
        json.field("counts", counts)
        json.notices(notices)
    }
}

/// The report of a static feed that cannot be used.
package struct RefusedTimetable: Sendable, JSONObjectAnswer {
    private let error: TransitFeedError

    package init(_ error: TransitFeedError) { self.error = error }

    /// Where it came from.
    package var name: String { error.path }
    package var refusal: String { error.message }
    /// What was found before it was refused.
    package var notices: FeedNotices { error.notices }

    package func writeFields(into json: inout JSONWriter) {
        json.field("name", name)
        json.field("kind", "timetable")
        json.field("refused", refusal)
        json.notices(notices)
    }
}

package struct NoticeEntry: Sendable, JSONObjectAnswer {
    private let notice: FeedNotice

    package init(_ notice: FeedNotice) { self.notice = notice }

    package func writeFields(into json: inout JSONWriter) {
        json.field("severity", notice.severity.rawValue)
        json.field("code", notice.code)
        json.field("file", notice.file.isEmpty ? nil : notice.file)
        json.field("line", notice.line)
        json.field("field", notice.field.isEmpty ? nil : notice.field)
        json.field("message", notice.message)
    }
}

extension JSONWriter {
    /// Writes a field that is an object of numbers by name.
    fileprivate mutating func field(_ name: StaticString, _ counts: [(name: String, number: Int)]) {
        object(name) { json in
            for count in counts { json.field(named: count.name, Double(count.number), decimals: 0) }
        }
    }

    /// Writes two fields into an open object: how often each kind was found, and the first of each.
    mutating func notices(_ notices: FeedNotices) {
        list("notice_counts", objects: notices.counts) { json, count in
            json.field("severity", count.severity.rawValue)
            json.field("code", count.code)
            json.field("file", count.file.isEmpty ? nil : count.file)
            json.field("count", count.count)
        }
        list("notices", notices.kept.map { NoticeEntry($0) })
    }
}
