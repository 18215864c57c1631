// The files of a service: model, roads, documents, page, timetable, the administrators' token;
// read for a run and for `--check`.
import BridgecastAnswers
import BridgecastCLI
import BridgecastCore
import BridgecastData
import BridgecastEngine
import BridgecastFeeds
import BridgecastRoads
import BridgecastService
import BridgecastStore
internal import BridgecastSupport
import BridgecastTransit
import Foundation

/// Files of a plan that have been read.
struct ServeInputs {
    let model: LoadedModel
    /// SHA-256 of the bytes that the model was read from.
    let modelDigest: String
    let modelURL: URL
    let network: RoadNetwork?
    let skill: Data?
    let geography: Data?
    let page: PageCache?
    /// The description of the resources, openapi.json.
    let description: Data?
    /// The plan's settings with the administrator's token.
    let settings: ServiceSettings

    /// A shorter token could be guessed.
    private static let tokenLengths = ServiceSettings.minTokenLength...4096
    private static let maxSkillBytes = 64 << 20

    /// Reads all files.
    ///
    /// - Throws: ``CommandFailure``, or an error of the file that says what is wrong with it.
    init(_ plan: ServePlan) throws {
        modelURL =
            try plan.model.map { URL(fileURLWithPath: $0) } ?? ShippedFiles.defaultModel()
        (model, modelDigest) = try ModelLoading.loadNamed(modelURL)
        network = try Self.network(plan)
        skill = try Self.skill(plan)
        page = try ServePage.page(plan)
        description = ServePage.description()
        geography = ShippedFiles.documentIfAny("models/geography/seattle-water.geojson")
        var settings = plan.service
        settings.adminToken = try Self.token(plan.adminTokenFile)
        self.settings = settings
        do {
            _ = try ProxyTrust(settings)
        } catch {
            throw CommandFailure(.usage, "\(error)")
        }
    }

    private static func network(_ plan: ServePlan) throws -> RoadNetwork? {
        if plan.isOn(.noNetwork) { return nil }
        let url = try plan.network.map { URL(fileURLWithPath: $0) } ?? ShippedFiles.roadsFile()
        return try RoadNetwork(contentsOf: url)
    }

    /// The named evaluation; with the shipped model that of the checkout.
    private static func skill(_ plan: ServePlan) throws -> Data? {
        guard let path = plan.skill else {
            return plan.model == nil
                ? ShippedFiles.documentIfAny("models/bridgecast.skill.json") : nil
        }
        let data = try readFile(path, maxBytes: maxSkillBytes, option: "--skill")
        guard SkillDocument.isReadable(data) else {
            throw CommandFailure(
                .data, "\(path): not an evaluation; `bridgecast evaluate --skill` writes one")
        }
        return data
    }

    private static func token(_ path: String?) throws -> String? {
        guard let path else { return nil }
        let data = try readFile(path, maxBytes: 1 << 20, option: "--admin-token-file")
        let text = String(decoding: data.prefix(tokenLengths.upperBound + 1), as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        guard tokenLengths.contains(text.utf8.count), text.allSatisfy({ $0 > " " && $0 <= "~" })
        else {
            throw CommandFailure(
                .data,
                "\(path): the token must have at least \(tokenLengths.lowerBound) characters "
                    + "and no spaces"
            )
        }
        return text
    }
}

// MARK: - The page

/// Where the page and openapi.json are: in the checkout, or next to the program.
private enum ServePage {
    /// The resources in a checkout.
    ///
    /// They have precedence over the copy that the build makes next to the program, so that edits show at once.
    private static let inCheckout = "Sources/BridgecastService/Resources"
    /// What the package manager copies next to the program.
    private static let nextToProgram = "bridgecast_BridgecastService.resources"

    /// The page of a plan; nil if it is turned off or not installed.
    ///
    /// - Throws: ``PageProblem`` for a folder that is no page.
    static func page(_ plan: ServePlan) throws -> PageCache? {
        if plan.isOn(.noPage) { return nil }
        if let path = plan.page { return try PageCache(URL(fileURLWithPath: path)) }
        return try folders().map { $0.appendingPathComponent("page") }
            .first { hasIndex($0) }.map { try PageCache($0) }
    }

    /// The description of the resources (openapi.json); nil if it is not installed.
    static func description() -> Data? {
        folders().lazy.compactMap {
            try? Data(contentsOf: $0.appendingPathComponent("openapi.json"))
        }.first
    }

    private static func folders() -> [URL] {
        var folders: [URL] = []
        if let home = ShippedFiles.home() {
            folders.append(home.appendingPathComponent(inCheckout))
        }
        if let folder = ShippedFiles.program?.deletingLastPathComponent() {
            folders.append(folder.appendingPathComponent(nextToProgram))
        }
        return folders
    }

    private static func hasIndex(_ folder: URL) -> Bool {
        FileManager.default.fileExists(
            atPath: folder.appendingPathComponent(PageCache.indexPath).path)
    }
}

// MARK: - Timetable and realtime feeds

enum ServeTransit {
    /// The timetable of a plan, and its file: the one that it names, or in a replay of that winter the shipped one.
    private static func timetable(
        _ plan: ServePlan, from start: Timestamp?
    ) throws -> (feed: TransitFeed, url: URL)? {
        if let path = plan.transit {
            let url = URL(fileURLWithPath: path)
            return (try TransitFeed(contentsOf: url), url)
        }
        // Without the shipped files a replay has no buses.
        guard let start, let url = try? ShippedFiles.timetable() else { return nil }
        let feed = try TransitFeed(contentsOf: url)
        return feed.covers(start) ? (feed, url) : nil
    }

    /// The timetable and feeds of a plan; nil if it has no timetable.
    ///
    /// - Parameters:
    ///   - period: What is replayed; nil for the present.
    ///   - client: Requests addresses; nil in a replay, which has no network.
    /// - Throws: ``CommandFailure`` or an error of a file that says what is wrong with it.
    static func parts(
        _ plan: ServePlan, replaying period: Range<Timestamp>?, client: FeedClient?
    ) throws -> TransitParts? {
        guard let (feed, url) = try timetable(plan, from: period?.lowerBound) else { return nil }
        var parts = TransitParts(feed, from: url) { try TransitFeed(contentsOf: $0) }
        parts.intervalSeconds = plan.transitInterval
        parts.sources = try feeds(plan, replaying: period).map { feed in
            try check(feed, isReplay: client == nil)
            return try feed.source(client)
        }
        return parts
    }

    /// The line of `--check`.
    ///
    /// - Throws: As ``parts(_:replaying:client:)``.
    static func description(
        _ plan: ServePlan, replaying period: Range<Timestamp>?
    ) throws -> String {
        guard let feed = try timetable(plan, from: period?.lowerBound)?.feed else { return "none" }
        let shown = try feeds(plan, replaying: period).map { feed in
            try check(feed, isReplay: plan.replay != nil)
            if !feed.isAddress { _ = try feed.source(nil) }
            return
                "\(feed.kind.rawValue) of \(printable(FeedAddress.shown(feed.location), maxLength: 200))"
                + (feed.note == nil ? "" : " (made)")
        }
        let period =
            feed.services.period.map { ", runs from \($0.lowerBound) to \($0.upperBound)" } ?? ""
        let errors = feed.notices.count(.error)
        return "\(printable(feed.name, maxLength: 200)), \(feed.stops.count) stops\(period)"
            + (errors > 0 ? ", \(errors) errors (`bridgecast feed check` shows them)" : "")
            + (shown.isEmpty ? "; no realtime feeds" : "; " + shown.joined(separator: ", "))
    }

    /// The feeds that a plan names; of a replay on the shipped timetable those of the shipped recording, if it has messages
    /// of the period.
    private static func feeds(
        _ plan: ServePlan, replaying period: Range<Timestamp>?
    ) -> [RealtimeLocation] {
        // Feeds need a named timetable.
        if plan.transit == nil {
            return period.map {
                ShippedRecording.feeds(from: $0.lowerBound, to: $0.upperBound)
            } ?? []
        }
        return [
            (RealtimeKind.tripUpdates, plan.transitUpdates, "--transit-updates"),
            (.vehicles, plan.transitVehicles, "--transit-vehicles"),
            (.alerts, plan.transitAlerts, "--transit-alerts"),
        ].compactMap { kind, location, option in
            location.map {
                RealtimeLocation(id: kind.rawValue, kind: kind, location: $0, option: option)
            }
        }
    }

    /// Checks an address; paths are checked by reading them.
    private static func check(_ feed: RealtimeLocation, isReplay: Bool) throws {
        guard feed.isAddress else { return }
        guard !isReplay else {
            throw CommandFailure(
                .usage,
                "\(feed.option): a replay has no network; name a folder of recorded messages")
        }
        // It may hold a key, so what is wrong with it is not shown.
        guard (try? FeedRequest.check(feed.location)) != nil else {
            throw CommandFailure(.usage, "\(feed.option): it is not an address of a feed")
        }
    }
}
