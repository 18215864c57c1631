// A network that is measured, with the rows it runs on.
internal import BridgecastCore
public import BridgecastEngine

/// A network to measure, in one or more number formats, with rows to run.
public struct BenchNetwork: Sendable {
    /// Short name: `A`, `B` or that of the file.
    public let name: String
    /// Widths from inputs to outputs.
    public let sizes: [Int]
    /// The network in each format.
    public let formats: [WeightFormat: CompiledNetwork]
    /// Whether outputs are probabilities of logits and prior, or logits alone.
    public let addsPrior: Bool
    /// What rows are cut from, [n, F].
    let features: [Float]
    /// The same rows as lists, if that is how callers of the network have them.
    let lists: SparseRows?
    /// [n, K]; empty without prior.
    let prior: [Float]

    /// Rows after which they repeat.
    var period: Int { features.count / sizes[0] }

    /// Rows, [count, F], repeating those there are.
    func features(rows count: Int) -> [Float] { Self.repeated(features, count * sizes[0]) }

    /// Rows as lists, repeating those there are; nil if callers write them out.
    func lists(rows count: Int) -> SparseRows? {
        guard let lists else { return nil }
        var result = SparseRows(width: lists.width)
        while result.count < count {
            result.append(contentsOf: lists.prefix(count - result.count))
        }
        return result
    }

    /// Prior logits, [count, K].
    func prior(rows count: Int) -> [Float] {
        addsPrior ? Self.repeated(prior, count * (sizes.last ?? 0)) : []
    }

    private static func repeated(_ values: [Float], _ count: Int) -> [Float] {
        var result: [Float] = []
        result.reserveCapacity(count)
        while result.count < count { result += values.prefix(count - result.count) }
        return result
    }
}
