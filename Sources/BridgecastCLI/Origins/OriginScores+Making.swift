// What scores and models of origins say of their making, and how two such statements differ.
import BridgecastCore
import BridgecastEngine
import BridgecastTraining

extension OriginScores.Making {
    /// What a model file says of its making.
    init(_ header: ModelHeader) {
        let provenance = header.provenance
        self.init(
            settings: provenance.settings, seed: provenance.seed,
            fittedBefore: TimeText.rfc3339(provenance.fittedBefore),
            records: provenance.sources.map(\.sha256), schemaHash: header.schemaHash)
    }

    /// What a model file says of its making, and what it is scored on.
    ///
    /// - Parameter digest: That of the openings and coverage, see `OpeningHistory.digest`.
    init(_ header: ModelHeader, scoredOn digest: String) {
        self.init(header)
        if !records.contains(digest) { records.append(digest) }
    }

    /// What makes a recipe, the same at all its origins, by name.
    var recipeFacts: [String: String] { settings.merging(["seed": "\(seed)"]) { $1 } }

    /// What there is to compare, by name.
    var facts: [String: String] {
        recipeFacts.merging([
            "fitted before": fittedBefore, "inputs": schemaHash,
            "records and coverage": records.map { String($0.prefix(12)) }.joined(separator: ", "),
        ]) { $1 }
    }

    /// Where facts are not as they are wanted, in words; empty if they are.
    static func differences(_ found: [String: String], _ wanted: [String: String]) -> [String] {
        Set(found.keys).union(wanted.keys).sorted().filter { found[$0] != wanted[$0] }
            .map { "\($0) \(found[$0] ?? "none"), not \(wanted[$0] ?? "none")" }
    }
}
