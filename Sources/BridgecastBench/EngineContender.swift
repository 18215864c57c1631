// One of our own paths as a contender, through the public API.
internal import BridgecastCore
internal import BridgecastEngine

/// One of our paths through the public API.
struct EngineContender: Contender {
    private let network: CompiledNetwork
    private let units: ComputeUnits
    private let features: [Float]
    private let lists: SparseRows?
    private let prior: [Float]
    private let addsPrior: Bool
    private var result: [Float]
    private var workspace: Workspace

    init(
        _ bench: BenchNetwork, _ network: CompiledNetwork, rows: Int, units: ComputeUnits,
        threads: Int
    ) {
        self.network = network
        self.units = units
        // The definition of the results is plain C on rows written out.
        lists = units == .reference ? nil : bench.lists(rows: rows)
        features = lists == nil ? bench.features(rows: rows) : []
        prior = bench.prior(rows: rows)
        addsPrior = bench.addsPrior
        result = Array(repeating: 0, count: rows * network.outputs)
        workspace = Workspace(threads: threads)
    }

    mutating func round(calls most: Int, nanoseconds budget: UInt64) -> RoundTimings {
        // Local, so that a call touches what a caller's own variables would be.
        var (result, workspace) = (result, workspace)
        let (network, units, features, lists, prior) = (network, units, features, lists, prior)
        let timings = timedRound(calls: most, nanoseconds: budget) {
            var span = result.mutableSpan
            if let lists {
                network.probabilities(
                    lists, prior: prior.span, into: &span, workspace: &workspace, units: units)
            } else if addsPrior {
                network.probabilities(
                    features.span, prior: prior.span, into: &span, workspace: &workspace,
                    units: units)
            } else {
                network.logits(features.span, into: &span, workspace: &workspace, units: units)
            }
        }
        (self.result, self.workspace) = (result, workspace)
        return timings
    }

    func output() -> [Float] { result }
}
