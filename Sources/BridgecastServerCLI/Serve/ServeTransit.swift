// The timetable and the realtime feeds of a plan: read for a run, looked into for `--check`.
import BridgecastCLI
import BridgecastCore
import BridgecastData
import BridgecastFeeds
import BridgecastService
import BridgecastStore
import BridgecastTransit
import Foundation

enum ServeTransit {
    /// What a service answers about buses and trains from; nil if no timetable is named.
    ///
    /// - Parameter client: Asks addresses; nil in a replay, which has no network.
    /// - Throws: ``CommandFailure`` or an error of a file that says what is wrong with it.
    static func parts(_ plan: ServePlan, _ client: FeedClient?) throws -> TransitParts? {
        guard !plan.transit.isEmpty else { return nil }
        let url = URL(fileURLWithPath: plan.transit)
        let read = try reader(plan)
        var parts = TransitParts(try read(url), from: url, read: read)
        parts.intervalSeconds = plan.transitInterval
        parts.sources = try feeds(plan).map { try source($0, client) }
        return parts
    }

    /// What `--check` says of it.
    ///
    /// - Throws: As ``parts(_:_:)``.
    static func words(_ plan: ServePlan) throws -> String {
        guard !plan.transit.isEmpty else { return "none" }
        let url = URL(fileURLWithPath: plan.transit)
        let feed = try TransitFeed(contentsOf: url)
        let isReplay = !plan.replay.isEmpty
        let shown = try feeds(plan).map { named -> String in
            if isAddress(named.place) {
                try checkAddress(named, isReplay: isReplay)
            } else {
                _ = try source(named, nil)
            }
            return
                "\(named.kind.rawValue) of \(printable(FeedAddress.shown(named.place), most: 200))"
        }
        let period =
            feed.services.period.map { ", runs from \($0.lowerBound) to \($0.upperBound)" } ?? ""
        let errors = feed.notices.count(.error)
        return "\(printable(feed.name, most: 200)), \(feed.stops.count) stops\(period)"
            + (errors > 0 ? ", \(errors) errors (`bridgecast feed check` shows them)" : "")
            + (shown.isEmpty ? "; no realtime feeds" : "; " + shown.joined(separator: ", "))
    }

    private static func reader(
        _ plan: ServePlan
    ) throws -> @Sendable (URL) throws -> TransitFeed {
        guard !plan.noStore, let folder = FeedCache.usualFolder(Console.current.environment) else {
            return { try TransitFeed(contentsOf: $0) }
        }
        let cache = FeedCache(folder: folder)
        return { try cache.feed($0) }
    }

    /// A realtime feed that a plan names.
    private struct Named {
        let kind: RealtimeKind
        let place: String
        let option: String
    }

    private static func feeds(_ plan: ServePlan) -> [Named] {
        [
            Named(kind: .tripUpdates, place: plan.transitUpdates, option: "--transit-updates"),
            Named(kind: .vehicles, place: plan.transitVehicles, option: "--transit-vehicles"),
            Named(kind: .alerts, place: plan.transitAlerts, option: "--transit-alerts"),
        ].filter { !$0.place.isEmpty }
    }

    private static func isAddress(_ place: String) -> Bool { place.contains("://") }

    private static func checkAddress(_ named: Named, isReplay: Bool) throws {
        guard !isReplay else {
            throw CommandFailure(
                .usage,
                "\(named.option): a replay has no network; name a folder of recorded messages")
        }
        // It may hold a key, so what is wrong with it is not shown.
        guard (try? FeedRequest.check(named.place)) != nil else {
            throw CommandFailure(.usage, "\(named.option): it is no address of a feed")
        }
    }

    private static func source(_ named: Named, _ client: FeedClient?) throws -> any RealtimeSource {
        let id = named.kind.rawValue
        if isAddress(named.place) {
            try checkAddress(named, isReplay: client == nil)
            guard let client else { preconditionFailure("a replay asks no address") }
            return try RealtimeHTTPSource(id: id, url: named.place, client: client)
        }
        let url = URL(fileURLWithPath: named.place)
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw CommandFailure(
                .missingInput,
                "\(named.option): \(printable(named.place)): there is no such file or folder")
        }
        let isFolder = try? url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory
        guard isFolder == true else { return FileRealtimeSource(url, id: id) }
        guard let source = try RealtimeRecording(url).source(named.kind) else {
            throw CommandFailure(
                .data, "\(named.option): \(printable(named.place)): no messages of that kind in it")
        }
        return source
    }
}
