// `bridgecast depart` where `--router` may be asked.
import ArgumentParser
import BridgecastCLI
import BridgecastFeeds

/// `depart` that can ask a route server.
struct ServerDepartCommand: AsyncParsableCommand {
    static let configuration = DepartCommand.configuration

    @OptionGroup var depart: DepartCommand

    func run() async throws { try await depart.run(asking: RouterFeed.checkedRoutes) }
}
