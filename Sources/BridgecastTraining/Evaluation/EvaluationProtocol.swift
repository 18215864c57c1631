// The fixed evaluation protocol: which rows there are, and every forecaster's answer to each.
// Belongs here: what is scored, and how; not: pages, tables and pictures of it (BridgecastCLI).
package import BridgecastCore
package import BridgecastEngine

/// The fixed evaluation protocol: issue times every 5 minutes, arrivals 0 to 60 minutes later.
package struct EvaluationProtocol: Sendable {
    /// Lead times in minutes; 0 comes first and stays out of every total.
    package static let leadsMinutes = [0.0] + Sampler.protocolLeadsMinutes

    private let history: OpeningHistory
    private let interval: Range<Timestamp>
    private let climatology: ClimatologyBaseline
    private let baselines: [(Forecaster, any Baseline)]
    private let logistic: LogisticRegression?

    /// Bridges with covered time before the interval: those that baselines can be made for.
    package let bridges: [BridgeIndex]

    /// Prepares an evaluation: fits the baselines.
    ///
    /// - Parameters:
    ///   - history: Records of the interval and from before it; the baselines see the latter only.
    ///   - interval: Issue times.
    ///   - fitsRegression: Whether logistic regression is among the baselines; it takes seconds.
    package init(
        history: OpeningHistory, interval: Range<Timestamp>, fitsRegression: Bool = false
    ) {
        self.history = history
        self.interval = interval
        let past = history.before(interval.lowerBound)
        climatology = ClimatologyBaseline(past)
        baselines = [
            (.climatology, climatology), (.baseRate, BaseRate(past)),
            (.poisson, PoissonRates(past)),
            (.persistence, Persistence(past)), (.bridgelocks, BridgelocksRule(past)),
        ]
        bridges = BridgeIndex.all.filter { past.coverage.minutes(of: $0) > 0 }
        logistic = fitsRegression && !bridges.isEmpty ? LogisticRegression(past) : nil
    }

    /// Forecasts every covered row of the protocol; arrivals outside coverage have no outcome and
    /// are left out.
    ///
    /// - Parameters:
    ///   - seen: What the model and the baselines know of the past; nil for all of it.
    ///   - part: Issue times within this part of the interval alone; nil for all of it.
    ///   - isStateHidden: Whether nothing is known of what the bridges do at issue time, nor of the hours before.
    package func rows(
        of model: LoadedModel, units: ComputeUnits = .all, seeing seen: OpeningHistory? = nil,
        during part: Range<Timestamp>? = nil, isStateHidden: Bool = false
    ) -> ScoredRows {
        let reader = SituationReader(seen ?? history)
        let builder = FeatureBuilder(climatology: model.climatology)
        var rows = ScoredRows()
        var (batch, regressionBatch) = (FeatureBatch(), FeatureBatch())
        var workspace = Workspace()
        var output: [Float] = []
        let perCase = DelayTraffic.allCases.count
        for issueTime in ProtocolClock.issueTimes(in: part?.clamped(to: interval) ?? interval) {
            batch.removeAll()
            regressionBatch.removeAll()
            let situation =
                isStateHidden ? .unknown(at: issueTime) : reader.situation(at: issueTime)
            let cases = cases(at: issueTime)
            for item in cases {
                let lead = Self.leadsMinutes[item.lead]
                for traffic in DelayTraffic.allCases {
                    builder.append(
                        item.bridge, leadMinutes: lead,
                        density: Float(traffic.density(profile: item.density)), in: situation,
                        to: &batch)
                }
                logistic?.append(
                    item.bridge, leadMinutes: lead, in: situation, to: &regressionBatch)
            }
            model.predict(batch, into: &output, workspace: &workspace, units: units)
            let regression = logistic?.probabilities(
                regressionBatch, leadsMinutes: cases.map { Self.leadsMinutes[$0.lead] })
            let day = SeattleTime.civil(at: issueTime).date.dayNumber
            for (index, item) in cases.enumerated() {
                let forecasts = (0..<perCase).map { traffic in
                    let start = (index * perCase + traffic) * DelayBins.count
                    return DelayDistribution(output[start..<start + DelayBins.count])
                }
                let confidence = Confidence(
                    item.bridge, leadMinutes: Self.leadsMinutes[item.lead], in: situation,
                    coveredDays: Double(model.climatology.coveredDays[item.bridge.rawValue]))
                append(
                    item, day: day, situation, confidence, forecasts, regression?[index], to: &rows)
            }
        }
        return rows
    }

    /// The protocol's rows as the network sees them, without queueing, and what happened.
    ///
    /// - Parameters:
    ///   - most: At most so many rows, from issue times spread evenly over the interval.
    ///   - withTrees: Whether to add the inputs of decision trees.
    package func matrix(
        for climatology: Climatology, most: Int, withTrees: Bool = false
    ) -> FeatureMatrix {
        let reader = SituationReader(history)
        let builder = FeatureBuilder(climatology: climatology)
        let issueTimes = Array(ProtocolClock.issueTimes(in: interval))
        let total = issueTimes.reduce(0) { $0 + cases(at: $1).count }
        let step = max(1, total / max(most, 1))
        var matrix = FeatureMatrix(withTrees: withTrees)
        for index in stride(from: 0, to: issueTimes.count, by: step) {
            let issueTime = issueTimes[index]
            let situation = reader.situation(at: issueTime)
            for item in cases(at: issueTime) where matrix.rows.count < most {
                let lead = Self.leadsMinutes[item.lead]
                matrix.append(
                    FeatureMatrix.Row(
                        bridge: item.bridge, issueTime: issueTime, leadMinutes: lead,
                        isBlocked: history.isBlocked(at: item.validTime, of: item.bridge),
                        usual: self.climatology.climatology.openProbability(
                            of: item.bridge, at: SeattleTime.civil(at: item.validTime))),
                    by: builder, in: situation)
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

    /// The delay of an arrival half a minute later; nil where there is none or its opening has seconds.
    private func midMinuteSeconds(_ item: Case, density: Double, delay: Double) -> Double? {
        let recent =
            item.validTime.adding(
                seconds: -QueueingDelay.memorySeconds)..<item.validTime.adding(minutes: 1)
        guard delay > 0,
            let end = history.openings(of: item.bridge, overlapping: recent).last?.end,
            end.secondsSinceEpoch % 60 == 0
        else { return nil }
        return history.delaySeconds(
            arrivingAt: item.validTime.adding(minutes: 0.5), of: item.bridge, density: density)
    }

    private func append(
        _ item: Case, day: Int, _ situation: Situation, _ confidence: Confidence,
        _ forecasts: [DelayDistribution], _ regression: Float?, to rows: inout ScoredRows
    ) {
        let civil = SeattleTime.civil(at: item.validTime)
        rows.append(
            bridge: item.bridge, lead: item.lead, day: day, valid: civil, confidence: confidence,
            isBlocked: history.isBlocked(at: item.validTime, of: item.bridge))
        let query = BaselineQuery(
            bridge: item.bridge, leadMinutes: Self.leadsMinutes[item.lead], validCivil: civil,
            situation: situation)
        for (forecaster, baseline) in baselines {
            rows.append(forecaster, probability: baseline.probabilityBlocked(query))
        }
        if let regression { rows.append(.logistic, probability: regression) }
        let usual = climatology.probabilityBlocked(query)
        for (traffic, forecast) in zip(DelayTraffic.allCases, forecasts) {
            if traffic == .rho0 {
                rows.append(.model, probability: Float(forecast.probabilityDelayed))
            }
            let density = traffic.density(profile: item.density)
            let delay = history.delaySeconds(
                arrivingAt: item.validTime, of: item.bridge, density: density)
            let midMinute = midMinuteSeconds(item, density: density, delay: delay)
            rows.append(
                .model, traffic,
                DelayRowScore(forecast, delaySeconds: delay, midMinuteSeconds: midMinute))
            let expected = climatology.climatology.delay(
                item.bridge, openProbability: usual, density: Float(density))
            rows.append(
                .climatology, traffic,
                DelayRowScore(expected, delaySeconds: delay, midMinuteSeconds: midMinute))
        }
    }
}
