// `bridgecast depart`: when to leave, and which way.
// Belongs here: `depart`: what comes of departures, as text and JSON; not: the search for them.
package import ArgumentParser
import BridgecastAnswers
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
            let deadline = try arriveBy.map { try DeadlineText.deadline($0, after: earliest) }
            guard let found = try await trip.request(leaving: deadline ?? earliest, asking: ask)
            else { return }
            let quickest = try found.request.quickestMinutes(leaving: deadline ?? earliest)
            let window = try window(from: earliest, deadline, quickest)
            let context = try forecast.context(leaving: window.from)
            let advice = try await DepartureAdvice(
                found.request, of: found.source, window, in: context)
            switch format {
            case .table: try Console.print(DepartureText.text(advice))
            case .json: try Console.print(DepartureDocument(advice).jsonText())
            }
        }
    }

    private func window(
        from earliest: Timestamp, _ deadline: Timestamp?, _ quickest: Double
    ) throws -> DepartureWindow {
        do {
            return try DepartureWindow(
                from: earliest, arriveBy: deadline, quickestMinutes: quickest,
                confidence: confidence)
        } catch {
            throw CommandFailure(.usage, "--arrive-by \(error)")
        }
    }
}
