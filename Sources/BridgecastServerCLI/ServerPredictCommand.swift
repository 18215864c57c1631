// `bridgecast predict` where `--router` may be asked.
import ArgumentParser
import BridgecastCLI
import BridgecastFeeds

/// `predict` that can ask a route server.
struct ServerPredictCommand: AsyncParsableCommand {
    static let configuration = PredictCommand.configuration

    @OptionGroup var predict: PredictCommand

    func run() async throws { try await predict.run(asking: RouterFeed.checkedRoutes) }
}
