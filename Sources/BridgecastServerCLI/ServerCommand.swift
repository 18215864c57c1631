// The `bridgecast-server` command: `bridgecast`, with the commands that talk to a network or read extracts and transit
// feeds. `bridgecast` starts it for them.
package import ArgumentParser
package import BridgecastCLI
import BridgecastCore
import BridgecastData
import BridgecastFeeds
#if PostgreSQL
    internal import BridgecastPostgreSQL
#endif
internal import BridgecastRouting

/// The root command: that of `bridgecast`, with its own commands in place of those that only start this program.
package struct ServerCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "bridgecast",
        abstract: BridgecastCommand.configuration.abstract,
        version: BridgecastCommand.configuration.version,
        subcommands: BridgecastCommand.configuration.subcommands.map { command in
            let own: [any ParsableCommand.Type] = [
                SyncCommand.self, WatchCommand.self, ServeCommand.self, ServerReplayCommand.self,
                ServerPredictCommand.self, ServerDepartCommand.self,
                ServerRoadsCommand.self, BoardCommand.self, VehiclesCommand.self, TripCommand.self,
                FeedCommand.self,
            ]
            let name = command.configuration.commandName
            return own.first { $0.configuration.commandName == name } ?? command
        },
        defaultSubcommand: ServerPredictCommand.self)

    package init() {}
}

extension DatabaseStores {
    /// Those of this program, as it was built.
    package static var ofServerProgram: DatabaseStores {
        #if PostgreSQL
            .opening { try PostgreSQLHistory($0, $1) }
        #else
            .notBuilt
        #endif
    }
}

/// Checks an address that a user named.
///
/// - Parameter source: What is there, for the message.
/// - Throws: ``CommandFailure`` that names the option.
func checkAddress(_ address: String, of option: String, is source: FeedError.Source = .feed) throws
{
    do {
        try FeedRequest.check(address)
    } catch {
        throw CommandFailure(.usage, "\(option): \(error.description(of: source))")
    }
}

// MARK: - Commands with a route server or other feeds

/// `depart` with a route server.
struct ServerDepartCommand: AsyncParsableCommand {
    static let configuration = DepartCommand.configuration

    @OptionGroup var depart: DepartCommand

    func run() async throws { try await depart.run(asking: RouterFeed.checkedRoutes) }
}

/// `predict` with a route server.
struct ServerPredictCommand: AsyncParsableCommand {
    static let configuration = PredictCommand.configuration

    @OptionGroup var predict: PredictCommand

    func run() async throws { try await predict.run(asking: RouterFeed.checkedRoutes) }
}

/// `replay --bridges-url`: the clock of the records with the states of a server.
struct ServerReplayCommand: AsyncParsableCommand {
    static let configuration = ReplayOptions.configuration

    @OptionGroup var replay: ReplayOptions

    func run() async throws {
        try await reportingFailures {
            if let url = replay.bridgesURL { try checkAddress(url, of: "--bridges-url") }
            try await replay.run { url, clock, log, show in
                try await FeedClient.with(clock: clock, log: log) { client in
                    try await show(ReplayHTTPFeed(url: url, client: client, clock: clock))
                }
            }
        }
    }
}

extension RouterFeed {
    /// Checks the server's address, then requests routes.
    static func checkedRoutes(
        of trip: RouterTrip, from router: Router
    ) async throws -> RouterRoutes {
        try checkAddress(router.url, of: "--router", is: .routeServer)
        return try await routes(of: trip, from: router)
    }
}

extension TravelTimeMap {
    /// Reads stretches that lead to bridges.
    ///
    /// - Throws: ``CommandFailure`` for other text.
    init(of texts: [String], freeFlowMilesPerHour: Double) throws {
        self.init(freeFlowMilesPerHour: freeFlowMilesPerHour)
        for text in texts {
            let parts = text.split(separator: "=")
            guard parts.count == 2, let id = Int(parts[0]),
                let bridge = BridgeCatalogue.index(named: String(parts[1]))
            else { throw CommandFailure(.usage, "--travel-time \(text): write ID=BRIDGE") }
            bridgeByID[id] = bridge
        }
    }
}
