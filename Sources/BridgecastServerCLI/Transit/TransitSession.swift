// A timetable with its realtime feeds, opened for a command: asked once, or again and again for `--watch`.
import BridgecastAnswers
import BridgecastCLI
import BridgecastCore
import BridgecastData
import BridgecastEngine
import BridgecastFeeds
import BridgecastLive
import BridgecastTransit
import BridgecastTransitAnswers
import Logging

/// What the commands of transit read from.
struct TransitSession {
    /// The timetable, its stations and its crossings.
    let desk: TransitDesk
    /// The realtime feeds that were named.
    let sources: [any RealtimeSource]
    /// The present, or the moment that was asked for.
    let clock: any WallClock
    private let options: TransitOptions

    /// The timetable.
    var feed: TransitFeed { desk.feed }

    /// Opens what options name, does something with it, and closes it whatever happens.
    ///
    /// - Parameter isMoving: Whether time goes on from the moment that is asked for.
    static func with(
        _ options: TransitOptions, isMoving: Bool = false,
        _ body: (TransitSession) async throws -> Void
    ) async throws {
        let realtime = options.realtime
        for place in realtime { try place.check() }
        let feed = try options.readFeed()
        let asked = try options.moment(in: feed.zone)
        let clock: any WallClock =
            isMoving && asked == nil
            ? SystemWallClock()
            : ReplayClock(from: asked ?? .now, speed: isMoving ? 1 : .infinity)
        let desk = TransitDesk(feed, at: clock.now)
        func open(_ client: FeedClient?) async throws {
            let sources = try realtime.map { try $0.source(client) }
            try await body(
                TransitSession(desk: desk, sources: sources, clock: clock, options: options))
        }
        guard realtime.contains(where: \.isAddress) else { return try await open(nil) }
        try await FeedClient.with(log: Logger(label: "transit") { _ in SwiftLogNoOpLogHandler() }) {
            try await open($0)
        }
    }

    private init(
        desk: TransitDesk, sources: [any RealtimeSource], clock: any WallClock,
        options: TransitOptions
    ) {
        (self.desk, self.sources, self.clock, self.options) = (desk, sources, clock, options)
    }

    /// Asks all feeds once; of recorded ones the minutes before too, which tell where vehicles come from.
    ///
    /// - Throws: ``CommandFailure`` for a file that is not there or no realtime feed; an address that does not answer is
    ///   told of in the snapshot.
    func snapshot() async throws -> TransitSnapshot {
        guard !sources.isEmpty else { return TransitSnapshot(feed, asOf: clock.now) }
        var (state, tracker) = (RealtimeState(of: sources.map(\.id)), VehicleTracker())
        let now = clock.now
        let recorded = zip(options.realtime, sources).filter { $1 is RecordedRealtimeSource }
        for step in (1...Self.rememberedFrames).reversed() where !recorded.isEmpty {
            let moment = now.adding(seconds: -Int64(step) * Self.frameSeconds)
            // A recording may begin later.
            for (place, source) in recorded {
                try? await take(source, at: place, moment, into: &state)
            }
            _ = TransitSnapshot(feed, state, asOf: moment, tracker: &tracker)
        }
        for (place, source) in zip(options.realtime, sources) {
            try await take(source, at: place, now, into: &state)
        }
        return TransitSnapshot(feed, state, asOf: now, tracker: &tracker)
    }

    /// So many recorded messages are looked at before a moment.
    private static let rememberedFrames = 20
    /// Vehicles are reported so often, seconds.
    private static let frameSeconds: Int64 = 30

    /// Takes what a feed says at a moment, if that is new.
    private func take(
        _ source: any RealtimeSource, at place: RealtimePlace, _ moment: Timestamp,
        into state: inout RealtimeState
    ) async throws {
        do {
            guard let bytes = try await source.fetch(at: moment) else { return }
            state.take(try RealtimeFeed.read(bytes).feed, of: source.id, at: moment)
        } catch let error as any Failure {
            guard place.isAddress else { throw place.failure(error) }
            let words = (error as? FeedError)?.words(of: "feed") ?? "\(error)"
            state.fail(source.id, words, at: moment)
        }
    }

    /// What is known of the bridges that shapes of the feed cross; nothing where they cross none or nobody asks.
    ///
    /// A board is worth having without them: where a forecast cannot be made, its warnings say why.
    ///
    /// - Parameter isSilent: Whether what is missing is not remarked on, because it was before.
    /// - Throws: As `predict` does, for what the user named.
    func bridges(isSilent: Bool = false) async throws -> KnownBridges {
        guard !options.noBridges, !desk.crossings.isEmpty else { return KnownBridges() }
        do {
            let context = try options.forecast.context(
                leaving: clock.now, knowing: clock.now, isSilent: isSilent)
            let table = try context.model.minuteTable(
                in: context.situation, traffic: context.traffic)
            let knowledge = BridgeKnowledge(
                table, situation: context.situation, climatology: context.model.climatology,
                traffic: context.traffic)
            return KnownBridges(
                bridges: TransitBridges(desk.crossings, knowledge), envelope: context.envelope)
        } catch let error where !(error is CancellationError) && options.forecast.isUsual {
            let warning = "nothing is said of drawbridges: \(CommandFailure(error).message)"
            if !isSilent { remark([warning]) }
            return KnownBridges(warnings: [warning])
        }
    }
}

/// Bridges for documents, with what their forecasts were made of; nothing where nothing is known.
struct KnownBridges: Sendable {
    var bridges: TransitBridges?
    var envelope: Envelope?
    /// Why nothing is known.
    var warnings: [String] = []
}

/// What a command shows: a snapshot and the bridges, at a moment.
struct TransitMoment {
    let snapshot: TransitSnapshot
    let bridges: TransitBridges?
    /// The moment.
    let now: Timestamp
    /// What its documents begin with.
    let envelope: TransitEnvelope

    /// A moment of a snapshot.
    init(_ snapshot: TransitSnapshot, _ known: KnownBridges, now: Timestamp) {
        (self.snapshot, bridges, self.now) = (snapshot, known.bridges, now)
        envelope = TransitEnvelope(
            snapshot, generatedAt: .now, validAt: now, agesAt: now, bridges: known.envelope,
            warnings: SnapshotNotes.notes(snapshot, at: now) + known.warnings)
    }
}

extension TransitSession {
    /// Asks everything once.
    func moment() async throws -> TransitMoment {
        let snapshot = try await snapshot()
        remark(
            SnapshotNotes.notes(snapshot, at: clock.now) + snapshot.feedWarnings)
        return TransitMoment(snapshot, try await bridges(), now: clock.now)
    }
}
