// Which records of a file are pieces of the same opening; for the report of `ingest`.
import BridgecastCore

extension RecordFile {
    /// The indices of records that continue the opening of an earlier one, repetitions left out.
    package func pieces(gapSeconds: Int64) -> Set<Int> {
        var indices = BridgeIndex.all.map { _ in [Int]() }
        for (index, record) in records.enumerated() {
            indices[record.opening.bridge.rawValue].append(index)
        }
        return Set(
            indices.flatMap { indices in
                OpeningConsolidation.pieces(
                    of: indices.map { records[$0].opening }, gapSeconds: gapSeconds
                ).map { indices[$0] }
            })
    }
}
