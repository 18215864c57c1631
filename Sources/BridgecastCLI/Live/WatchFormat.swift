// `--format` of the live commands.
import ArgumentParser
import Bridgecast

/// How `watch` and `replay` show things.
enum WatchFormat: String, ExpressibleByArgument, CaseIterable {
    case board, lines, ndjson
}
