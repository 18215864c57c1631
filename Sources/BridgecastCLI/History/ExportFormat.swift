// `--format` of `history export`.
import ArgumentParser
import BridgecastCore
import BridgecastStore

/// `--format` of exports.
enum ExportFormat: String, ExpressibleByArgument, CaseIterable {
    case csv, json, ndjson
}
