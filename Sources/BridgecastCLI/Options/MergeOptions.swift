// `--merge-gap`: how far apart openings may be and still count as one.
import ArgumentParser
import BridgecastCore

/// `--merge-gap`.
struct MergeOptions: ParsableArguments {
    @Option(name: .long, help: "Openings of a bridge at most this many minutes apart are one.")
    var mergeGap = Double(OpeningConsolidation.defaultGapSeconds) / 60

    mutating func validate() throws {
        guard mergeGap >= 0, mergeGap <= 60 else {
            throw ValidationError("--merge-gap must lie between 0 and 60 minutes")
        }
    }

    /// The gap in seconds.
    var gapSeconds: Int64 { Int64((mergeGap * 60).rounded()) }

    /// What is said of it in the provenance of models: nothing if it is the usual one.
    var namedSettings: [String: String] {
        gapSeconds == OpeningConsolidation.defaultGapSeconds
            ? [:] : ["mergeGapSeconds": "\(gapSeconds)"]
    }
}
