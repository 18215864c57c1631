// `bridgecast replay`: the past as if it were live, at any speed, without a network.
// Belongs here: `replay`; what it shares with `watch` is in Live.
import ArgumentParser

/// Replays from the records alone; with `--bridges-url` the program for the network does it.
struct ReplayCommand: AsyncParsableCommand {
    static let configuration = ReplayOptions.configuration

    @OptionGroup var replay: ReplayOptions

    func run() async throws {
        try await reportingFailures {
            if replay.bridgesURL == nil {
                try await replay.run()
            } else {
                try ServerProgram.start(Console.current.arguments)
            }
        }
    }
}
