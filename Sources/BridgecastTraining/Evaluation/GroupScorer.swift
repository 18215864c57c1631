// Scores a group of an evaluation's rows: the figures of one line of the report.
private import BridgecastCore

/// Scores groups of rows.
struct GroupScorer {
    private let rows: ScoredRows

    init(_ rows: ScoredRows) { self.rows = rows }

    func scores(of group: [Int]) -> GroupScores {
        let outcomes = group.map { rows.blocked[$0] }
        let blocked = Forecaster.allCases.map { forecaster in
            (forecaster.rawValue, EventScores(probabilities(forecaster, group), outcomes))
        }
        let delay = [Forecaster.model, .climatology].map { forecaster in
            (
                forecaster.rawValue,
                DelayScores(distributions(forecaster, group), group.map { rows.delays[$0] })
            )
        }
        let byName = Dictionary(uniqueKeysWithValues: blocked)
        return GroupScores(
            rows: group.count,
            blockedRate: Double(outcomes.count { $0 }) / Double(group.count),
            logLossSkill: skill(of: group) { row, forecaster in
                EventScores.logLoss(probability(forecaster, row), rows.blocked[row])
            },
            brierSkill: skill(of: group) { row, forecaster in
                EventScores.squaredError(probability(forecaster, row), rows.blocked[row])
            },
            poissonLogLossSkill: 1
                - (byName["poisson"]?.logLoss ?? 0) / (byName["climatology"]?.logLoss ?? 1),
            delaySkill: skill(of: group) { row, forecaster in
                DelayScores.rankedProbabilityScore(
                    rows.distributions[forecaster]?[row] ?? .none, Double(rows.delays[row]))
            },
            blocked: byName, delay: Dictionary(uniqueKeysWithValues: delay))
    }

    func skillByLead(of group: [Int]) -> [String: Double] {
        var sums: [UInt8: (model: Double, climatology: Double)] = [:]
        for row in group {
            let happened = rows.blocked[row]
            sums[rows.leads[row], default: (0, 0)].model +=
                EventScores.logLoss(probability(.model, row), happened)
            sums[rows.leads[row], default: (0, 0)].climatology +=
                EventScores.logLoss(probability(.climatology, row), happened)
        }
        return Dictionary(
            uniqueKeysWithValues: sums.map { lead, sum in
                (
                    "\(Int(EvaluationProtocol.leadsMinutes[Int(lead)]))",
                    1 - sum.model / sum.climatology
                )
            })
    }

    private func skill(of group: [Int], loss: (Int, Forecaster) -> Double) -> Estimate {
        var model: [Int32: Double] = [:]
        var reference: [Int32: Double] = [:]
        for row in group {
            model[rows.days[row], default: 0] += loss(row, .model)
            reference[rows.days[row], default: 0] += loss(row, .climatology)
        }
        let days = model.keys.sorted()
        return DayBlockBootstrap.ratioSkill(
            model: days.map { model[$0] ?? 0 }, reference: days.map { reference[$0] ?? 0 })
    }

    private func probability(_ forecaster: Forecaster, _ row: Int) -> Float {
        rows.probabilities[forecaster]?[row] ?? 0
    }

    private func probabilities(_ forecaster: Forecaster, _ group: [Int]) -> [Float] {
        group.map { probability(forecaster, $0) }
    }

    private func distributions(_ forecaster: Forecaster, _ group: [Int]) -> [DelayDistribution] {
        group.compactMap { rows.distributions[forecaster]?[$0] }
    }
}
