// `--format` of `roads`.
import ArgumentParser

/// `--format` of `roads` and its commands.
package enum RoadsFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json
}
