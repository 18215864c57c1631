// How the live commands show what they see: board, lines or JSON.
import ArgumentParser
import Bridgecast
import Glibc

/// `--format`, `--no-color`, `--for`: how a live command shows itself.
struct ViewOptions: ParsableArguments {
    @Option(
        name: .long,
        help: "board, lines or ndjson. Default: board on a terminal, lines where output is piped.")
    var format: WatchFormat?

    @Flag(name: .long, help: "No colours; the environment variable NO_COLOR does the same.")
    var noColor = false

    /// What is shown where nothing is said.
    var chosen: WatchFormat {
        format ?? (Terminal.isTerminal(STDOUT_FILENO) ? .board : .lines)
    }

    /// Whether colours are shown (https://no-color.org).
    var hasColour: Bool {
        !noColor && Console.current.environment["NO_COLOR"].map(\.isEmpty) ?? true
    }
}
