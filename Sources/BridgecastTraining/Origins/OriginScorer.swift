// Scores a model at one origin: the protocol's rows, the delays and the lengths of raised spans, as sums.
package import BridgecastCore
package import BridgecastEngine

/// Scores models at one origin.
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

    /// Scores a model, on as many threads as asked.
    ///
    /// - Parameters:
    ///   - recipe: Name of the recipe.
    ///   - fp32: The same weights in fp32, if they are at hand.
    /// - Returns: nil if no row is covered.
    package func scores(
        of model: LoadedModel, recipe: String, making: OriginScores.Making?,
        fp32: LoadedModel? = nil, threads: Int = 2
    ) async -> OriginScores? {
        let rows = await rows(of: model, threads: threads)
        let counted = rows.rowsAhead
        guard !counted.isEmpty else { return nil }
        let model32Loss = fp32.map { logLoss(of: $0) }
        return OriginScores(
            recipe: recipe, origin: origin.name, days: origin.days, making: making,
            rows: Self.cells(rows, counted),
            calibrationError: Self.calibrationError(rows, counted), fp32LogLoss: model32Loss,
            confidence: Self.confidences(rows, counted), delays: Self.delays(rows, counted),
            raised: RaisedSpanScorer(history).cells(of: model, in: origin.interval))
    }

    /// Sum of log losses over the rows, of a model's P(blocked) alone.
    func logLoss(of model: LoadedModel) -> Double {
        let matrix = evaluation.matrix(for: model.climatology, most: .max)
        var workspace = Workspace()
        var output: [Float] = []
        model.predict(matrix.batch, into: &output, workspace: &workspace)
        return matrix.rows.enumerated().reduce(0) { sum, item in
            let (index, row) = item
            guard row.leadMinutes > 0,
                let told = DelayDistribution(row: index, of: output)
            else { return sum }
            return sum + EventScores.logLoss(Float(told.probabilityDelayed), row.isBlocked)
        }
    }

    /// The protocol's rows, by days side by side.
    private func rows(of model: LoadedModel, threads: Int) async -> ScoredRows {
        let bounds = (0...max(1, threads)).map { part in
            SeattleTime.startOfDay(origin.date.adding(days: origin.days * part / max(1, threads)))
        }
        let evaluation = evaluation
        let parts = await withTaskGroup(of: (Int, ScoredRows).self) { group in
            for part in bounds.indices.dropLast() where bounds[part] < bounds[part + 1] {
                group.addTask {
                    (part, evaluation.rows(of: model, during: bounds[part]..<bounds[part + 1]))
                }
            }
            return await group.reduce(into: [(Int, ScoredRows)]()) { $0.append($1) }
        }
        return ScoredRows.joined(parts.sorted { $0.0 < $1.0 }.map(\.1))
    }

    private static func cells(_ rows: ScoredRows, _ counted: [Int]) -> [OriginScores.Cell] {
        let model = rows.probabilities[.model] ?? []
        let usual = rows.probabilities[.climatology] ?? []
        struct Key: Hashable { let day: Int32, bridge: Int, lead: UInt8 }
        var cells: [Key: OriginScores.Cell] = [:]
        for row in counted {
            let key = Key(
                day: rows.days[row], bridge: rows.bridges[row].rawValue, lead: rows.leads[row])
            var cell =
                cells[key]
                ?? OriginScores.Cell(
                    day: CivilDate(dayNumber: Int(key.day)).description,
                    bridge: BridgeCatalogue[rows.bridges[row]].name,
                    leadMinutes: Int(EvaluationProtocol.leadsMinutes[Int(key.lead)]))
            let happened = rows.blocked[row]
            cell.rows += 1
            cell.blocked += happened ? 1 : 0
            cell.loss += EventScores.logLoss(model[row], happened)
            cell.climatologyLoss += EventScores.logLoss(usual[row], happened)
            cell.brier += EventScores.squaredError(model[row], happened)
            cell.climatologyBrier += EventScores.squaredError(usual[row], happened)
            cells[key] = cell
        }
        return cells.sorted {
            ($0.key.day, $0.key.bridge, $0.key.lead) < ($1.key.day, $1.key.bridge, $1.key.lead)
        }.map(\.value)
    }

    private static func calibrationError(_ rows: ScoredRows, _ group: [Int]) -> Double {
        let model = rows.probabilities[.model] ?? []
        return EventScores(group.map { model[$0] }, group.map { rows.blocked[$0] }).calibrationError
    }

    private static func confidences(
        _ rows: ScoredRows, _ counted: [Int]
    ) -> [OriginScores.ConfidenceCell] {
        let model = rows.probabilities[.model] ?? []
        return Dictionary(grouping: counted) { rows.confidences[$0] }.sorted { $0.key < $1.key }
            .map { confidence, group in
                OriginScores.ConfidenceCell(
                    confidence: confidence.rawValue, rows: group.count,
                    forecast: group.reduce(0) { $0 + Double(model[$1]) },
                    blocked: group.count { rows.blocked[$0] },
                    loss: group.reduce(0) {
                        $0 + EventScores.logLoss(model[$1], rows.blocked[$1])
                    }, calibrationError: calibrationError(rows, group))
            }
    }

    private static func delays(_ rows: ScoredRows, _ counted: [Int]) -> [OriginScores.DelayCell] {
        let byDay = Dictionary(grouping: counted) { rows.days[$0] }.sorted { $0.key < $1.key }
        return byDay.flatMap { day, group in
            DelayTraffic.allCases.compactMap { traffic in
                guard let model = rows.delays[traffic]?[.model],
                    let usual = rows.delays[traffic]?[.climatology]
                else { return nil }
                var cell = OriginScores.DelayCell(
                    day: CivilDate(dayNumber: Int(day)).description,
                    traffic: traffic.rawValue)
                for row in group { cell.add(model[row], usual[row]) }
                return cell
            }
        }
    }
}

extension OriginScores.DelayCell {
    fileprivate mutating func add(_ model: DelayRowScore, _ usual: DelayRowScore) {
        rows += 1
        rankedProbability += Double(model.rankedProbability)
        climatologyRankedProbability += Double(usual.rankedProbability)
        guard let level = model.levelIfDelayed else { return }
        delayed += 1
        below50 += level <= 0.5 ? 1 : 0
        below80 += level <= 0.8 ? 1 : 0
        below95 += level <= 0.95 ? 1 : 0
    }
}

extension DelayRowScore {
    /// P(a delay below what happened, given one), 0...1; nil if none happened.
    var levelIfDelayed: Double? {
        guard probabilityLess > 0 else { return nil }
        let none = Double(probabilityNone)
        return none < 1 ? (Double(probabilityLess) - none) / (1 - none) : 1
    }
}
