// The `bridgecast-server` command: what talks to a network. `bridgecast` starts it where it is needed.
package import ArgumentParser
import BridgecastCLI
import BridgecastFeeds

/// The root command; its subcommands are called as parts of `bridgecast`.
package struct ServerCommand: AsyncParsableCommand {
    /// Names and words in help.
    package static let configuration = CommandConfiguration(
        commandName: "bridgecast",
        abstract: "The commands of bridgecast that talk to a network.",
        version: BridgecastCommand.configuration.version,
        subcommands: [SyncCommand.self, WatchCommand.self, ServerReplayCommand.self])

    /// Creates the command.
    package init() {}
}

/// `replay --bridges-url`: the records' clock, the states of a server.
struct ServerReplayCommand: AsyncParsableCommand {
    static let configuration = ReplayOptions.configuration

    @OptionGroup var replay: ReplayOptions

    func run() async throws {
        try await reportingFailures {
            try await replay.run { url, clock, log in
                let client = FeedClient(clock: clock, log: log)
                let feed = ReplayHTTPFeed(url: url, client: client, clock: clock)
                return (feed, { await client.close() })
            }
        }
    }
}
