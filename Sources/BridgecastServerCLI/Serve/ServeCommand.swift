// `bridgecast serve`: forecasts, routes and live events over HTTP.
import ArgumentParser
import BridgecastCLI
import BridgecastCore
import BridgecastFeeds
import BridgecastStore

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: NetworkCommand.serve.rawValue, abstract: NetworkCommand.serve.abstract,
        discussion: """
            Serves under /api/v1, described at /openapi.json. Each option can also stand in the environment or \
            in a file (--config): --most-rows is BRIDGECAST_HTTP_MOST_ROWS and {"http": {"most_rows": ...}}; \
            an option goes before the environment, that before the file. --check shows what is in force and from \
            where. --replay serves the past without a network; at its end the last moment stays on show. A new \
            model file is taken over by itself, and on SIGHUP; SIGTERM ends the service in order.
            """)

    @Option(
        name: .long, help: "A configuration file (JSON). Default: what BRIDGECAST_CONFIG names.")
    var config: String?

    @Flag(name: .long, help: "Check settings and files, show what is in force, and end.")
    var check = false

    @OptionGroup var options: ServeOptions

    func run() async throws {
        try await reportingFailures {
            let configuration = try ServeConfiguration(
                options: options.given, environment: Console.current.environment, file: config)
            let plan = configuration.plan
            try checkAddress(plan.bridgesURL, of: "--bridges-url")
            // It holds an access code, so what is wrong with it is not shown.
            guard
                plan.travelTimesURL.isEmpty || (try? FeedRequest.check(plan.travelTimesURL)) != nil
            else {
                throw CommandFailure(.usage, "--travel-times-url: it is no address of a feed")
            }
            guard check else { return try await ServeRun(plan: plan).run() }
            try Console.print(configuration.table)
            try Console.print(try ServeCheck.words(plan).joined(separator: "\n"))
        }
    }
}
