// `--watch`: what a command shows, again and again; on a terminal in place, else one after the other.
import ArgumentParser
import BridgecastAnswers
import BridgecastCLI
import BridgecastCore
import BridgecastLive
import BridgecastTransit
import Foundation
import Glibc

/// Whether and how often something is shown again.
struct WatchingOptions: ParsableArguments {
    @Flag(
        name: .long,
        help:
            "Go on: ask realtime feeds every --interval seconds and count down; with --at, from that moment on."
    )
    var watch = false

    @Option(name: .long, help: "Seconds from one asking of realtime feeds to the next, 20 to 3600.")
    var interval = 30

    @Option(name: .long, help: "End after so many seconds.")
    var seconds: Int?

    @Flag(name: .long, help: "No colours; the environment variable NO_COLOR does the same.")
    var noColor = false

    func validate() throws {
        guard (20...3600).contains(interval) else {
            throw ValidationError("--interval \(interval) does not lie between 20 and 3600")
        }
        guard seconds.map({ (1...315_360_000).contains($0) }) ?? true else {
            throw ValidationError("--seconds must be 1 to 315360000 (ten years)")
        }
        guard watch || seconds == nil else { throw ValidationError("--seconds needs --watch") }
    }

    /// Whether colours are shown (https://no-color.org).
    private var hasColour: Bool {
        !noColor && Console.current.environment["NO_COLOR"].map(\.isEmpty) ?? true
    }

    /// Shows something once, or until it is ended.
    ///
    /// - Parameter make: Makes what is shown of a moment.
    func show(
        _ session: TransitSession, _ format: TransitFormat,
        _ make: @escaping @Sendable (TransitMoment) throws -> Showing
    ) async throws {
        guard watch else { return try make(try await session.moment()).print(format) }
        let end = seconds.map { session.clock.now.adding(seconds: Int64($0)) }
        let watch = TransitWatch(
            session: session, intervalSeconds: Double(interval), end: end, make: make)
        if format == .table, Terminal.isTerminal(STDOUT_FILENO) {
            return try await watch.onTerminal(hasColour: hasColour)
        }
        try await watch.printing(format)
    }
}

/// What is shown of a moment: a document, and the same as lines for people.
struct Showing {
    private let document: any JSONAnswer
    private let lines: (_ width: Int) -> [StyledLine]

    /// A document, and how it reads at a width.
    init(_ document: some JSONAnswer, _ lines: @escaping (_ width: Int) -> [StyledLine]) {
        (self.document, self.lines) = (document, lines)
    }

    /// Columns where output goes to no terminal.
    private static let usualWidth = 120

    /// Prints it.
    func print(_ format: TransitFormat) throws {
        switch format {
        case .table: try Console.print(lines(Self.usualWidth).plain)
        case .json: try Console.print(document.jsonText())
        case .ndjson: try Console.print(document.jsonLine())
        }
    }

    /// Shows it on a terminal.
    @MainActor
    func draw(on terminal: Terminal) { terminal.show(lines(terminal.size.columns)) }
}
