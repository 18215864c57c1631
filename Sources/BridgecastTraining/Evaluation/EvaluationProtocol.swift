// The fixed evaluation protocol: which rows there are, and every forecaster's answer to each.
package import BridgecastCore
package import BridgecastEngine

/// The fixed evaluation protocol: issue times every 5 minutes, arrivals 0 to 60 minutes later.
package struct EvaluationProtocol: Sendable {
    /// Lead times in minutes; 0 comes first and is left out of every total.
    package static let leadsMinutes = [0.0] + Sampler.protocolLeadsMinutes

    private let history: OpeningHistory
    private let interval: Range<Timestamp>
    private let climatology: ClimatologyBaseline
    private let baselines: [(Forecaster, any Baseline)]
    private let logistic: LogisticRegression?

    /// Bridges with covered time before the interval: those that baselines can be fitted to.
    package let bridges: [BridgeIndex]

    /// Prepares an evaluation: fits the baselines.
    ///
    /// Records of parts of days count for them only where there are hardly any others: with more records no baseline must
    /// become worse.
    ///
    /// - Parameters:
    ///   - history: Records of the interval and from before it; the baselines see the latter only.
    ///   - interval: Issue times.
    ///   - fitsRegression: Whether logistic regression is among the baselines; it takes seconds.
    package init(history: OpeningHistory, interval: Range<Timestamp>, fitsRegression: Bool = false)
    {
        self.history = history
        self.interval = interval
        let past = history.before(interval.lowerBound)
        bridges = BridgeIndex.all.filter { past.coverage.minutes(of: $0) > 0 }
        let fitted = past.ofWholeDays
        climatology = ClimatologyBaseline(fitted)
        baselines = [
            (.climatology, climatology), (.baseRate, BaseRate(fitted)),
            (.poisson, PoissonRates(fitted)),
            (.persistence, Persistence(fitted)), (.bridgelocks, BridgelocksRule(fitted)),
        ]
        logistic = fitsRegression && !bridges.isEmpty ? LogisticRegression(fitted) : nil
    }

    /// Forecasts every covered row of the protocol; arrivals outside coverage have no outcome and
    /// are left out.
    ///
    /// - Parameters:
    ///   - seen: What the model and the baselines know of the past; nil for all of it.
    ///   - part: Issue times within this part of the interval alone; nil for all of it.
    ///   - wanted: Arrivals at this bridge alone; nil for all.
    ///   - knowledge: How much of that a forecast has at its issue time.
    package func rows(
        of model: LoadedModel, units: ComputeUnits = .all, seeing seen: OpeningHistory? = nil,
        during part: Range<Timestamp>? = nil, at wanted: BridgeIndex? = nil,
        knowing knowledge: Knowledge = .complete
    ) -> ScoredRows {
        let situations = KnownSituations(seen ?? history, knowledge)
        var forecasts = CaseForecasts(model, logistic: logistic, units: units)
        var rows = ScoredRows()
        for issueTime in ProtocolClock.issueTimes(in: part?.clamped(to: interval) ?? interval) {
            let situation = situations.situation(at: issueTime)
            let cases = cases(at: issueTime).filter { wanted == nil || $0.bridge == wanted }
            forecasts.make(for: cases, in: situation)
            let day = SeattleTime.civil(at: issueTime).date.dayNumber
            for (index, item) in cases.enumerated() {
                let confidence = Confidence(
                    item.bridge, leadMinutes: item.leadMinutes, in: situation,
                    model.climatology)
                append(
                    item, day: day, situation: situation, confidence: confidence,
                    forecasts: forecasts.ofDelay(index),
                    regression: forecasts.regression?[index], to: &rows)
            }
        }
        return rows
    }

    private func append(
        _ item: Case, day: Int, situation: Situation, confidence: Confidence,
        forecasts: [DelayDistribution], regression: Float?, to rows: inout ScoredRows
    ) {
        let civil = SeattleTime.civil(at: item.validTime)
        rows.append(
            bridge: item.bridge, lead: item.lead, day: day, valid: civil, confidence: confidence,
            isRaised: history.isBlocked(at: item.validTime, of: item.bridge))
        let query = BaselineQuery(
            bridge: item.bridge, leadMinutes: item.leadMinutes, validCivil: civil,
            situation: situation)
        for (forecaster, baseline) in baselines {
            rows.append(forecaster, probability: baseline.probabilityBlocked(query))
        }
        if let regression { rows.append(.logistic, probability: regression) }
        let climatological = climatology.probabilityBlocked(query)
        for (traffic, forecast) in zip(DelayTraffic.allCases, forecasts) {
            if traffic == .rho0 {
                rows.append(.model, probability: Float(forecast.probabilityDelayed))
            }
            let density = traffic.density(profile: item.density)
            let delay = history.delaySeconds(
                arrivingAt: item.validTime, of: item.bridge, density: density)
            let midMinute =
                delay > 0
                ? history.midMinuteDelaySeconds(
                    arrivingAt: item.validTime, of: item.bridge, density: density) : nil
            func append(_ forecaster: Forecaster, _ forecast: DelayDistribution) {
                rows.append(
                    forecaster, at: traffic,
                    DelayRowScore(forecast, delaySeconds: delay, midMinuteSeconds: midMinute))
            }
            append(.model, forecast)
            append(
                .climatology,
                climatology.climatology.delay(
                    item.bridge, openProbability: climatological, density: Float(density)))
        }
    }

    /// The protocol's rows as the network sees them, without queueing, and what happened.
    ///
    /// - Parameters:
    ///   - maxRows: The rows are from issue times spread evenly over the interval.
    ///   - withTrees: Whether to add the inputs of decision trees.
    package func matrix(
        for climatology: Climatology, maxRows: Int, withTrees: Bool = false
    ) -> FeatureMatrix {
        let reader = SituationReader(history)
        let builder = FeatureBuilder(climatology: climatology)
        let issueTimes = Array(ProtocolClock.issueTimes(in: interval))
        let total = issueTimes.reduce(0) { $0 + cases(at: $1).count }
        let step = max(1, total / max(maxRows, 1))
        var matrix = FeatureMatrix(withTrees: withTrees)
        for index in stride(from: 0, to: issueTimes.count, by: step) {
            let issueTime = issueTimes[index]
            let situation = reader.situation(at: issueTime)
            for item in cases(at: issueTime) where matrix.rows.count < maxRows {
                matrix.append(
                    FeatureMatrix.Row(
                        bridge: item.bridge, issueTime: issueTime, leadMinutes: item.leadMinutes,
                        isBlocked: history.isBlocked(at: item.validTime, of: item.bridge),
                        climatologicalProbability: self.climatology.climatology.openProbability(
                            of: item.bridge, at: SeattleTime.civil(at: item.validTime))),
                    by: builder, in: situation)
            }
        }
        return matrix
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
}

// MARK: - What is known at issue time

/// What a forecast has for evidence: the situations of users that skills are stated for.
package enum Knowledge: String, Sendable, CaseIterable, Codable {
    /// Everything that the records have: the state of every bridge to the second, and its openings of the last weeks.
    case complete
    /// What `watch` knows that was started a day ago, of the bridges with a sensor and without any records.
    case liveDay
    /// The same of one that was started an hour ago.
    case liveHour
    /// Neither the bridges' state nor their past.
    case none

    /// For tables.
    package var title: String {
        switch self {
        case .complete: "complete"
        case .liveDay: "as live, after a day"
        case .liveHour: "as live, after an hour"
        case .none: "nothing known"
        }
    }

    /// How long the feed has been read, minutes; nil for another kind of knowledge.
    package var observedMinutes: Double? {
        switch self {
        case .liveDay: 1_440
        case .liveHour: 60
        case .complete, .none: nil
        }
    }
}

/// Situations of the records, with what is known in them.
private enum KnownSituations {
    case complete(SituationReader)
    case live(LiveObservation, observedMinutes: Double)
    case none

    init(_ history: OpeningHistory, _ knowledge: Knowledge) {
        if let minutes = knowledge.observedMinutes {
            self = .live(LiveObservation(history), observedMinutes: minutes)
        } else {
            self = knowledge == .none ? .none : .complete(SituationReader(history))
        }
    }

    func situation(at issueTime: Timestamp) -> Situation {
        switch self {
        case .complete(let reader): reader.situation(at: issueTime)
        case .live(let live, let minutes):
            live.situation(at: issueTime, observedMinutes: minutes)
        case .none: .unknown(at: issueTime)
        }
    }
}

/// A bridge and an arrival of the protocol.
private struct Case {
    let bridge: BridgeIndex
    /// Index into ``EvaluationProtocol/leadsMinutes``.
    let lead: Int
    let validTime: Timestamp
    /// The profile's at the arrival.
    let density: Double

    var leadMinutes: Double { EvaluationProtocol.leadsMinutes[lead] }
}

/// The forecasts of a model and of logistic regression for the cases of one issue time after another.
private struct CaseForecasts {
    private let model: LoadedModel
    private let builder: FeatureBuilder
    private let logistic: LogisticRegression?
    private let units: ComputeUnits
    private var batch = FeatureBatch()
    private var regressionBatch = FeatureBatch()
    private var workspace = Workspace()
    private var output: [Float] = []
    /// P(blocked) of each case by logistic regression.
    private(set) var regression: [Float]?

    init(_ model: LoadedModel, logistic: LogisticRegression?, units: ComputeUnits) {
        self.model = model
        self.logistic = logistic
        self.units = units
        builder = FeatureBuilder(climatology: model.climatology)
    }

    mutating func make(for cases: [Case], in situation: Situation) {
        batch.removeAll()
        regressionBatch.removeAll()
        for item in cases {
            for traffic in DelayTraffic.allCases {
                builder.append(
                    item.bridge, leadMinutes: item.leadMinutes,
                    density: Float(traffic.density(profile: item.density)), in: situation,
                    to: &batch)
            }
            logistic?.append(
                item.bridge, leadMinutes: item.leadMinutes, in: situation, to: &regressionBatch)
        }
        model.predict(batch, into: &output, workspace: &workspace, units: units)
        regression = logistic?.probabilities(
            regressionBatch, leadsMinutes: cases.map(\.leadMinutes))
    }

    /// The delay of a case, by ``DelayTraffic``.
    func ofDelay(_ index: Int) -> [DelayDistribution] {
        let count = DelayTraffic.allCases.count
        return (0..<count).map { traffic in
            let start = (index * count + traffic) * DelayBins.count
            return DelayDistribution(output[start..<start + DelayBins.count])
        }
    }
}

// MARK: - What comes of it

/// Forecasts and outcomes in columns, one entry per row.
package struct ScoredRows: Sendable {
    package private(set) var bridges: [BridgeIndex] = []
    /// Index into the evaluation's leads.
    package private(set) var leads: [UInt8] = []
    /// Civil day of the issue time: the block of the bootstrap.
    package private(set) var days: [Int32] = []
    /// Civil hour of the arrival, 0...23.
    package private(set) var hours: [UInt8] = []
    package private(set) var dayTypes: [DayType] = []
    package private(set) var confidences: [Confidence] = []
    /// Whether the event of the rows happened: ``ScoredEvent/raised``, unless the rows are those of ``asStopped()``.
    package private(set) var happened: [Bool] = []
    /// The event's probability, by forecaster.
    package private(set) var probabilities: [Forecaster: [Float]] = [:]
    /// Scores of the delay, by traffic and forecaster: the model and climatology.
    package private(set) var delays: [DelayTraffic: [Forecaster: [DelayRowScore]]] = [:]

    package var count: Int { bridges.count }

    /// The rows with leads above 0, which are scored: at 0 the outcome is known.
    package var rowsAhead: [Int] { leads.indices.filter { leads[$0] > 0 } }

    mutating func append(
        bridge: BridgeIndex, lead: Int, day: Int, valid: CivilDateTime, confidence: Confidence,
        isRaised: Bool
    ) {
        bridges.append(bridge)
        leads.append(UInt8(lead))
        days.append(Int32(day))
        hours.append(UInt8(valid.hour))
        dayTypes.append(DayType(valid.date))
        confidences.append(confidence)
        happened.append(isRaised)
    }

    mutating func append(_ forecaster: Forecaster, probability: Float) {
        probabilities[forecaster, default: []].append(probability)
    }

    mutating func append(
        _ forecaster: Forecaster, at traffic: DelayTraffic, _ score: DelayRowScore
    ) {
        delays[traffic, default: [:]][forecaster, default: []].append(score)
    }

    /// The rows of several evaluations of different times as one.
    package static func joined(_ parts: [ScoredRows]) -> ScoredRows {
        var all = ScoredRows()
        for part in parts {
            all.bridges += part.bridges
            all.leads += part.leads
            all.days += part.days
            all.hours += part.hours
            all.dayTypes += part.dayTypes
            all.confidences += part.confidences
            all.happened += part.happened
            all.probabilities.merge(part.probabilities) { $0 + $1 }
            all.delays.merge(part.delays) { $0.merging($1) { $0 + $1 } }
        }
        return all
    }
}

/// What a probability is of.
package enum ScoredEvent: String, Sendable, CaseIterable, Codable {
    /// The span is up on arrival.
    case raised
    /// Time is lost on arrival: the span is up, or the queue of an opening has not cleared, at the profile's traffic.
    case stopped

    /// For tables.
    package var title: String { self == .raised ? "raised on arrival" : "stopped" }
}

extension ScoredRows {
    /// The same rows with ``ScoredEvent/stopped`` as their event, which the model and climatology forecast.
    ///
    /// - Precondition: Delays at the profile's traffic were scored.
    package func asStopped() -> ScoredRows {
        var rows = self
        let scores = delays[.profile] ?? [:]
        precondition(
            scores[.model]?.count ?? 0 == count && scores[.climatology]?.count ?? 0 == count,
            "delays at the profile's traffic are scored for all rows")
        rows.happened = (scores[.model] ?? []).map(\.isDelayed)
        rows.probabilities = scores.mapValues { $0.map { 1 - $0.probabilityNone } }
        return rows
    }
}

/// Who made a forecast.
package enum Forecaster: String, Sendable, CaseIterable, Codable {
    /// The model under evaluation.
    case model
    /// Share of covered minutes blocked by bridge, day type and time of day, before the period.
    case climatology
    /// Share of covered minutes blocked by bridge.
    case baseRate
    /// Opening rate by bridge, weekday and hour over the last 84 covered days before the period.
    case poisson
    /// How often a bridge that is up, or down, is up so much later.
    case persistence
    /// The "bridgelocks" rule of thumb.
    case bridgelocks
    /// Logistic regression on the model's inputs.
    case logistic
}
