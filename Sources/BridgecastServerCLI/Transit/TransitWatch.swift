// A view of transit that goes on: feeds are polled, bridges forecast anew, and countdowns run.
import BridgecastCLI
import BridgecastCore
import BridgecastData
import BridgecastFeeds
import BridgecastTransit
import Dispatch
import Foundation

/// Shows a session until it is ended.
struct TransitWatch {
    let session: TransitSession
    let intervalSeconds: Double
    /// Nil to go on until somebody ends it.
    let end: Timestamp?
    let make: @Sendable (TransitMoment) throws -> Showing

    /// Prints it whenever feeds have been asked.
    @MainActor
    func printing(_ format: TransitFormat) async throws {
        let poller = poller
        let work = Task {
            var isFirst = true
            var bridges = RememberedBridges(session)
            // Shown at least once, however long the first answer of the feeds took.
            while isFirst || isGoing {
                await poller.refresh()
                try Task.checkCancellation()
                // Boards stand apart; documents have a line each, or braces.
                if format == .table, !isFirst { try Console.print("") }
                isFirst = false
                try make(try await moment(&bridges)).print(format)
                try await session.clock.sleep(until: next)
            }
        }
        try await result(of: work)
    }

    /// Shows it on the terminal, every second; `q` ends it and `r` asks feeds again.
    @MainActor
    func onTerminal(hasColour: Bool) async throws {
        // What is missing is remarked on before the screen is taken.
        var first = RememberedBridges(session)
        _ = try await first.now()
        let (poller, known) = (poller, first)
        let terminal = Terminal(hasColour: hasColour)
        let work = Task { @MainActor in
            let asking = Task { try await poller.run() }
            defer { asking.cancel() }
            var bridges = known
            while isGoing {
                try Task.checkCancellation()
                try make(try await moment(&bridges)).draw(on: terminal)
                try await session.clock.sleep(seconds: 1)
            }
        }
        // It is drawn again within a second, whatever became of the screen.
        let held = HeldTerminal(terminal, redraw: {}) { key in
            if key == "q" { work.cancel() }
            if key == "r" { Task { await poller.refresh() } }
        }
        defer { held.release() }
        try await result(of: work)
    }

    /// When feeds are asked again, or it ends.
    private var next: Timestamp {
        let next = session.clock.now.adding(seconds: Int64(intervalSeconds))
        return end.map { min($0, next) } ?? next
    }

    private var isGoing: Bool { end.map { session.clock.now < $0 } ?? true }

    private var poller: TransitPoller {
        TransitPoller(
            session.desk, session.sources, clock: session.clock, intervalSeconds: intervalSeconds,
            words: { ($0 as? FeedError)?.words(of: "feed") ?? printable("\($0)", most: 300) })
    }

    /// Waits until something ends, or somebody ends it with a signal.
    private func result(of work: Task<Void, any Error>) async throws {
        let stops = Signals.stopping.map { number in Signals.each(number) { work.cancel() } }
        defer { for stop in stops { stop.cancel() } }
        do {
            try await work.value
        } catch is CancellationError {
            return
        }
    }

    /// What there is to show now.
    private func moment(_ bridges: inout RememberedBridges) async throws -> TransitMoment {
        TransitMoment(
            session.desk.snapshot, try await bridges.now(), now: session.clock.now)
    }
}

/// Forecasts of bridges, made anew once a minute.
private struct RememberedBridges: Sendable {
    private let session: TransitSession
    private var known = KnownBridges()
    private var madeAt: Timestamp?

    private static let seconds: Int64 = 60

    init(_ session: TransitSession) { self.session = session }

    mutating func now() async throws -> KnownBridges {
        let now = session.clock.now
        if let madeAt, now < madeAt.adding(seconds: Self.seconds) { return known }
        known = try await session.bridges(isSilent: madeAt != nil)
        madeAt = now
        return known
    }
}
