// Which records a command works on: files and stores named by the user, or the records that ship with Bridgecast.
import ArgumentParser
import BridgecastCore
import BridgecastData
import Foundation

/// `--records`, `--coverage`, `--merge-gap`.
struct RecordOptions: ParsableArguments {
    @Option(
        name: .long,
        help:
            "Opening records, CSV or JSON, or a history store; may be repeated. Default: the shipped records."
    )
    var records: [String] = []

    @Option(
        name: .long,
        help:
            "Coverage statement (JSON), in place of any other; may be repeated. Default: that of the shipped records or of the store, or inferred."
    )
    var coverage: [String] = []

    @OptionGroup var merging: MergeOptions

    /// Reads the records, and remarks on what is not as it could be.
    ///
    /// - Parameter cutoff: If given, and the named records cover less than a week before it, the
    ///   shipped records of earlier time are added.
    func load(before cutoff: Timestamp? = nil) throws -> LoadedRecords {
        let loaded = try read(before: cutoff)
        remark(loaded.notes)
        return loaded
    }

    private func read(before cutoff: Timestamp?) throws -> LoadedRecords {
        let gap = merging.gapSeconds
        guard !records.isEmpty else {
            return try .shipped(coverage: coverageURLs, gapSeconds: gap)
        }
        let sources = try records.map {
            try RecordSource(URL(fileURLWithPath: $0), gapSeconds: gap)
        }
        let own = LoadedRecords(sources, stated: try coverageURLs.map(CoverageFile.read), gap)
        guard let cutoff else { return own }
        let past = Timestamp.earliest..<cutoff
        guard Self.coversLessThanAWeek(own.history.coverage.clamped(to: past)) else { return own }
        let early = try CoverageFile.read(ShippedFiles.coverage()).clamped(to: past)
        return LoadedRecords(
            sources + (try LoadedRecords.shippedSources()),
            stated: [own.history.coverage.union(early)], gap,
            decisions: own.decisions + [
                "the named files cover less than a week before \(TimeText.rfc3339(cutoff)): "
                    + "the shipped records are added for that time"
            ])
    }

    private static func coversLessThanAWeek(_ coverage: Coverage) -> Bool {
        BridgeIndex.all.allSatisfy { coverage.minutes(of: $0) < 7 * 1440 }
    }

    private var coverageURLs: [URL] { coverage.map { URL(fileURLWithPath: $0) } }
}
