// `--format` of the commands of transit.
import ArgumentParser

/// How transit answers are shown.
enum TransitFormat: String, ExpressibleByArgument, CaseIterable {
    /// For people.
    case table
    /// A document with an indentation.
    case json
    /// A document on a line of its own.
    case ndjson
}
