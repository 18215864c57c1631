// File after file into the store: what was stored, what was refused; the work of `ingest`.
import BridgecastCore
import BridgecastData
import BridgecastStore
import Foundation

/// A run over several files.
struct IngestRun {
    let store: StoreOptions
    /// Where the files' records are complete; nil to infer it.
    let coverage: Coverage?
    let gapSeconds: Int64

    /// The store; made for the first file that has something to put into it.
    private(set) var history: HistoryStore?
    private(set) var reports: [IngestReport] = []
    private(set) var refusals: [CommandFailure] = []
    /// Files stored.
    private(set) var stored = 0

    init(store: StoreOptions, coverage: Coverage?, gapSeconds: Int64) {
        (self.store, self.coverage, self.gapSeconds) = (store, coverage, gapSeconds)
    }

    /// Stores a file, or keeps why it was refused.
    ///
    /// - Returns: Whether the next file may fare better.
    mutating func take(_ url: URL) throws -> Bool {
        do {
            try ingest(try RecordFile(url, now: .now))
            return true
        } catch let error as DocumentError {
            refusals.append(CommandFailure(error))
            return true
        } catch let error as HistoryStoreError {
            refusals.append(CommandFailure(error))
            return false
        }
    }

    private mutating func ingest(_ file: RecordFile) throws {
        guard !file.records.isEmpty else {
            reports.append(IngestReport(refused: file))
            throw file.noUsableRow
        }
        let opened = try history ?? HistoryStore(try store.url(), .writing)
        history = opened
        reports.append(
            try opened.ingest(file, coverage: coverage, gapSeconds: gapSeconds, at: .now))
        stored += 1
    }
}
