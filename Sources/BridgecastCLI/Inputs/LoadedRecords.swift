// Records ready for use, and where they came from; used by what learns from records, scores on them or replays them.
// Belongs here: what several commands work on, read from files, store and checkout; not: their options (Options).
package import BridgecastCore
import BridgecastData
import BridgecastEngine
package import BridgecastStore
package import Foundation

/// Records ready for use.
package struct LoadedRecords {
    /// What happened.
    package let history: OpeningHistory
    /// What was decided about the sources, for people.
    let decisions: [String]
    private let sources: [RecordSource]

    /// For people: what of the sources could not be used, and what was decided about them.
    var notes: [String] { sources.flatMap(\.notes) + decisions }

    /// The shipped records with their own coverage, or with that of other files.
    package static func shipped(
        coverage: [URL] = [], gapSeconds: Int64 = OpeningConsolidation.defaultGapSeconds
    ) throws -> LoadedRecords {
        let stated = coverage.isEmpty ? [try ShippedFiles.coverage()] : coverage
        return LoadedRecords(
            try shippedSources(), stated: try stated.map(CoverageFile.read), gapSeconds)
    }

    /// A store's history, completed by the shipped records where it does not cover a bridge; a program without its
    /// checkout has none to add.
    package static func completing(_ stored: OpeningHistory) throws -> OpeningHistory {
        guard ShippedFiles.home() != nil else { return stored }
        return stored.completed(by: try shipped().history)
    }

    /// What a live command knows: a store's history so completed, or without one the shipped records alone.
    package static func known(to store: HistoryStore?) throws -> OpeningHistory {
        guard let store else { return try shipped().history }
        return try completing(try store.history())
    }

    /// The shipped records as sources.
    static func shippedSources() throws -> [RecordSource] {
        try ShippedFiles.records().map { RecordSource(try RecordFile($0, now: .now)) }
    }

    /// Puts sources together; where nobody says what they cover it is inferred.
    ///
    /// - Parameters:
    ///   - stated: What they cover; if empty, that is what the sources themselves say.
    ///   - decisions: What was decided before, for people.
    init(
        _ sources: [RecordSource], stated: [Coverage], _ gapSeconds: Int64,
        decisions: [String] = []
    ) {
        var decisions = decisions
        let said = stated.isEmpty ? sources.compactMap(\.coverage) : stated
        var coverage = said.reduce(Coverage.empty) { $0.union($1) }
        let silent = sources.filter { $0.coverage == nil }
        if stated.isEmpty, !silent.isEmpty {
            coverage = coverage.union(.inferred(from: silent.flatMap(\.openings)))
            let names = silent.map(\.name).joined(separator: ", ")
            decisions.append("coverage of \(names) is inferred; state it with --coverage")
        }
        history = OpeningHistory(
            records: sources.flatMap(\.openings), coverage: coverage, gapSeconds: gapSeconds)
        (self.sources, self.decisions) = (sources, decisions)
    }

    /// What the sources are known by, each once; for a store that takes as long as its export.
    func provenance() throws -> [ModelProvenance.Source] {
        try sources.map { try $0.provenance() }.reduce(into: []) { known, source in
            if !known.contains(source) { known.append(source) }
        }
    }
}
