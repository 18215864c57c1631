// `bridgecast depart`: when to leave, and which way.
// Belongs here: `depart`: what comes of departures, as text and JSON; not: the search for them.
package import ArgumentParser
import BridgecastCore
import BridgecastEngine
import BridgecastRoads

/// `depart`; with `--router` the program for the network does it.
package struct DepartCommand: AsyncParsableCommand {
    /// Names and words in help.
    package static let configuration = CommandConfiguration(
        commandName: "depart",
        abstract: "Says when to leave, and which way, to be there in time.",
        discussion: """
            For every departure from now on, five minutes apart, the routes are searched and scored. \
            With --arrive-by: the latest departure by each route that arrives in time with the wanted \
            confidence. Without: the next two hours.
            """)

    @OptionGroup var trip: TripOptions

    @Option(
        name: .long,
        help: "When you want to be there: RFC 3339, Seattle time, or just 09:00 (the next one).")
    var arriveBy: String?

    @Option(name: .long, help: "How sure you want to be, above 0 and below 1.")
    var confidence = 0.9

    @OptionGroup var forecast: ForecastOptions

    @Option(name: .long, help: "Output: table or json.")
    var format = ReportFormat.table

    /// Minutes of the curve without a deadline, and at most before one.
    private static let usualMinutes = 120.0

    /// Creates the command.
    package init() {}

    /// Checks what goes together.
    package func validate() throws {
        guard trip.from != nil else { throw ValidationError("--from and --to are needed") }
        guard confidence > 0, confidence < 1 else {
            throw ValidationError("--confidence \(confidence) does not lie between 0 and 1")
        }
    }

    /// Advises without a network, or has the other program do it.
    package func run() async throws { try await run(asking: nil) }

    /// Advises.
    ///
    /// - Parameter ask: Asks the route server of `--router`.
    package func run(asking ask: RouterOptions.Asking?) async throws {
        try await reportingFailures {
            if trip.isForServer(ask) { return try ServerProgram.start(Console.current.arguments) }
            let earliest = try forecast.departure()
            let deadline = try arriveBy.map { try Self.deadline($0, after: earliest) }
            guard let found = try await trip.request(leaving: deadline ?? earliest, asking: ask)
            else { return }
            let quickest = try found.request.quickestMinutes(leaving: deadline ?? earliest)
            let (first, last) = try Self.window(earliest, deadline, quickest)
            let context = try forecast.context(leaving: first)
            let window = DepartureWindow(
                from: first, until: last, arriveBy: deadline, confidence: confidence)
            let advice = DepartureAdvice(
                request: found.request, source: found.source, deadline: deadline,
                confidence: confidence, context: context,
                curve: try await found.request.departures(window, in: context))
            switch format {
            case .table: try Console.print(DepartureText.text(advice))
            case .json: try Console.print(try json(DepartureDocument(advice)))
            }
        }
    }

    /// From when to when departures are looked at: up to the deadline, but not long before it is any use.
    private static func window(
        _ earliest: Timestamp, _ deadline: Timestamp?, _ quickest: Double
    ) throws -> (Timestamp, Timestamp) {
        guard let deadline else { return (earliest, earliest.adding(minutes: usualMinutes)) }
        guard deadline.minutes(since: earliest) >= quickest else {
            throw CommandFailure(
                .usage,
                "--arrive-by \(TimeText.rfc3339(deadline)) cannot be met: without any delay it takes "
                    + "\(Int(quickest.rounded(.up))) minutes from \(TimeText.clock(earliest))")
        }
        let useful = deadline.adding(minutes: -(usualMinutes + 2 * quickest))
        return (max(earliest, useful), deadline)
    }

    /// A moment, or the next time that clocks show `HH:MM`.
    static func deadline(_ text: String, after earliest: Timestamp) throws -> Timestamp {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let hour = Int(parts[0]), let minute = Int(parts[1]),
            (0..<24).contains(hour), (0..<60).contains(minute)
        else { return try TimeText.parse(text) }
        let today = SeattleTime.civil(at: earliest).date
        for day in 0...2 {
            let civil = CivilDateTime(
                date: today.adding(days: day), secondOfDay: (hour * 60 + minute) * 60)
            let next = SeattleTime.resolve(civil).candidates.first { $0 > earliest }
            if let next { return next }
        }
        throw CommandFailure(.usage, "--arrive-by \(text): clocks do not show that time")
    }
}
