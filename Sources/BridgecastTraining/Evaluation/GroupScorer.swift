// Scores a group of an evaluation's rows: the figures of one line of the report.
private import BridgecastCore

/// Scores groups of rows.
struct GroupScorer {
    private let rows: ScoredRows

    init(_ rows: ScoredRows) { self.rows = rows }

    func scores(of group: [Int]) -> GroupScores {
        let outcomes = group.map { rows.blocked[$0] }
        let forecasters = Forecaster.allCases.filter { rows.probabilities[$0] != nil }
        func byForecaster<Value>(_ value: (Forecaster) -> Value) -> [String: Value] {
            Dictionary(uniqueKeysWithValues: forecasters.map { ($0.rawValue, value($0)) })
        }
        func byTraffic<Value>(_ value: (DelayTraffic) -> Value) -> [String: Value] {
            Dictionary(
                uniqueKeysWithValues: DelayTraffic.allCases.map { ($0.rawValue, value($0)) })
        }
        return GroupScores(
            rows: group.count,
            blockedRate: Double(outcomes.count { $0 }) / Double(group.count),
            skill: byForecaster { forecaster in logLossSkill(of: group, forecaster) },
            brierSkill: skill(of: group, .model) { row, forecaster in
                EventScores.squaredError(probability(forecaster, row), rows.blocked[row])
            },
            delaySkill: byTraffic { traffic in
                skill(of: group, .model) { row, forecaster in
                    Double(rows.delays[traffic]?[forecaster]?[row].rankedProbability ?? 0)
                }
            },
            blocked: byForecaster { forecaster in
                EventScores(group.map { probability(forecaster, $0) }, outcomes)
            },
            delay: byTraffic { traffic in
                (rows.delays[traffic] ?? [:]).reduce(into: [:]) { scores, column in
                    scores[column.key.rawValue] = DelayScores(group.map { column.value[$0] })
                }
            })
    }

    func logLossSkill(
        of group: [Int], _ forecaster: Forecaster = .model,
        over reference: Forecaster = .climatology
    ) -> Estimate {
        skill(of: group, forecaster, over: reference) { row, forecaster in
            EventScores.logLoss(probability(forecaster, row), rows.blocked[row])
        }
    }

    /// The model's skill by lead in minutes.
    func logLossSkillByLead(
        of group: [Int], over reference: Forecaster = .climatology
    ) -> [String: Estimate] {
        let byLead = Dictionary(grouping: group) { rows.leads[$0] }
        return Dictionary(
            uniqueKeysWithValues: byLead.map { lead, group in
                let minutes = EvaluationProtocol.leadsMinutes[Int(lead)]
                return ("\(Int(minutes))", logLossSkill(of: group, over: reference))
            })
    }

    private func skill(
        of group: [Int], _ forecaster: Forecaster, over reference: Forecaster = .climatology,
        loss: (Int, Forecaster) -> Double
    ) -> Estimate {
        var losses: [Int32: (model: Double, reference: Double)] = [:]
        for row in group {
            losses[rows.days[row], default: (0, 0)].model += loss(row, forecaster)
            losses[rows.days[row], default: (0, 0)].reference += loss(row, reference)
        }
        let days = losses.sorted { $0.key < $1.key }.map(\.value)
        return DayBlockBootstrap.ratioSkill(
            model: days.map(\.model), reference: days.map(\.reference))
    }

    private func probability(_ forecaster: Forecaster, _ row: Int) -> Float {
        rows.probabilities[forecaster]?[row] ?? 0
    }
}
