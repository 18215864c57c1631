// A model ready to run, and the tables of forecasts that are made with it.
public import BridgecastCore

/// A network with its normalisation, its climatology and the facts of its making.
public struct LoadedModel: Sendable {
    /// How the model came about and what it was fitted to.
    public let header: ModelHeader
    /// The climatology its prior is made from.
    public let climatology: Climatology
    /// The network, packed for this CPU.
    public let network: CompiledNetwork

    /// Whether this is the very same loaded model, not only an equal one.
    package func isSame(as other: LoadedModel) -> Bool { network.isSame(as: other.network) }

    /// Runs the network on a batch.
    ///
    /// A row that holds NaN or infinity, which ``FeatureBuilder`` never makes, comes out as NaN.
    /// - Parameters:
    ///   - batch: Rows from the ``FeatureBuilder``, B >= 0.
    ///   - probabilities: Receives the probability of each delay bin, [B, 12]; it is resized only
    ///     if its size differs.
    ///   - workspace: Scratch of the calling task; nothing is allocated once it has seen this model.
    ///   - units: The code path. All agree: int8 exactly in its logits, fp32 to rounding.
    /// - Complexity: O(B x (inputs of a row that are not zero x outputs of the first layer + weights of the others)).
    public func predict(
        _ batch: FeatureBatch, into probabilities: inout [Float], workspace: inout Workspace,
        units: ComputeUnits = .all
    ) {
        let count = batch.rowCount * DelayBins.count
        if probabilities.count != count { probabilities = Array(repeating: 0, count: count) }
        var output = probabilities.mutableSpan
        network.probabilities(
            batch.rows, prior: batch.priorLogits.span, into: &output,
            workspace: &workspace, units: units)
    }

    /// How far a table by the minute reaches, minutes.
    package static let minuteTableReach = 180.0

    /// Forecasts for those who queue: every minute of the first half-hour, then every fifth.
    ///
    /// When a raised bridge comes down, a chance falls from nearly one to nearly none within two minutes: a coarser grid
    /// would draw a line across that.
    /// - Throws: ``InferenceError/notFinite(request:)``.
    /// - Complexity: 427 rows of the network, about a third of a millisecond; on the calling thread.
    package func minuteTable(
        in situation: Situation, traffic: TrafficDensity
    ) throws(InferenceError) -> ForecastTable {
        let leads =
            Array(stride(from: 0.0, through: 30, by: 1))
            + stride(from: 35, through: Self.minuteTableReach, by: 5)
        let plan = ForecastTablePlan(situation, leads: leads, traffic: traffic, modes: [.car])
        let batch = plan.rows(FeatureBuilder(climatology: climatology))
        var probabilities: [Float] = []
        var workspace = Workspace()
        predict(batch, into: &probabilities, workspace: &workspace, units: .all)
        return try plan.table(probabilities, climatology)
    }
}

// MARK: - Tables

/// The rows of a forecast table: every lead, kind of traveller and bridge.
package struct ForecastTablePlan {
    private let situation: Situation
    private let traffic: TrafficDensity
    private let modes: Set<Route.Mode>
    private let leads: [Double]
    private let kinds: [Bool]

    package var rowCount: Int { leads.count * kinds.count * BridgeCatalogue.count }

    /// - Parameter start: No arrival is earlier, minutes after the issue time.
    /// - Throws: ``InferenceError/reach(minutes:)``, ``InferenceError/noMode``.
    package init(
        _ situation: Situation, from start: Double = 0, reaching minutes: Double,
        traffic: TrafficDensity, modes: Set<Route.Mode>
    ) throws(InferenceError) {
        guard minutes >= 0, minutes <= ForecastTable.maxLeadMinutes else {
            throw .reach(minutes: minutes)
        }
        guard !modes.isEmpty else { throw .noMode }
        self.situation = situation
        self.traffic = traffic
        self.modes = modes
        // Beyond the longest lead rows are those of the valid time alone: the time up to there can be left out.
        let first = start > FeatureBuilder.longestLeadMinutes ? start : 0
        leads = ForecastTable.leads(from: first, upTo: minutes)
        kinds = ForecastTable.kinds(of: modes)
    }

    /// - Parameter leads: Increasing, 0 or more, at most ``ForecastTable/maxLeadMinutes``; one at least.
    package init(
        _ situation: Situation, leads: [Double], traffic: TrafficDensity, modes: Set<Route.Mode>
    ) {
        self.situation = situation
        self.traffic = traffic
        self.modes = modes
        self.leads = leads
        kinds = ForecastTable.kinds(of: modes)
    }

    package func rows(_ builder: FeatureBuilder) -> FeatureBatch {
        var batch = FeatureBatch(capacity: rowCount)
        // By lead: what depends on the valid time alone is then computed once for all bridges.
        for lead in leads {
            let arrival = situation.issueTime.adding(minutes: lead)
            for queues in kinds {
                for bridge in BridgeIndex.all {
                    builder.append(
                        bridge, leadMinutes: lead,
                        density: queues ? Float(traffic.density(of: bridge, at: arrival)) : 0,
                        in: situation, to: &batch)
                }
            }
        }
        return batch
    }

    /// The table, from the probabilities of all rows, [B, 12].
    ///
    /// - Throws: ``InferenceError/notFinite(request:)``.
    package func table(
        _ probabilities: [Float], _ climatology: Climatology
    ) throws(InferenceError) -> ForecastTable {
        let bridges = BridgeCatalogue.count
        var delays: [DelayDistribution] = []
        delays.reserveCapacity(rowCount)
        for kind in kinds.indices {
            for bridge in 0..<bridges {
                for lead in leads.indices {
                    let row = (lead * kinds.count + kind) * bridges + bridge
                    delays.append(try .row(row, of: probabilities))
                }
            }
        }
        let first = SeattleTime.civil(at: situation.issueTime.adding(minutes: leads[0]))
        return ForecastTable(
            issueTime: situation.issueTime, leadsMinutes: leads, modes: modes,
            history: climatology.history(on: first.date, in: situation), delays: delays)
    }
}
