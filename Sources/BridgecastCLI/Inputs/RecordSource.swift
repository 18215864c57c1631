// Opening records as a user names them: a file of the city's, or a history store. Used by LoadedRecords.
import BridgecastCore
import BridgecastData
import BridgecastDigest
import BridgecastEngine
import BridgecastStore
import Foundation

/// Openings of one file or store.
struct RecordSource {
    /// The file's name without folders.
    let name: String
    let openings: [Opening]
    /// Where they are all there were; nil where the source does not say.
    let coverage: Coverage?
    /// For people: what could not be used.
    let notes: [String]
    private let origin: Origin

    private enum Origin {
        case file(sha256: String)
        case store([[WitnessedOpening]])
    }

    /// Reads a store if the file is one, else records.
    init(_ url: URL, gapSeconds: Int64) throws {
        // What cannot be looked into, a pipe above all, is no store.
        if (try? HistoryStore.isDatabase(url)) == true {
            try self.init(store: url, gapSeconds)
        } else {
            self.init(try RecordFile(url, now: .now))
        }
    }

    /// Takes over records that have been read.
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

    private init(store url: URL, _ gapSeconds: Int64) throws {
        let store = try HistoryStore(url, .reading)
        defer { store.close() }
        let contents = try store.contents(gapSeconds: gapSeconds)
        name = url.lastPathComponent
        openings = contents.openings.flatMap { $0.map(\.opening) }
        guard !openings.isEmpty else {
            throw CommandFailure(
                .data, "\(store.path): the store holds no openings; sync or ingest brings some")
        }
        coverage = contents.coverage
        notes = []
        origin = .store(contents.openings)
    }

    /// What it is known by in the provenance of models; for a store that takes as long as its export.
    ///
    /// A store is known by the digest of what `history export` writes of it: its own bytes change with every write.
    func provenance() throws -> ModelProvenance.Source {
        switch origin {
        case .file(let sha256): return ModelProvenance.Source(file: name, sha256: sha256)
        case .store(let openings):
            let export = try HistoryText.text(HistoryText.inOrder(openings), .csv)
            return ModelProvenance.Source(
                file: name, sha256: hexadecimal(SHA256.hash(export.utf8)))
        }
    }
}
