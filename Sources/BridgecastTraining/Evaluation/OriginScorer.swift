// Scores a model at one origin of a rolling-origin evaluation: the protocol's rows, delays, and how long raised spans
// stay up, as sums.
package import BridgecastCore
package import BridgecastEngine
private import Foundation

/// One origin of a rolling-origin evaluation.
package struct RollingOrigin: Sendable, Equatable {
    /// First day that is scored (Seattle).
    package let date: CivilDate
    /// Days that are scored, at least 1.
    package let days: Int
    /// Days before the first scored one that the fit does not use either, at least 0.
    package let purgeDays: Int

    /// Cuts at the start of a day.
    package init(_ date: CivilDate, days: Int = defaultDays, purgeDays: Int = defaultPurgeDays) {
        self.date = date
        self.days = days
        self.purgeDays = purgeDays
    }

    /// Two weeks: every weekday twice.
    package static let defaultDays = 14
    /// A day: longer than anything that a row's inputs remember opening by opening.
    package static let defaultPurgeDays = 1

    /// Fortnights spread over all covered records, none of which overlap: two in summer, one each in autumn and
    /// spring, and six in winter.
    package static let defaultDates = [
        (2016, 7, 4), (2016, 8, 15), (2016, 9, 26), (2017, 4, 28), (2018, 2, 12), (2018, 3, 12),
        (2025, 2, 15), (2025, 4, 10), (2026, 2, 1), (2026, 2, 15),
    ].compactMap { CivilDate(year: $0, month: $1, day: $2) }

    /// The date as `2018-02-12`, for files and tables.
    package var name: String { date.description }

    /// Issue times that are scored.
    package var interval: Range<Timestamp> {
        SeattleTime.startOfDay(date)..<SeattleTime.startOfDay(date.adding(days: days))
    }

    /// The fit uses nothing from this time on.
    package var fittedBefore: Timestamp {
        SeattleTime.startOfDay(date.adding(days: -purgeDays))
    }
}

package struct OriginScorer: Sendable {
    private let history: OpeningHistory
    private let origin: RollingOrigin
    private let evaluation: EvaluationProtocol

    /// Prepares an origin: its baselines; nil without covered rows or covered time before them.
    package init?(_ origin: RollingOrigin, history: OpeningHistory) {
        let interval = origin.interval
        guard !history.before(origin.fittedBefore).coverage.isEmpty,
            !history.coverage.clamped(to: interval).isEmpty
        else { return nil }
        self.history = history
        self.origin = origin
        evaluation = EvaluationProtocol(history: history, interval: interval)
    }

    /// Scores a model.
    ///
    /// - Parameters:
    ///   - recipe: Name of the recipe.
    ///   - fp32: The same weights in fp32, if available.
    /// - Returns: nil if no row is covered.
    package func scores(
        of model: LoadedModel, recipe: String, making: OriginScores.Making?,
        fp32: LoadedModel? = nil, threads: Int = 2
    ) async -> OriginScores? {
        let rows = await rows(of: model, threads: threads)
        let counted = rows.rowsAhead
        guard !counted.isEmpty else { return nil }
        let fp32Loss = fp32.map { logLoss(of: $0) }
        func liveCells(_ knowledge: Knowledge) async -> [OriginScores.Cell] {
            let live = await self.rows(of: model, knowing: knowledge, threads: threads)
            return Self.cells(live, live.rowsAhead)
        }
        return OriginScores(
            recipe: recipe, origin: origin.name, days: origin.days, making: making,
            rows: Self.cells(rows, counted), liveDay: await liveCells(.liveDay),
            liveHour: await liveCells(.liveHour),
            calibrationError: Self.calibrationError(rows, counted), fp32LogLoss: fp32Loss,
            confidence: Self.confidences(rows, counted), delays: Self.delays(rows, counted),
            raised: RaisedSpanScorer(history).cells(of: model, in: origin.interval))
    }

    /// Sum of log losses over the rows, of a model's P(blocked) alone.
    func logLoss(of model: LoadedModel) -> Double {
        let matrix = evaluation.matrix(for: model.climatology, maxRows: .max)
        var workspace = Workspace()
        var output: [Float] = []
        model.predict(matrix.batch, into: &output, workspace: &workspace)
        return matrix.rows.enumerated().reduce(0) { sum, item in
            let (index, row) = item
            guard row.leadMinutes > 0, let forecast = DelayDistribution(row: index, of: output)
            else { return sum }
            return sum + EventScores.logLoss(Float(forecast.probabilityDelayed), row.isBlocked)
        }
    }

    /// The protocol's rows, days divided among threads.
    private func rows(
        of model: LoadedModel, knowing knowledge: Knowledge = .complete, threads: Int
    ) async -> ScoredRows {
        let bounds = (0...max(1, threads)).map { part in
            SeattleTime.startOfDay(origin.date.adding(days: origin.days * part / max(1, threads)))
        }
        let evaluation = evaluation
        let parts = await withTaskGroup(of: (Int, ScoredRows).self) { group in
            for part in bounds.indices.dropLast() where bounds[part] < bounds[part + 1] {
                group.addTask {
                    let rows = evaluation.rows(
                        of: model, during: bounds[part]..<bounds[part + 1], knowing: knowledge)
                    return (part, rows)
                }
            }
            return await group.reduce(into: [(Int, ScoredRows)]()) { $0.append($1) }
        }
        return ScoredRows.joined(parts.sorted { $0.0 < $1.0 }.map(\.1))
    }

    private static func cells(_ rows: ScoredRows, _ counted: [Int]) -> [OriginScores.Cell] {
        let model = rows.probabilities[.model] ?? []
        let climatology = rows.probabilities[.climatology] ?? []
        struct Key: Hashable, Comparable {
            let day: Int32
            let bridge: BridgeIndex
            let lead: UInt8

            static func < (a: Key, b: Key) -> Bool {
                (a.day, a.bridge, a.lead) < (b.day, b.bridge, b.lead)
            }
        }
        var cells: [Key: OriginScores.Cell] = [:]
        for row in counted {
            let key = Key(day: rows.days[row], bridge: rows.bridges[row], lead: rows.leads[row])
            var cell = cells[key] ?? cell(of: rows, row)
            cell.add(model: model[row], climatology: climatology[row], rows.happened[row])
            cells[key] = cell
        }
        return cells.sorted { $0.key < $1.key }.map(\.value)
    }

    private static func cell(of rows: ScoredRows, _ row: Int) -> OriginScores.Cell {
        OriginScores.Cell(
            day: CivilDate(dayNumber: Int(rows.days[row])).description,
            bridge: BridgeCatalogue[rows.bridges[row]].name,
            leadMinutes: Int(EvaluationProtocol.leadsMinutes[Int(rows.leads[row])]))
    }

    private static func calibrationError(_ rows: ScoredRows, _ group: [Int]) -> Double {
        let model = rows.probabilities[.model] ?? []
        return EventScores(group.map { model[$0] }, group.map { rows.happened[$0] })
            .calibrationError
    }

    private static func confidences(
        _ rows: ScoredRows, _ counted: [Int]
    ) -> [OriginScores.ConfidenceCell] {
        let model = rows.probabilities[.model] ?? []
        return Dictionary(grouping: counted) { rows.confidences[$0] }.sorted { $0.key < $1.key }.map
        { confidence, group in
            OriginScores.ConfidenceCell(
                confidence: confidence.rawValue, rows: group.count,
                forecast: group.reduce(0) { $0 + Double(model[$1]) },
                blocked: group.count { rows.happened[$0] },
                loss: group.reduce(0) { $0 + EventScores.logLoss(model[$1], rows.happened[$1]) },
                calibrationError: calibrationError(rows, group))
        }
    }

    private static func delays(_ rows: ScoredRows, _ counted: [Int]) -> [OriginScores.DelayCell] {
        let byDay = Dictionary(grouping: counted) { rows.days[$0] }.sorted { $0.key < $1.key }
        return byDay.flatMap { day, group in
            DelayTraffic.allCases.compactMap { traffic in
                guard let model = rows.delays[traffic]?[.model],
                    let climatology = rows.delays[traffic]?[.climatology]
                else { return nil }
                var cell = OriginScores.DelayCell(
                    day: CivilDate(dayNumber: Int(day)).description, traffic: traffic.rawValue)
                for row in group { cell.add(model[row], climatology: climatology[row]) }
                return cell
            }
        }
    }
}

extension OriginScores.Cell {
    fileprivate mutating func add(model: Float, climatology: Float, _ happened: Bool) {
        rows += 1
        blocked += happened ? 1 : 0
        loss += EventScores.logLoss(model, happened)
        climatologyLoss += EventScores.logLoss(climatology, happened)
        brier += EventScores.squaredError(model, happened)
        climatologyBrier += EventScores.squaredError(climatology, happened)
    }
}

extension OriginScores.DelayCell {
    fileprivate mutating func add(_ model: DelayRowScore, climatology: DelayRowScore) {
        rows += 1
        stopped += model.isDelayed ? 1 : 0
        loss += EventScores.logLoss(1 - model.probabilityNone, model.isDelayed)
        climatologyLoss += EventScores.logLoss(1 - climatology.probabilityNone, model.isDelayed)
        rankedProbability += Double(model.rankedProbability)
        climatologyRankedProbability += Double(climatology.rankedProbability)
        guard let level = model.levelIfDelayed else { return }
        delayed += 1
        below50 += level <= 0.5 ? 1 : 0
        below80 += level <= 0.8 ? 1 : 0
        below95 += level <= 0.95 ? 1 : 0
    }
}

extension DelayRowScore {
    /// P(a delay below what happened, given one), 0...1; nil if none happened.
    fileprivate var levelIfDelayed: Double? {
        guard probabilityLess > 0 else { return nil }
        let none = Double(probabilityNone)
        return none < 1 ? (Double(probabilityLess) - none) / (1 - none) : 1
    }
}

// MARK: - Raised spans

/// Scores the forecast length of openings that are under way.
struct RaisedSpanScorer {
    /// Issue times, minutes after the start of the opening.
    static let elapsedMinutes = [0, 5, 10, 15, 20]

    private let history: OpeningHistory

    init(_ history: OpeningHistory) { self.history = history }

    /// Scores the openings that begin within an interval, one cell for each issue time that some are still up at.
    func cells(of model: LoadedModel, in interval: Range<Timestamp>) -> [OriginScores.RaisedCell] {
        let reader = SituationReader(history)
        let builder = FeatureBuilder(climatology: model.climatology)
        var workspace = Workspace()
        return Self.elapsedMinutes.compactMap { elapsed in
            var batch = FeatureBatch()
            var delays: [Double] = []
            for bridge in BridgeIndex.all {
                for opening in history.openings[bridge.rawValue]
                where interval.contains(opening.start) {
                    let issueTime = opening.start.adding(minutes: Double(elapsed))
                    guard history.coverage.contains(issueTime, of: bridge) else { continue }
                    let situation = reader.situation(at: issueTime)
                    // Otherwise this one is over: the span is down, or up again in another opening.
                    guard situation[bridge].state == .raised(since: opening.start) else { continue }
                    builder.append(bridge, leadMinutes: 0, density: 0, in: situation, to: &batch)
                    delays.append(
                        history.delaySeconds(arrivingAt: issueTime, of: bridge, density: 0))
                }
            }
            guard !delays.isEmpty else { return nil }
            var cell = OriginScores.RaisedCell(elapsedMinutes: elapsed)
            add(batch, delays: delays, of: model, to: &cell, workspace: &workspace)
            return cell
        }
    }

    private func add(
        _ batch: FeatureBatch, delays: [Double], of model: LoadedModel,
        to cell: inout OriginScores.RaisedCell, workspace: inout Workspace
    ) {
        var output: [Float] = []
        model.predict(batch, into: &output, workspace: &workspace)
        for (row, delay) in delays.enumerated() {
            guard delay > 0, let forecast = DelayDistribution(row: row, of: output) else {
                continue
            }
            let delayed = max(forecast.probabilityDelayed, 1e-7)
            // A record of whole minutes ended anywhere in its last minute: its middle is taken.
            let isWholeMinutes = delay.truncatingRemainder(dividingBy: 60) == 0
            let ended = isWholeMinutes ? delay - 30 : delay
            let level = (forecast.cumulative(atSeconds: ended) - forecast[0]) / delayed
            cell.openings += 1
            cell.below80 += level <= 0.8 ? 1 : 0
            cell.below95 += level <= 0.95 ? 1 : 0
            let share = forecast[DelayBins.bin(ofSeconds: delay)] / delayed
            cell.loss -= log(max(share, 1e-7))
        }
    }
}
