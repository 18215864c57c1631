// Opening records as a user names them: a file of the city's, or a history store. Used by LoadedRecords.
import BridgecastCore
import BridgecastData
import BridgecastDigest
import BridgecastEngine
import BridgecastStore
import Foundation

/// Openings of one file or store.
struct RecordSource {
    let openings: [Opening]
    /// Where they are all there were; nil where the source does not say.
    let coverage: Coverage?
    /// What it is known by in the provenance of models.
    let provenance: ModelProvenance.Source
    /// For people: what could not be used.
    let notes: [String]

    /// Reads a store if the file is one, else records.
    init(_ url: URL, gapSeconds: Int64) throws {
        // What cannot be looked into, a pipe above all, is no store.
        if (try? HistoryStore.isDatabase(url)) == true {
            try self.init(store: url, gapSeconds)
        } else {
            self.init(try RecordFile(url, now: .now))
        }
    }

    private init(_ file: RecordFile) {
        openings = file.openings
        coverage = nil
        provenance = ModelProvenance.Source(file: file.input.name, sha256: file.input.sha256)
        let unusable = file.rowsRead - file.openings.count
        notes =
            unusable == 0
            ? []
            : [
                "\(file.input.path): \(unusable) of \(file.rowsRead) "
                    + "rows are not usable; `bridgecast ingest` says why"
            ]
    }

    /// A store is known by the digest of what `history export` writes of it: its own bytes change with every write.
    private init(store url: URL, _ gapSeconds: Int64) throws {
        let store = try HistoryStore(url, .reading)
        defer { store.close() }
        let contents = try store.contents(gapSeconds: gapSeconds)
        let witnessed = HistoryText.inOrder(contents.openings)
        guard !witnessed.isEmpty else {
            throw CommandFailure(
                .data, "\(store.path): the store holds no openings; sync or ingest brings some")
        }
        let export = try HistoryText.text(witnessed, .csv)
        openings = witnessed.map(\.opening)
        coverage = contents.coverage
        provenance = ModelProvenance.Source(
            file: url.lastPathComponent, sha256: hexadecimal(SHA256.hash(export.utf8)))
        notes = []
    }
}
