// Opening records that a user names: files of the city, or history stores; and the shipped ones.
package import BridgecastCore
import BridgecastData
import BridgecastEngine
package import BridgecastStore
import BridgecastSupport
package import Foundation

/// Openings of one file or store.
struct RecordSource {
    /// The file's name without folders.
    let name: String
    let openings: [Opening]
    /// Where they are complete; nil if the source does not state it.
    let coverage: Coverage?
    /// Unusable rows, for people.
    let notes: [String]
    private let origin: Origin

    private enum Origin {
        case file(sha256: String)
        case store([[WitnessedOpening]])
    }

    /// Reads a store or a file of records.
    ///
    /// - Parameter text: A path, or the URL of a database.
    init(_ text: String, gapSeconds: Int64) throws {
        guard case .file(let url) = try StoreLocation(text) else {
            let store = try HistoryStore.open(try StoreLocation(text), .reading)
            defer { store.close() }
            try self.init(store, gapSeconds: gapSeconds)
            return
        }
        // A file that cannot be inspected, such as a pipe, is not a store.
        if (try? HistoryStore.isDatabase(url)) == true {
            let store = try HistoryStore(url, .reading)
            defer { store.close() }
            try self.init(store, gapSeconds: gapSeconds)
        } else {
            self.init(try RecordFile(url, now: .now))
        }
    }

    init(_ file: RecordFile) {
        name = file.input.name
        openings = file.openings
        coverage = nil
        let unusable = file.rowsRead - file.openings.count
        notes =
            unusable == 0
            ? []
            : [
                "\(file.input.path): \(unusable) of \(file.rowsRead) "
                    + "rows are not usable; `bridgecast ingest` says why"
            ]
        origin = .file(sha256: file.input.sha256)
    }

    /// Reads a store, which may be closed afterwards.
    init(_ store: HistoryStore, gapSeconds: Int64) throws {
        let contents = try store.contents(gapSeconds: gapSeconds)
        // Models are published with it: of a database without its host.
        name =
            DatabaseAddress.isAddress(store.path)
            ? "postgresql" : URL(fileURLWithPath: store.path).lastPathComponent
        openings = contents.openings.flatMap { $0.map(\.opening) }
        guard !openings.isEmpty else {
            throw CommandFailure(
                .data, "\(store.path): the store holds no openings; sync or ingest brings some")
        }
        coverage = contents.coverage
        notes = []
        origin = .store(contents.openings)
    }

    /// Its name and digest for the provenance of models.
    ///
    /// A store has the digest of its `history export`, since its own bytes change with every write; that takes as long
    /// as the export.
    func provenance() throws -> ModelProvenance.Source {
        switch origin {
        case .file(let sha256): return ModelProvenance.Source(file: name, sha256: sha256)
        case .store(let openings):
            var digest = SHA256()
            var export = OpeningExport(.csv) { digest.update(Array($0.utf8).span) }
            let inOrder = openings.flatMap(\.self).sorted {
                ($0.opening.start, $0.opening.bridge) < ($1.opening.start, $1.opening.bridge)
            }
            for item in inOrder { try export.add(item) }
            try export.finish()
            return ModelProvenance.Source(file: name, sha256: hexadecimal(digest.finish()))
        }
    }
}

// MARK: - Records of several sources

/// Records of one or more sources, with their coverage.
package struct LoadedRecords {
    package let history: OpeningHistory
    /// Decisions about the sources, for people.
    let decisions: [String]
    private let sources: [RecordSource]

    /// Unusable rows and decisions, for people.
    var notes: [String] { sources.flatMap(\.notes) + decisions }

    /// The shipped records with their own coverage, or with that of other files.
    package static func shipped(
        coverage: [URL] = [], gapSeconds: Int64 = OpeningConsolidation.defaultGapSeconds
    ) throws -> LoadedRecords {
        let stated = coverage.isEmpty ? [try ShippedFiles.coverage()] : coverage
        return LoadedRecords(
            try shippedSources(), stated: try stated.map(CoverageFile.read),
            gapSeconds: gapSeconds)
    }

    /// A store's history, completed by the shipped records where it does not cover a bridge; a program without its
    /// checkout has none to add.
    package static func completing(_ stored: OpeningHistory) throws -> OpeningHistory {
        guard ShippedFiles.home() != nil else { return stored }
        return stored.completed(by: try shipped().history)
    }

    /// The records of a live command: a store's history so completed, or without one the shipped records alone.
    package static func known(to store: HistoryStore?) throws -> OpeningHistory {
        guard let store else { return try shipped().history }
        return try completing(try store.history())
    }

    /// The shipped records as sources.
    static func shippedSources() throws -> [RecordSource] {
        try ShippedFiles.records().map { RecordSource(try RecordFile($0, now: .now)) }
    }

    /// Joins sources; unknown coverage is inferred.
    ///
    /// - Parameters:
    ///   - stated: Their coverage; if empty, that of the sources.
    ///   - decisions: Earlier decisions, for people.
    init(
        _ sources: [RecordSource], stated: [Coverage], gapSeconds: Int64,
        decisions: [String] = []
    ) {
        var decisions = decisions
        let known = stated.isEmpty ? sources.compactMap(\.coverage) : stated
        var coverage = known.reduce(Coverage.empty) { $0.union($1) }
        let uncovered = sources.filter { $0.coverage == nil }
        if stated.isEmpty, !uncovered.isEmpty {
            coverage = coverage.union(.inferred(from: uncovered.flatMap(\.openings)))
            let names = uncovered.map(\.name).joined(separator: ", ")
            decisions.append("coverage of \(names) is inferred; state it with --coverage")
        }
        history = OpeningHistory(
            records: sources.flatMap(\.openings), coverage: coverage, gapSeconds: gapSeconds)
        self.sources = sources
        self.decisions = decisions
    }

    /// Names and digests of the sources, each once; for a store that takes as long as its export.
    func provenance() throws -> [ModelProvenance.Source] {
        try sources.map { try $0.provenance() }.reduce(into: []) { known, source in
            if !known.contains(source) { known.append(source) }
        }
    }
}
