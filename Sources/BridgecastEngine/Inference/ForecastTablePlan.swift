// Which rows a forecast table is made of, and how they become one; with an actor or without.
public import BridgecastCore

/// The rows of a forecast table: every lead, kind of traveller and bridge.
struct ForecastTablePlan {
    let requests: [ForecastRequest]
    private let leads: [Double]
    private let kinds: [Bool]

    init(
        _ issueTime: Timestamp, reaching minutes: Double, traffic: TrafficDensity,
        modes: Set<Route.Mode>
    ) {
        leads = ForecastTable.leads(upTo: minutes)
        kinds = [true, false].filter { queues in modes.contains { $0.queues == queues } }
        var requests: [ForecastRequest] = []
        requests.reserveCapacity(kinds.count * BridgeCatalogue.count * leads.count)
        // By lead: what depends on the valid time alone is then computed once for all bridges.
        for lead in leads {
            let arrival = issueTime.adding(minutes: lead)
            for queues in kinds {
                for bridge in BridgeIndex.all {
                    requests.append(
                        ForecastRequest(
                            bridge: bridge, leadMinutes: lead,
                            density: queues ? Float(traffic.density(of: bridge, at: arrival)) : 0))
                }
            }
        }
        self.requests = requests
    }

    /// The table, from one forecast per request.
    func table(_ forecasts: [DelayDistribution]) -> ForecastTable {
        let bridges = BridgeCatalogue.count
        let tables = kinds.indices.map { kind in
            (0..<bridges).map { bridge in
                leads.indices.map { forecasts[($0 * kinds.count + kind) * bridges + bridge] }
            }
        }
        return ForecastTable(
            leadsMinutes: leads, distributions: [tables[0], tables[tables.count - 1]])
    }
}

extension LoadedModel {
    /// As ``TrafficInference/table(in:reaching:traffic:modes:)``, at once and on the calling thread: for
    /// callers that have no tasks.
    public func table(
        in situation: Situation, reaching minutes: Double, traffic: TrafficDensity,
        modes: Set<Route.Mode> = Set(Route.Mode.allCases), workspace: inout Workspace
    ) -> ForecastTable {
        let plan = ForecastTablePlan(
            situation.issueTime, reaching: minutes, traffic: traffic, modes: modes)
        let builder = FeatureBuilder(climatology: climatology)
        var batch = FeatureBatch(capacity: plan.requests.count)
        for request in plan.requests {
            builder.append(
                request.bridge, leadMinutes: request.leadMinutes, density: request.density,
                in: situation, to: &batch)
        }
        var output: [Float] = []
        predict(batch, into: &output, workspace: &workspace)
        return plan.table(plan.requests.indices.map { DelayDistribution(row: $0, of: output) })
    }
}
