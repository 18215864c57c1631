// Which records a command works on: files named by the user, or those that ship with Bridgecast.
import ArgumentParser
package import BridgecastCore
import BridgecastData
import BridgecastEngine
package import Foundation

/// `--records`, `--coverage`, `--merge-gap`.
struct RecordOptions: ParsableArguments {
    @Option(
        name: .long,
        help: "Opening records, CSV or JSON; may be repeated. Default: the shipped records.")
    var records: [String] = []

    @Option(
        name: .long,
        help:
            "Coverage statement (JSON); may be repeated. Default: that of the shipped records, or inferred."
    )
    var coverage: [String] = []

    @OptionGroup var merging: MergeOptions

    /// Reads the records.
    ///
    /// - Parameter cutoff: If given, and the named records cover less than a week before it, the
    ///   shipped records of earlier time are added, and a note says so.
    func load(before cutoff: Timestamp? = nil) throws -> LoadedRecords {
        guard !records.isEmpty else {
            return try .shipped(coverage: coverageURLs, gapSeconds: merging.gapSeconds)
        }
        let files = try records.map { try RecordFile(URL(fileURLWithPath: $0), now: .now) }
        let own = LoadedRecords(
            files, stated: try coverageURLs.map(CoverageFile.read), merging.gapSeconds, [])
        guard let cutoff else { return own }
        let past = Timestamp.earliest..<cutoff
        guard Self.coversLessThanAWeek(own.history.coverage.clamped(to: past)) else { return own }
        let early = try CoverageFile.read(ShippedFiles.coverage()).clamped(to: past)
        let stated = own.history.coverage.union(early)
        return LoadedRecords(
            files + (try LoadedRecords.shippedFiles()), stated: [stated], merging.gapSeconds,
            own.notes + [
                "the named files cover less than a week before \(TimeText.rfc3339(cutoff)): "
                    + "the shipped records are added for that time"
            ])
    }

    private static func coversLessThanAWeek(_ coverage: Coverage) -> Bool {
        BridgeIndex.all.allSatisfy { coverage.minutes(of: $0) < 7 * 1440 }
    }

    private var coverageURLs: [URL] { coverage.map { URL(fileURLWithPath: $0) } }
}

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
}

/// Records ready for use, and where they came from.
package struct LoadedRecords {
    /// What happened.
    package let history: OpeningHistory
    let sources: [ModelProvenance.Source]
    let notes: [String]

    /// The shipped records with their own coverage, or with that of other files.
    package static func shipped(
        coverage: [URL] = [], gapSeconds: Int64 = OpeningConsolidation.defaultGapSeconds
    ) throws -> LoadedRecords {
        let stated = coverage.isEmpty ? [try ShippedFiles.coverage()] : coverage
        return LoadedRecords(
            try shippedFiles(), stated: try stated.map(CoverageFile.read), gapSeconds, [])
    }

    /// A store's history, completed by the shipped records where it does not cover a bridge; a program without its
    /// checkout has none to add.
    package static func completing(_ stored: OpeningHistory) throws -> OpeningHistory {
        guard ShippedFiles.home() != nil else { return stored }
        return stored.completed(by: try shipped().history)
    }

    static func shippedFiles() throws -> [RecordFile] {
        try ShippedFiles.records().map { try RecordFile($0, now: .now) }
    }

    init(
        _ files: [RecordFile], stated: [Coverage], _ gapSeconds: Int64, _ notes: [String]
    ) {
        var notes = notes
        let openings = files.flatMap(\.openings)
        for file in files where file.rowsRead > file.openings.count {
            notes.append(
                "\(file.input.path): \(file.rowsRead - file.openings.count) of \(file.rowsRead) "
                    + "rows are not usable; `bridgecast ingest` says why")
        }
        var coverage = stated.reduce(Coverage.empty) { $0.union($1) }
        if stated.isEmpty {
            coverage = .inferred(from: openings)
            notes.append("coverage is inferred from the records; state it with --coverage")
        }
        history = OpeningHistory(records: openings, coverage: coverage, gapSeconds: gapSeconds)
        sources = files.map { ModelProvenance.Source(file: $0.input.name, sha256: $0.input.sha256) }
        self.notes = notes
    }
}
