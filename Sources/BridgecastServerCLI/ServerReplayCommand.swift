// `bridgecast replay --bridges-url`: the records' clock, the states of a server.
import ArgumentParser
import BridgecastCLI
import BridgecastFeeds

/// `replay --bridges-url`: the records' clock, the states of a server.
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
