// Which rows a forecast table is made of, and how they become one.
internal import BridgecastCore

/// The rows of a forecast table: every lead, kind of traveller and bridge.
struct ForecastTablePlan {
    private let situation: Situation
    private let traffic: TrafficDensity
    private let modes: Set<Route.Mode>
    private let leads: [Double]
    private let kinds: [Bool]

    /// How many rows it takes.
    var rowCount: Int { leads.count * kinds.count * BridgeCatalogue.count }

    /// - Parameter start: No arrival is earlier, minutes after the issue time.
    /// - Throws: ``InferenceError/reach(minutes:)``, ``InferenceError/noMode``.
    init(
        _ situation: Situation, from start: Double = 0, reaching minutes: Double,
        traffic: TrafficDensity, modes: Set<Route.Mode>
    ) throws(InferenceError) {
        guard minutes >= 0, minutes <= ForecastTable.farthestMinutes else {
            throw .reach(minutes: minutes)
        }
        guard !modes.isEmpty else { throw .noMode }
        (self.situation, self.traffic, self.modes) = (situation, traffic, modes)
        // Beyond the longest lead rows are those of the valid time alone: the time up to there can be left out.
        let first = start > FeatureBuilder.longestLeadMinutes ? start : 0
        leads = ForecastTable.leads(from: first, upTo: minutes)
        kinds = ForecastTable.kinds(of: modes)
    }

    /// - Parameter leads: Increasing, 0 or more, at most ``ForecastTable/farthestMinutes``; one at least.
    init(
        _ situation: Situation, leads: [Double], traffic: TrafficDensity, modes: Set<Route.Mode>
    ) {
        (self.situation, self.traffic, self.modes) = (situation, traffic, modes)
        (self.leads, kinds) = (leads, ForecastTable.kinds(of: modes))
    }

    /// The inputs of all rows.
    func rows(_ builder: FeatureBuilder) -> FeatureBatch {
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
    func table(
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
