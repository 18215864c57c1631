// How long a static feed takes: reading, keeping, reading again, and what is asked of it most; for `feed check --timings`.
internal import BridgecastCore
public import Foundation

/// Measured seconds of a static feed on this machine.
public struct FeedTimings: Sendable, Codable {
    /// Rows, for comparison.
    public var stopTimes = 0
    /// Stops and stations that can be found by place.
    public var places = 0
    /// Bytes of the cached feed; 0 if it could not be kept.
    public var cacheBytes = 0
    /// Reading the zip file or folder.
    public var readSeconds = 0.0
    /// Reading it again with writing the cached feed, less ``readSeconds``; may come out below zero.
    public var keepSeconds = 0.0
    /// Reading the cached feed: the best of three.
    public var cachedSeconds = 0.0
    /// Finding the drawbridges of all shapes.
    public var crossingsSeconds = 0.0
    /// Indexing the stations by place.
    public var finderSeconds = 0.0
    /// Finding the nearest station, microseconds, mean of ``repetitions``.
    public var nearestMicroseconds = 0.0
    /// The board of the busiest stop at its busiest hour, 2 hours and 20 departures, microseconds, mean.
    public var boardMicroseconds = 0.0

    /// How often short things are done.
    public static let repetitions = 2000

    /// Measures a feed, which takes about three times as long as reading it.
    ///
    /// Writes into a temporary folder and removes it.
    ///
    /// - Throws: ``TransitFeedError``
    public static func measure(_ url: URL) throws(TransitFeedError) -> FeedTimings {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("bridgecast-timings-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var timings = FeedTimings()
        let cache = FeedCache(folder: folder)
        timings.readSeconds = try seconds { () throws(TransitFeedError) in
            _ = try TransitFeed(contentsOf: url)
        }
        timings.keepSeconds =
            try seconds { () throws(TransitFeedError) in
                timings.cacheBytes = try cache.reading(url).keptBytes ?? 0
            } - timings.readSeconds
        let feed = try cache.feed(url)
        var best = Double.infinity
        for _ in 0..<3 {
            best = min(best, try seconds { () throws(TransitFeedError) in _ = try cache.feed(url) })
        }
        timings.cachedSeconds = best
        timings.ask(feed)
        return timings
    }

    private mutating func ask(_ feed: TransitFeed) {
        stopTimes = feed.stopTimes.count
        crossingsSeconds = Self.seconds { _ = BridgeCrossings(of: feed) }
        var finder: StationFinder?
        finderSeconds = Self.seconds { finder = StationFinder(feed) }
        guard let finder, let busiest = feed.busiest else { return }
        places = finder.count
        let around = (0..<feed.stops.count).lazy.compactMap { feed.stops.point(StopIndex($0)) }
        let points = Array(around.prefix(Self.repetitions))
        let nearest = Self.seconds {
            for point in points { _ = finder.nearest(to: point) }
        }
        nearestMicroseconds = nearest * 1e6 / Double(max(1, points.count))
        let snapshot = TransitSnapshot(feed, asOf: busiest.moment)
        var query = BoardQuery()
        query.limit = 20
        // The first board finds out which services run.
        _ = snapshot.board(of: busiest.stop, query)
        let boards = Self.seconds {
            for _ in 0..<Self.repetitions { _ = snapshot.board(of: busiest.stop, query) }
        }
        boardMicroseconds = boards * 1e6 / Double(Self.repetitions)
    }

    private static func seconds<E: Error>(_ work: () throws(E) -> Void) throws(E) -> Double {
        let start = ContinuousClock.now
        try work()
        return (ContinuousClock.now - start) / .seconds(1)
    }
}

extension TransitFeed {
    /// The stop with the most stop times, and 17:00 on a Wednesday in the middle of the days of service.
    fileprivate var busiest: (stop: StopIndex, moment: Timestamp)? {
        let counts = (0..<stops.count).map { calls.starts[$0 + 1] - calls.starts[$0] }
        guard let most = counts.max(), let stop = counts.firstIndex(of: most),
            let period = services.period
        else { return nil }
        let middle = (period.lowerBound.dayNumber + period.upperBound.dayNumber) / 2
        // 1970-01-01 was a Thursday.
        let wednesday = middle - (middle + 1) % 7
        let day = CivilDate(dayNumber: wednesday)
        return (StopIndex(stop), zone.serviceDayStart(day).adding(seconds: 17 * 3600))
    }
}
