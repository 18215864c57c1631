// A timetable with its realtime feeds, opened for a command. Repeated requests are in
// TransitWatch.
import BridgecastAnswers
import BridgecastTransitAnswers
import BridgecastCLI
import BridgecastCore
import BridgecastData
import BridgecastEngine
import BridgecastFeeds
import BridgecastLive
internal import BridgecastSupport
import BridgecastTransit
import Foundation
import Logging

/// What the commands of transit read from.
struct TransitSession {
    let timetable: LiveTimetable
    /// The realtime feeds that were named.
    let sources: [any RealtimeSource]
    /// The present, or the requested time.
    let clock: any WallClock
    private let options: TransitOptions
    /// Where the sources are, in the same order.
    private let realtime: [RealtimeLocation]

    var feed: TransitFeed { timetable.feed }

    /// Opens a session for a closure.
    ///
    /// - Parameters:
    ///   - isMoving: Whether time goes on from the requested time.
    ///   - needsVehicles: Whether the shipped recording is used if no realtime feed is named.
    /// - Throws: ``CommandFailure``, also if vehicles are needed and there are none.
    static func with(
        _ options: TransitOptions, isMoving: Bool = false, needsVehicles: Bool = false,
        _ body: (TransitSession) async throws -> Void
    ) async throws {
        for location in options.realtime { try location.check() }
        let (feed, time) = try options.readFeed()
        let realtime = try needsVehicles ? options.vehicleFeeds(at: time) : options.realtime
        let clock: any WallClock =
            isMoving && time == nil
            ? SystemWallClock()
            : ReplayClock(from: time ?? .now, speed: isMoving ? 1 : .infinity)
        let timetable = LiveTimetable(feed, at: clock.now)
        func open(_ client: FeedClient?) async throws {
            let sources = try realtime.map { try $0.source(client) }
            try await body(
                TransitSession(
                    timetable: timetable, sources: sources, clock: clock, options: options,
                    realtime: realtime))
        }
        guard realtime.contains(where: \.isAddress) else { return try await open(nil) }
        try await FeedClient.with(log: Logger(label: "transit") { _ in SwiftLogNoOpLogHandler() }) {
            try await open($0)
        }
    }

    /// Requests all feeds once; of recorded ones the minutes before too, which show where vehicles come from.
    ///
    /// - Throws: ``CommandFailure`` for a file that is missing or not a realtime feed; an address that does not answer is
    ///   reported in the snapshot.
    func snapshot() async throws -> TransitSnapshot {
        guard !sources.isEmpty else { return TransitSnapshot(feed, asOf: clock.now) }
        var state = RealtimeState(of: sources)
        var tracker = VehicleTracker()
        let now = clock.now
        let recorded = zip(realtime, sources).filter { $1 is RecordedRealtimeSource }
        for step in (1...Self.earlierFrames).reversed() where !recorded.isEmpty {
            let time = now.adding(seconds: -Int64(step) * Self.frameSeconds)
            // A recording may begin later.
            for (location, source) in recorded {
                try? await read(source, of: location, at: time, into: &state)
            }
            _ = TransitSnapshot(feed, state, asOf: time, tracker: &tracker)
        }
        for (location, source) in zip(realtime, sources) {
            try await read(source, of: location, at: now, into: &state)
        }
        return TransitSnapshot(feed, state, asOf: now, tracker: &tracker)
    }

    /// Recorded messages that are read before the requested time.
    private static let earlierFrames = 20
    /// The usual interval between reports of vehicles, seconds.
    private static let frameSeconds: Int64 = 30

    /// Reads a feed's message at a time, if it is new.
    private func read(
        _ source: any RealtimeSource, of location: RealtimeLocation, at time: Timestamp,
        into state: inout RealtimeState
    ) async throws {
        do {
            guard let bytes = try await source.fetch(at: time) else { return }
            state.take(try RealtimeFeed.read(bytes).feed, of: source.id, at: time)
        } catch let error as any Failure {
            // A file fails the command; an address that fails is reported with the answer.
            guard location.isAddress else { throw location.failure(error) }
            state.fail(
                source.id, problem: (error as? FeedError)?.description ?? "\(error)")
        }
    }

    /// Forecasts of the bridges that shapes of the feed cross; empty if they cross none, or with `--no-bridges`.
    ///
    /// A board is useful without them: if a forecast cannot be made, a warning says why.
    ///
    /// - Throws: As `predict` does, for inputs that the user named.
    func bridges() async throws -> KnownBridges {
        guard !options.noBridges, !timetable.crossings.isEmpty else { return KnownBridges() }
        do {
            let context = try options.forecast.context(leaving: clock.now, knowing: clock.now)
            let minutes = try context.model.minuteTable(
                in: context.situation, traffic: context.traffic)
            let knowledge = BridgeKnowledge(
                minutes, situation: context.situation, climatology: context.model.climatology,
                traffic: context.traffic)
            return KnownBridges(
                bridges: TransitBridges(timetable.crossings, knowledge), envelope: context.envelope)
        } catch let error where !(error is CancellationError) && options.forecast.isDefault {
            return KnownBridges(
                warnings: ["no drawbridge forecasts: \(CommandFailure(error).message)"])
        }
    }
}

// MARK: - Results

/// Bridges for documents, with the inputs of their forecasts.
struct KnownBridges: Sendable {
    var bridges: TransitBridges?
    var envelope: Envelope?
    /// Why there are no forecasts.
    var warnings: [String] = []

    /// What is missing, for people.
    var notes: [String] { (envelope?.warnings ?? []) + warnings }
}

/// What a command shows at a time: a snapshot and the bridges.
struct TransitView {
    let snapshot: TransitSnapshot
    let bridges: TransitBridges?
    let now: Timestamp
    /// The first fields of its documents.
    let envelope: TransitEnvelope
    /// What is missing or odd, for people; shown with a result, as an error comes alone.
    let notes: [String]

    init(_ snapshot: TransitSnapshot, _ known: KnownBridges, now: Timestamp) {
        self.snapshot = snapshot
        self.now = now
        bridges = known.bridges
        let ownNotes = SnapshotNotes.notes(snapshot, at: now)
        notes = ownNotes + snapshot.feedWarnings + known.notes
        envelope = TransitEnvelope(
            snapshot, generatedAt: .now, validAt: now, agesAt: now, bridges: known.envelope,
            warnings: ownNotes + known.warnings)
    }
}

extension TransitSession {
    /// Requests everything once.
    func view() async throws -> TransitView {
        TransitView(try await snapshot(), try await bridges(), now: clock.now)
    }
}

/// Notes about realtime feeds that do not fit the time shown, recorded ones above all.
enum SnapshotNotes {
    /// Messages that are further than this from the time shown are not about it, seconds.
    private static let farSeconds: Int64 = 3600

    static func notes(_ snapshot: TransitSnapshot, at now: Timestamp) -> [String] {
        let zone = snapshot.feed.zone
        return snapshot.sources.flatMap { source -> [String] in
            if let problem = source.problem { return ["\(source.id): \(problem)"] }
            let content = source.contentRemark.map { ["\(source.id): \($0)"] } ?? []
            guard let made = source.feedTimestamp,
                abs(made.secondsSinceEpoch - now.secondsSinceEpoch) > farSeconds
            else { return content + (source.remark.map { ["\(source.id): \($0)"] } ?? []) }
            return content + [
                "\(source.id) is of \(zone.rfc3339(made)), not of the time shown; "
                    + "--at \(zone.rfc3339(made)) shows that one"
            ]
        }
    }
}

// MARK: - Realtime feeds

/// A realtime feed that a user named: an address, a file, or a folder of recorded messages.
struct RealtimeLocation {
    /// Such as `trip_updates`; the second of its kind is `trip_updates_2`.
    let id: String
    /// By the option that named it.
    let kind: RealtimeKind
    /// An address or a path.
    let location: String
    /// The option that named it.
    let option: String
    /// What readers must know of its messages; nil for nothing.
    var note: String?
    /// What is at the path, if it has been read: kinds may share a file.
    var recording: RealtimeRecording?

    /// The feeds of a kind.
    static func all(
        _ kind: RealtimeKind, at locations: [String], option: String
    ) -> [RealtimeLocation] {
        locations.enumerated().map { index, location in
            let id = index == 0 ? kind.rawValue : "\(kind.rawValue)_\(index + 1)"
            return RealtimeLocation(id: id, kind: kind, location: location, option: option)
        }
    }

    /// Whether it is an address rather than a path.
    var isAddress: Bool { location.contains("://") }

    /// Checks an address; paths are checked by ``source(_:)``.
    ///
    /// - Throws: ``CommandFailure``
    func check() throws {
        if isAddress { try checkAddress(location, of: option) }
    }

    /// - Throws: ``CommandFailure`` if a path does not exist, or has no messages of the kind.
    func source(_ client: FeedClient?) throws -> any RealtimeSource {
        if let client, isAddress {
            return try RealtimeHTTPSource(id: id, url: location, client: client)
        }
        if let recording { return try source(of: recording) }
        let url = URL(fileURLWithPath: location)
        guard let isFolder = url.isFolder else {
            throw CommandFailure(
                .missingInput, "\(option): \(printable(location)): there is no such file or folder")
        }
        let found: RealtimeRecording? =
            try isFolder ? RealtimeRecording(url) : .recording(in: url)
        guard let found else { return FileRealtimeSource(url, id: id) }
        return try source(of: found)
    }

    /// Its messages of a recording.
    ///
    /// - Throws: ``CommandFailure`` if there are none of its kind.
    private func source(of recording: RealtimeRecording) throws -> any RealtimeSource {
        remark(recording.notices.kept.map(\.description), on: location)
        guard let source = recording.source(kind, id: id, note: note) else {
            throw CommandFailure(
                .data, "\(option): \(printable(location)): no messages of that kind in it")
        }
        return source
    }

    /// The failure of a command for an error of reading it.
    func failure(_ error: any Failure) -> CommandFailure {
        let message = "\(error)"
        return CommandFailure(
            error.kind == .missing ? .missingInput : .data,
            message.contains(location) ? message : "\(location): \(message)")
    }
}

/// The shipped recording: a day of buses on the shipped timetable, which is made.
enum ShippedRecording {
    private static let note =
        "made, not recorded: buses follow the timetable with the lateness of other vehicles, and "
        + "wait while the records have the bridge raised"

    /// Its feeds, if it has messages between two times; none without the shipped files.
    static func feeds(from start: Timestamp, to end: Timestamp) -> [RealtimeLocation] {
        guard let url = try? ShippedFiles.recording(), let recording = try? RealtimeRecording(url),
            start <= recording.span.upperBound, end >= recording.span.lowerBound
        else { return [] }
        return RealtimeKind.allCases.filter(recording.kinds.contains).map { kind in
            // Its alert is such a note.
            RealtimeLocation(
                id: kind.rawValue, kind: kind, location: url.path, option: "the shipped recording",
                note: kind == .alerts ? nil : note, recording: recording)
        }
    }
}

extension URL {
    /// Whether the file is a folder; nil if it does not exist.
    var isFolder: Bool? {
        // Links are followed; a missing file has no values.
        try? resolvingSymlinksInPath().resourceValues(forKeys: [.isDirectoryKey]).isDirectory
    }
}
