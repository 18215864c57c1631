// Reports of an evaluation: of one model, of two compared, and the figures of a model card. How they are printed
// is in BridgecastCLI.
package import BridgecastCore
package import BridgecastEngine

/// An evaluation under ``EvaluationProtocol``.
package struct EvaluationReport: Sendable, Codable, Equatable {
    package struct LeadScores: Sendable, Codable, Equatable {
        package let leadMinutes: Double
        package let scores: GroupScores
    }

    /// Scores of one bridge, leads 2 to 60 minutes together.
    package struct BridgeScores: Sendable, Codable, Equatable {
        package let bridge: String
        package let id: BridgeID
        package let scores: GroupScores
        /// The model's log-loss skill by lead in minutes, of ``ScoredEvent/raised``.
        package let skillByLead: [String: Estimate]
    }

    /// Scores of the arrivals of one day type or hour, leads 2 to 60 minutes together.
    package struct TimeScores: Sendable, Codable, Equatable {
        /// "weekday", "weekend or holiday", or the civil hour of the arrivals, "0"..."23".
        package let name: String
        package let scores: GroupScores
    }

    /// Scores of the same rows with less knowledge, leads 2 to 60 minutes together.
    package struct LiveScores: Sendable, Codable, Equatable {
        /// ``Knowledge/liveDay`` or ``Knowledge/liveHour``.
        package let knowledge: Knowledge
        package let total: GroupScores
        /// The model's log-loss skill of ``ScoredEvent/raised`` by bridge.
        package let raisedSkillByBridge: [String: Estimate]

        init?(_ rows: ScoredRows, _ knowledge: Knowledge) {
            let groups = RowGroups(rows)
            guard !groups.counted.isEmpty else { return nil }
            self.knowledge = knowledge
            total = groups.scorer.scores(of: groups.counted)
            raisedSkillByBridge = groups.raisedSkillByBridge()
        }
    }

    /// A bin of the histogram of forecasts.
    package struct SharpnessBin: Sendable, Codable, Equatable {
        /// Lower bound; the upper one is that of the next bin.
        package let from: Double
        package let modelRows: Int
        package let climatologyRows: Int
    }

    package let model: String
    package let weightFormat: WeightFormat
    /// Issue times from here, RFC 3339.
    package let from: String
    /// Issue times before here, RFC 3339.
    package let to: String
    /// Whether the model was fitted to records of the period: then this is not a test.
    package let isInSample: Bool
    /// Covered civil days with at least one row.
    package let days: Int
    /// Of ``Knowledge/complete``, as everything that follows but ``asLive``.
    package let total: GroupScores
    /// What a user of the live feed gets; empty if it was not scored.
    package let asLive: [LiveScores]
    /// Each lead, 0 included.
    package let byLead: [LeadScores]
    package let byBridge: [BridgeScores]
    /// Weekdays; weekends with federal holidays.
    package let byDayType: [TimeScores]
    package let byHour: [TimeScores]
    /// Each confidence that occurs, and the rows of HIGH with the state hidden; of ``ScoredEvent/stopped``.
    package let byConfidence: [ConfidenceScores]
    /// Reliability diagram of the model's chance of ``ScoredEvent/stopped``, leads 2 to 60 minutes together.
    package let reliability: [ReliabilityBin]
    /// Histogram of these forecasts: sharp ones are often very low or high.
    package let sharpness: [SharpnessBin]

    /// Scores rows; nil if there are none with a lead above 0.
    ///
    /// - Parameters:
    ///   - live: The same rows as forecast from the live feed.
    ///   - hidden: The same rows forecast with the state hidden, for ``byConfidence``.
    package init?(
        _ rows: ScoredRows, of model: LoadedModel, interval: Range<Timestamp>,
        live: [(knowledge: Knowledge, rows: ScoredRows)] = [], hidden: ScoredRows? = nil
    ) {
        let groups = RowGroups(rows)
        guard !groups.counted.isEmpty else { return nil }
        self.model = model.header.name
        weightFormat = model.header.weightFormat
        from = TimeText.rfc3339(interval.lowerBound)
        to = TimeText.rfc3339(interval.upperBound)
        isInSample = model.header.provenance.fittedBefore > interval.lowerBound
        days = Set(rows.days).count
        total = groups.scorer.scores(of: groups.counted)
        asLive = live.compactMap { LiveScores($0.rows, $0.knowledge) }
        byLead = groups.leads()
        byBridge = groups.bridges()
        byDayType = groups.times(
            [(.weekday, "weekday"), (.weekend, "weekend or holiday")], column: rows.dayTypes)
        byHour = groups.times((0..<24).map { (UInt8($0), "\($0)") }, column: rows.hours)
        let stopped = rows.asStopped()
        byConfidence = ConfidenceScores.table(stopped, hidden: hidden?.asStopped())
        func forecasts(_ forecaster: Forecaster) -> [Float] {
            let column = stopped.probabilities[forecaster] ?? []
            return groups.counted.map { column[$0] }
        }
        reliability = EventScores.reliabilityBins(
            forecasts(.model), groups.counted.map { stopped.happened[$0] })
        sharpness = Self.sharpness(forecasts(.model), forecasts(.climatology))
    }

    private static let sharpnessEdges: [Float] = [
        0, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5,
    ]

    private static func sharpness(_ model: [Float], _ climatology: [Float]) -> [SharpnessBin] {
        func histogram(_ forecasts: [Float]) -> [Int] {
            forecasts.reduce(into: sharpnessEdges.map { _ in 0 }) { counts, forecast in
                counts[sharpnessEdges.lastIndex { $0 <= forecast } ?? 0] += 1
            }
        }
        return zip(sharpnessEdges, zip(histogram(model), histogram(climatology))).map {
            SharpnessBin(from: Double($0), modelRows: $1.0, climatologyRows: $1.1)
        }
    }
}

/// Rows by lead, by bridge and by time, each group scored.
private struct RowGroups {
    let rows: ScoredRows
    let scorer: GroupScorer
    /// Indices of the rows with leads above 0.
    let counted: [Int]

    init(_ rows: ScoredRows) {
        self.rows = rows
        scorer = GroupScorer(rows)
        counted = rows.rowsAhead
    }

    func leads() -> [EvaluationReport.LeadScores] {
        EvaluationProtocol.leadsMinutes.indices.compactMap { lead in
            let group = rows.leads.indices.filter { rows.leads[$0] == lead }
            guard !group.isEmpty else { return nil }
            return EvaluationReport.LeadScores(
                leadMinutes: EvaluationProtocol.leadsMinutes[lead],
                scores: scorer.scores(of: group))
        }
    }

    func bridges() -> [EvaluationReport.BridgeScores] {
        BridgeIndex.all.compactMap { bridge in
            let group = counted.filter { rows.bridges[$0] == bridge }
            guard !group.isEmpty else { return nil }
            let facts = BridgeCatalogue[bridge]
            return EvaluationReport.BridgeScores(
                bridge: facts.name, id: facts.id, scores: scorer.scores(of: group),
                skillByLead: EventScorer(rows).logLossSkillByLead(of: group))
        }
    }

    func raisedSkillByBridge() -> [String: Estimate] {
        let scorer = EventScorer(rows)
        return BridgeIndex.all.reduce(into: [:]) { skills, bridge in
            let group = counted.filter { rows.bridges[$0] == bridge }
            guard !group.isEmpty else { return }
            skills[BridgeCatalogue[bridge].name] = scorer.logLossSkill(of: group)
        }
    }

    /// - Parameters:
    ///   - keys: Values of the column and what they are called.
    ///   - column: One entry per row.
    func times<Key: Equatable>(
        _ keys: [(Key, String)], column: [Key]
    ) -> [EvaluationReport.TimeScores] {
        keys.compactMap { key, name in
            let group = counted.filter { column[$0] == key }
            guard !group.isEmpty else { return nil }
            return EvaluationReport.TimeScores(name: name, scores: scorer.scores(of: group))
        }
    }
}

// MARK: - Two models

/// How the forecasts of two models of ``ScoredEvent/raised`` differ over leads 2 to 60 minutes.
package struct ModelComparison: Sendable, Codable, Equatable {
    package let name: String
    /// Log-loss skill of the first model over climatology.
    package let skill: Double
    package let otherSkill: Double
    /// By how many percent the first's skill is less than the second's.
    package let relativeLossPercent: Double
    /// By how much the first's skill exceeds the second's.
    package let skillDifference: Estimate
    package let largestDifference: Double
    package let meanDifference: Double

    /// Compares two sets of rows of the same evaluation.
    package init(_ rows: ScoredRows, _ others: ScoredRows, name: String) {
        precondition(rows.count == others.count, "the rows must be those of one evaluation")
        self.name = name
        let mine = rows.probabilities[.model] ?? []
        let theirs = others.probabilities[.model] ?? []
        let climatology = rows.probabilities[.climatology] ?? []
        var losses: [Int32: Losses] = [:]
        var largest = 0.0
        var sum = 0.0
        var count = 0.0
        for row in rows.leads.indices where rows.leads[row] > 0 {
            let isRaised = rows.happened[row]
            var day = losses[rows.days[row]] ?? Losses()
            day.mine += EventScores.logLoss(mine[row], isRaised)
            day.theirs += EventScores.logLoss(theirs[row], isRaised)
            day.climatology += EventScores.logLoss(climatology[row], isRaised)
            losses[rows.days[row]] = day
            let difference = Double(abs(mine[row] - theirs[row]))
            largest = max(largest, difference)
            sum += difference
            count += 1
        }
        let days = losses.sorted { $0.key < $1.key }.map(\.value)
        let referenceLoss = days.reduce(0) { $0 + $1.climatology }
        skill = 1 - days.reduce(0) { $0 + $1.mine } / referenceLoss
        otherSkill = 1 - days.reduce(0) { $0 + $1.theirs } / referenceLoss
        relativeLossPercent = (otherSkill - skill) / abs(otherSkill) * 100
        skillDifference = DayBlockBootstrap.skillDifference(
            days.map(\.mine), over: days.map(\.theirs), reference: days.map(\.climatology))
        largestDifference = largest
        meanDifference = sum / max(count, 1)
    }

    private struct Losses {
        var mine = 0.0
        var theirs = 0.0
        var climatology = 0.0
    }
}

// MARK: - Model cards

/// The figures of an evaluation by lead and bridge, otherwise over leads 2 to 60 minutes together.
package struct SkillReport: Sendable {
    package let total: SkillFigures
    /// By lead, minutes, without 0.
    package let byLead: [(leadMinutes: Double, figures: SkillFigures)]
    /// By bridge, each with its calibration by range.
    package let byBridge: [Bridge]
    package typealias Bridge = (bridge: BridgeIndex, figures: SkillFigures, bands: [ChanceBand])
    /// Calibration by range of the chance of ``ScoredEvent/stopped``.
    package let bands: [ChanceBand]

    /// Scores rows; nil if there are none with a lead above 0.
    package init?(_ rows: ScoredRows) {
        let scorer = GroupScorer(rows)
        let stopped = rows.asStopped()
        let counted = rows.rowsAhead
        guard !counted.isEmpty else { return nil }
        func figures(_ group: [Int]) -> SkillFigures? {
            group.isEmpty ? nil : SkillFigures(group, of: rows, stopped, scorer.scores(of: group))
        }
        total = SkillFigures(counted, of: rows, stopped, scorer.scores(of: counted))
        byLead = EvaluationProtocol.leadsMinutes.indices.dropFirst().compactMap { lead in
            figures(counted.filter { rows.leads[$0] == lead }).map {
                (EvaluationProtocol.leadsMinutes[lead], $0)
            }
        }
        byBridge = BridgeIndex.all.compactMap { bridge in
            let group = counted.filter { rows.bridges[$0] == bridge }
            return figures(group).map { (bridge, $0, ChanceBand.bands(stopped, group)) }
        }
        bands = ChanceBand.bands(stopped, counted)
    }
}

/// How good the model's probabilities are on a group of rows.
package struct SkillFigures: Sendable, Equatable {
    package let rows: Int
    package let raised: EventFigures
    package let stopped: EventFigures

    /// Scores rows, leads 2 to 60 minutes together; nil if there are none with a lead above 0.
    package init?(_ rows: ScoredRows) {
        let counted = rows.rowsAhead
        guard !counted.isEmpty else { return nil }
        self.init(
            counted, of: rows, rows.asStopped(), GroupScorer(rows).scores(of: counted))
    }

    /// - Parameter group: Indices of rows, at least one.
    fileprivate init(
        _ group: [Int], of raised: ScoredRows, _ stopped: ScoredRows, _ scores: GroupScores
    ) {
        rows = scores.rows
        self.raised = EventFigures(raised, of: group, scores: scores.raised)
        self.stopped = EventFigures(stopped, of: group, scores: scores.stopped)
    }
}

/// How good the model's probability of one event is, every figure with its day-block interval.
package struct EventFigures: Sendable, Equatable {
    /// Share of rows in which it happened, 0...1.
    package let rate: Double
    /// 1 - log loss / log loss of climatology.
    package let logLossSkill: Estimate
    /// 1 - Brier score / Brier score of climatology.
    package let brierSkill: Estimate
    /// Expected calibration error over ten bins of equally many rows, the same bins for all resamples.
    package let calibrationError: Estimate
    /// Area under the ROC curve; nil if the event always or never happened.
    package let auc: Estimate?

    fileprivate init(_ rows: ScoredRows, of group: [Int], scores: EventGroupScores) {
        rate = scores.rate
        logLossSkill = scores.modelSkill
        brierSkill = scores.brierSkill
        let byDay = DayRows(rows, group)
        calibrationError = byDay.calibrationError()
        auc = byDay.auc()
    }
}
