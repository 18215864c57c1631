// What a timetable holds and what is wrong with it, as JSON; printed by `feed check`.
// Belongs here: reports of feeds; not: the feeds (BridgecastTransit).
package import BridgecastAnswers
package import BridgecastCore
package import BridgecastTransit

/// The report of a static feed.
package struct TimetableReport: Sendable, JSONAnswer {
    /// Where it came from.
    package let name: String
    /// Who runs it.
    package let agencies: [TransitAgency]
    /// Its clock.
    package let timeZone: String
    /// Who publishes it; nil where it does not say.
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
        (name, agencies, info) = (feed.name, feed.agencies, feed.info)
        (timeZone, period) = (feed.zone.identifier, feed.services.period)
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

    /// When it runs, in words.
    package var serviceWords: String {
        guard let period else { return "none on any day" }
        let words = "\(period.lowerBound) to \(period.upperBound)"
        if period.upperBound < today {
            let days = today.dayNumber - period.upperBound.dayNumber
            return "\(words): ended \(days) \(days == 1 ? "day" : "days") ago"
        }
        if period.lowerBound > today { return "\(words): has not begun" }
        return words
    }

    /// Which drawbridges it crosses, in words.
    package var bridgeWords: String {
        guard !bridges.isEmpty else { return "none of Seattle's on the way" }
        return bridges.map { bridge, routes in
            let names = routes.prefix(Self.mostRoutes).joined(separator: ", ")
            let more =
                routes.count > Self.mostRoutes ? " and \(routes.count - Self.mostRoutes) more" : ""
            return "\(BridgeCatalogue[bridge].name) (\(names)\(more))"
        }.joined(separator: "; ")
    }

    private static let mostRoutes = 12

    /// Writes it as an object.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("name", name)
            json.field("kind", "timetable")
            json.list("agencies", agencies) { json, agency in
                json.object { json in
                    json.field("id", agency.id)
                    json.field("name", agency.name)
                    json.field("url", agency.url)
                    json.field("time_zone", agency.timeZone)
                }
            }
            json.field("time_zone", timeZone)
            json.field("publisher", info?.publisher)
            json.field("version", info?.version)
            json.field("first_day", period.map { "\($0.lowerBound)" })
            json.field("last_day", period.map { "\($0.upperBound)" })
            json.object("counts") { json in
                for count in counts {
                    json.field(named: count.name, Double(count.number), decimals: 0)
                }
            }
            json.list("bridges", bridges) { json, crossed in
                json.object { json in
                    json.field("bridge", BridgeCatalogue[crossed.bridge].name)
                    json.list("routes", crossed.routes)
                }
            }
            json.notices(notices)
        }
    }
}
