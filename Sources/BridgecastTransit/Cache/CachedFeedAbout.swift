// What a cached feed says of itself beside its columns: the first section of its file, as JSON.
internal import BridgecastCore

/// The small parts of a feed, and the file that they came from.
struct CachedFeedAbout: Codable {
    /// The file or folder that was read.
    var source: FeedIdentity
    var name: String
    var agencies: [TransitAgency]
    var zone: String
    var info: Info?
    var notices: [FeedNotice]
    var noticeCounts: [FeedNotices.Count]

    /// ``FeedInfo`` with day numbers.
    struct Info: Codable {
        var publisher, language, version: String
        var firstDay, lastDay: Int?
    }

    /// What is to be said of a feed that came from a file.
    init(_ parts: FeedParts, source: FeedIdentity) {
        (self.source, name) = (source, parts.name)
        (agencies, zone) = (parts.agencies, parts.zone.identifier)
        info = parts.info.map {
            Info(
                publisher: $0.publisher, language: $0.language, version: $0.version,
                firstDay: $0.firstDay?.dayNumber, lastDay: $0.lastDay?.dayNumber)
        }
        (notices, noticeCounts) = (parts.notices.kept, parts.notices.counts)
    }

    /// A feed with these small parts and no rows.
    func emptyFeed() throws(CachedFeedDamage) -> FeedParts {
        guard let zone = TransitZone(zone), !agencies.isEmpty else {
            throw CachedFeedDamage("it has no agency with a clock")
        }
        // A row has a few findings at most; so their sum fits.
        guard noticeCounts.allSatisfy({ (0...1 << 40).contains($0.count) }) else {
            throw CachedFeedDamage("it counts more findings than a feed has")
        }
        return FeedParts(
            name: name, agencies: agencies, zone: zone,
            info: info.map {
                FeedInfo(
                    publisher: $0.publisher, language: $0.language, version: $0.version,
                    firstDay: $0.firstDay.map { CivilDate(dayNumber: $0) },
                    lastDay: $0.lastDay.map { CivilDate(dayNumber: $0) })
            },
            notices: FeedNotices(kept: notices, counts: noticeCounts),
            stops: StopTable(), routes: RouteTable(), trips: TripTable(),
            stopTimes: StopTimeTable(), services: ServiceCalendar(), shapes: ShapeTable(),
            frequencies: [], transfers: [], calls: StopCalls(), children: StationChildren())
    }
}
