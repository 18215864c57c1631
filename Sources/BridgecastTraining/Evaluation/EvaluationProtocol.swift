// The fixed evaluation protocol: which rows there are, and every forecaster's answer to each.
package import BridgecastCore
package import BridgecastEngine

/// Rows of the protocol with the inputs that the network gets, for other programs to learn from.
package struct FeatureMatrix: Sendable {
    /// What a row is about.
    package struct Row: Sendable {
        package let bridge: BridgeIndex
        package let issueTime: Timestamp
        package let leadMinutes: Double
        /// Whether the arrival met a raised span.
        package let isBlocked: Bool
    }

    /// Inputs and prior logits.
    package fileprivate(set) var batch = FeatureBatch()
    /// One entry per row of the batch.
    package fileprivate(set) var rows: [Row] = []
}

/// The fixed evaluation protocol of DESIGN.md section 4.
package struct EvaluationProtocol: Sendable {
    /// Lead times in minutes; 0 comes first and stays out of every total.
    package static let leadsMinutes = [0.0] + Sampler.protocolLeadsMinutes

    private let history: OpeningHistory
    private let interval: Range<Timestamp>
    private let climatology: Climatology
    private let poisson: PoissonRates

    /// Bridges with covered time before the interval: those that baselines can be made for.
    package let bridges: [BridgeIndex]

    /// Prepares an evaluation.
    ///
    /// - Parameters:
    ///   - history: Records of the interval and from before it; the baselines see the latter only.
    ///   - interval: Issue times.
    package init(history: OpeningHistory, interval: Range<Timestamp>) {
        self.history = history
        self.interval = interval
        let past = history.before(interval.lowerBound)
        climatology = Climatology(ClimatologyCounts(past), slotsPerDay: 1440)
        poisson = PoissonRates(past)
        bridges = BridgeIndex.all.filter { past.coverage.minutes(of: $0) > 0 }
    }

    /// Forecasts every covered row of the protocol; arrivals outside coverage have no outcome and
    /// are left out.
    package func rows(of model: LoadedModel, units: ComputeUnits = .all) -> ScoredRows {
        let reader = SituationReader(history)
        let builder = FeatureBuilder(climatology: model.climatology)
        var rows = ScoredRows()
        var batch = FeatureBatch()
        var workspace = Workspace()
        var output: [Float] = []
        for issueTime in ProtocolClock.issueTimes(in: interval) {
            batch.removeAll()
            let situation = reader.situation(at: issueTime)
            let cases = cases(at: issueTime)
            for item in cases {
                for density in [0, item.density] {
                    builder.append(
                        item.bridge, leadMinutes: Self.leadsMinutes[item.lead],
                        density: Float(density), in: situation, to: &batch)
                }
            }
            model.predict(batch, into: &output, workspace: &workspace, units: units)
            let day = SeattleTime.civil(at: issueTime).date.dayNumber
            for (index, item) in cases.enumerated() {
                let start = 2 * index * DelayBins.count
                append(
                    item, day: day, unqueued: output[start..<start + DelayBins.count],
                    queued: output[start + DelayBins.count..<start + 2 * DelayBins.count],
                    to: &rows)
            }
        }
        return rows
    }

    /// The protocol's rows as the network sees them, without queueing, and what happened.
    ///
    /// - Parameters:
    ///   - most: At most so many rows, from issue times spread evenly over the interval.
    package func matrix(for climatology: Climatology, most: Int) -> FeatureMatrix {
        let reader = SituationReader(history)
        let builder = FeatureBuilder(climatology: climatology)
        let issueTimes = Array(ProtocolClock.issueTimes(in: interval))
        let total = issueTimes.reduce(0) { $0 + cases(at: $1).count }
        let step = max(1, total / max(most, 1))
        var matrix = FeatureMatrix()
        for index in stride(from: 0, to: issueTimes.count, by: step) {
            let issueTime = issueTimes[index]
            let situation = reader.situation(at: issueTime)
            for item in cases(at: issueTime) where matrix.rows.count < most {
                let lead = Self.leadsMinutes[item.lead]
                builder.append(
                    item.bridge, leadMinutes: lead, density: 0, in: situation, to: &matrix.batch)
                matrix.rows.append(
                    FeatureMatrix.Row(
                        bridge: item.bridge, issueTime: issueTime, leadMinutes: lead,
                        isBlocked: history.isBlocked(at: item.validTime, of: item.bridge)))
            }
        }
        return matrix
    }

    private struct Case {
        let bridge: BridgeIndex
        let lead: Int
        let validTime: Timestamp
        let density: Double
    }

    private func cases(at issueTime: Timestamp) -> [Case] {
        bridges.filter { history.coverage.contains(issueTime, of: $0) }.flatMap { bridge in
            Self.leadsMinutes.indices.compactMap { lead in
                let validTime = issueTime.adding(minutes: Self.leadsMinutes[lead])
                guard history.coverage.contains(validTime, of: bridge) else { return nil }
                return Case(
                    bridge: bridge, lead: lead, validTime: validTime,
                    density: TrafficProfile.density(of: bridge, at: validTime))
            }
        }
    }

    private func append(
        _ item: Case, day: Int, unqueued: ArraySlice<Float>, queued: ArraySlice<Float>,
        to rows: inout ScoredRows
    ) {
        rows.append(
            bridge: item.bridge, lead: item.lead, day: day,
            isBlocked: history.isBlocked(at: item.validTime, of: item.bridge),
            delaySeconds: history.delaySeconds(
                arrivingAt: item.validTime, of: item.bridge, density: item.density))
        rows.append(
            .model, probability: 1 - (unqueued.first ?? 1), distribution: DelayDistribution(queued))
        let civil = SeattleTime.civil(at: item.validTime)
        let usual = climatology.openProbability(of: item.bridge, at: civil)
        rows.append(
            .climatology, probability: usual,
            distribution: climatology.delay(
                item.bridge, openProbability: usual, density: Float(item.density)))
        rows.append(
            .poisson, probability: poisson.probabilityBlocked(item.bridge, at: civil),
            distribution: nil)
    }
}
