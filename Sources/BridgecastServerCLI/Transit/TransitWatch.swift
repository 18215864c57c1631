// `--watch`: repeats what a command shows, in place on a terminal, else one after the other.
import ArgumentParser
import BridgecastAnswers
import BridgecastCLI
import BridgecastCore
import BridgecastData
import BridgecastFeeds
import BridgecastLive
internal import BridgecastSupport
import BridgecastTransit
import Dispatch
import Foundation
import Glibc

/// Options of a repeated output.
struct WatchingOptions: ParsableArguments {
    @Flag(
        name: .long,
        help:
            "Keep running: request realtime feeds every --interval seconds and count down; with --at, from that time on."
    )
    var watch = false

    @Option(name: .long, help: "Seconds between requests of realtime feeds, 20 to 3600.")
    var interval = 30

    @Option(name: .long, help: "End after this many seconds.")
    var seconds: Int?

    @OptionGroup var colours: ColourOptions

    func validate() throws {
        guard (20...3600).contains(interval) else {
            throw ValidationError("--interval \(interval) must be 20 to 3600")
        }
        guard seconds.map({ (1...315_360_000).contains($0) }) ?? true else {
            throw ValidationError("--seconds must be 1 to 315360000 (ten years)")
        }
        guard watch || seconds == nil else { throw ValidationError("--seconds needs --watch") }
    }

    /// Shows a document once, or repeatedly until it is ended.
    ///
    /// - Parameters:
    ///   - model: What the document is made of: it shows the view's snapshot at the view's time; nil for the view alone.
    ///   - make: Makes the document.
    @MainActor
    func show(
        _ session: TransitSession, _ model: (any TransitModel)? = nil, as format: TransitFormat,
        _ make: @escaping @MainActor (TransitView) throws -> TransitOutput
    ) async throws {
        guard watch else {
            let view = try await session.view()
            model?.bridges = view.bridges
            model?.show(view.snapshot, at: view.now)
            let output = try make(view)
            remark(view.notes)
            return try output.print(format)
        }
        let end = seconds.map { session.clock.monotonicSeconds + Double($0) }
        let watch = TransitWatch(
            session: session, model: model, intervalSeconds: Double(interval), end: end,
            make: make)
        if format == .table, Terminal.isTerminal(STDOUT_FILENO) {
            return try await watch.onTerminal(hasColour: colours.areShown)
        }
        try await watch.printing(format)
    }
}

/// A document, and the same as lines for people.
struct TransitOutput {
    private let document: any JSONAnswer
    private let lines: (_ width: Int) -> [StyledLine]

    init(_ document: some JSONAnswer, _ lines: @escaping (_ width: Int) -> [StyledLine]) {
        self.document = document
        self.lines = lines
    }

    /// Columns if the output is not a terminal.
    private static let defaultWidth = 120

    func print(_ format: TransitFormat) throws {
        switch format {
        case .table: try Console.print(lines(Self.defaultWidth).plain)
        case .json: try Console.print(document.jsonText())
        case .ndjson: try Console.print(document.jsonLine())
        }
    }

    /// Draws it with notes below it, which would spoil the screen if they were written to standard error.
    @MainActor
    func draw(on terminal: Terminal, notes: [String]) {
        let below = notes.map { StyledLine("note: \(printable($0, maxLength: 300))", .dim) }
        terminal.show(
            lines(terminal.size.columns) + (below.isEmpty ? [] : [StyledLine()] + below))
    }
}

// MARK: - Watching

/// Shows a session repeatedly: feeds are polled, bridges forecast again, and countdowns run.
@MainActor
struct TransitWatch {
    let session: TransitSession
    /// What is shown; nil for the timetable's newest snapshot alone.
    let model: (any TransitModel)?
    let intervalSeconds: Double
    /// By the clock's monotonic seconds; nil for no end.
    let end: Double?
    let make: @MainActor (TransitView) throws -> TransitOutput

    /// Prints it after every request of the feeds.
    func printing(_ format: TransitFormat) async throws {
        let poller = poller
        let work = Task {
            var isFirst = true
            var bridges = BridgeCache(session)
            var known: Set<String> = []
            // Shown at least once, however long the first answer of the feeds took.
            while isFirst || isGoing {
                await poller.refresh()
                try Task.checkCancellation()
                // Boards are separated; documents have a line each, or braces.
                if format == .table, !isFirst { try Console.print("") }
                isFirst = false
                let crossed = try await bridges.now()
                model?.show(session.timetable.snapshot, at: session.clock.now)
                let view = view(crossed)
                let output = try make(view)
                // Each note once, however long it applies.
                remark(view.notes.filter { known.insert($0).inserted })
                try output.print(format)
                try await session.clock.sleep(untilMonotonicSeconds: next)
            }
        }
        try await result(of: work)
    }

    /// Shows it on the terminal, every second; `q` ends it and `r` requests the feeds.
    func onTerminal(hasColour: Bool) async throws {
        // Missing inputs are reported before the screen is taken.
        var first = BridgeCache(session)
        _ = try await first.now()
        let poller = poller
        let known = first
        let terminal = Terminal(hasColour: hasColour)
        let work = Task {
            let polling = Task { try await poller.run() }
            let following = Task { await model?.follow(poller) }
            defer {
                polling.cancel()
                following.cancel()
            }
            var bridges = known
            while isGoing {
                try Task.checkCancellation()
                let view = view(try await bridges.now())
                try make(view).draw(on: terminal, notes: view.notes)
                try await session.clock.sleep(seconds: 1)
            }
        }
        // It is drawn again within a second anyway.
        let held = HeldTerminal(terminal, redraw: {}) { key in
            if key == "q" { work.cancel() }
            if key == "r" { Task { await poller.refresh() } }
        }
        defer { held.release() }
        try await result(of: work)
    }

    /// When feeds are requested again, or it ends.
    private var next: Double {
        let next = session.clock.monotonicSeconds + intervalSeconds
        return end.map { min($0, next) } ?? next
    }

    private var isGoing: Bool { end.map { session.clock.monotonicSeconds < $0 } ?? true }

    private var poller: TransitPoller {
        TransitPoller(
            session.timetable, sources: session.sources, clock: FollowingClock(session.clock),
            intervalSeconds: intervalSeconds,
            describe: { ($0 as? FeedError)?.description ?? printable("\($0)", maxLength: 300) })
    }

    /// Waits for the end of a task; signals cancel it.
    private func result(of work: Task<Void, any Error>) async throws {
        let stops = Signals.stopping.map { number in Signals.each(number) { work.cancel() } }
        defer { for stop in stops { stop.cancel() } }
        do {
            try await work.value
        } catch is CancellationError {
            return
        }
    }

    /// Brings the model up to date; what it shows, with bridges.
    private func view(_ known: KnownBridges) -> TransitView {
        let now = session.clock.now
        model?.bridges = known.bridges
        model?.update(at: now)
        return TransitView(model?.snapshot ?? session.timetable.snapshot, known, now: now)
    }
}

/// Forecasts of bridges, made again once a minute.
private struct BridgeCache: Sendable {
    private let session: TransitSession
    private var known = KnownBridges()
    /// By the clock's monotonic seconds.
    private var madeAtSeconds: Double?

    private static let maxAgeSeconds = 60.0

    init(_ session: TransitSession) { self.session = session }

    mutating func now() async throws -> KnownBridges {
        let seconds = session.clock.monotonicSeconds
        if let madeAtSeconds, seconds < madeAtSeconds + Self.maxAgeSeconds { return known }
        known = try await session.bridges()
        madeAtSeconds = seconds
        return known
    }
}
