// The scores of a group of rows, whole, by range of the forecast and by confidence.
package import BridgecastCore

package struct GroupScores: Sendable, Codable, Equatable {
    package let rows: Int
    /// Of the chance that the span is up on arrival.
    package let raised: EventGroupScores
    /// Of the chance that time is lost, at the profile's traffic.
    package let stopped: EventGroupScores
    /// Ranked-probability skill of the model's delay forecast over climatology, by traffic.
    package let delaySkill: [String: Estimate]
    package let delay: [String: [String: DelayScores]]

    /// The scores of an event.
    package subscript(event: ScoredEvent) -> EventGroupScores {
        event == .raised ? raised : stopped
    }
}

/// The scores of the probabilities of one event.
package struct EventGroupScores: Sendable, Codable, Equatable {
    /// Share of rows in which it happened, 0...1.
    package let rate: Double
    /// Log-loss skill over climatology, 1 - loss / climatology's loss, by forecaster.
    package let skill: [String: Estimate]
    /// The same of the model's Brier score.
    package let brierSkill: Estimate
    /// By forecaster.
    package let scores: [String: EventScores]

    /// The model's log-loss skill.
    package var modelSkill: Estimate { skill[Forecaster.model.rawValue] ?? .none }
    /// The model's scores.
    package var model: EventScores? { scores[Forecaster.model.rawValue] }
}

struct GroupScorer {
    private let raised: EventScorer
    private let stopped: EventScorer
    private let rows: ScoredRows

    init(_ rows: ScoredRows) {
        self.rows = rows
        raised = EventScorer(rows)
        stopped = EventScorer(rows.asStopped())
    }

    func scores(of group: [Int]) -> GroupScores {
        func byTraffic<Value>(_ value: (DelayTraffic) -> Value) -> [String: Value] {
            Dictionary(uniqueKeysWithValues: DelayTraffic.allCases.map { ($0.rawValue, value($0)) })
        }
        return GroupScores(
            rows: group.count, raised: raised.scores(of: group), stopped: stopped.scores(of: group),
            delaySkill: byTraffic { traffic in
                raised.skill(of: group, .model) { row, forecaster in
                    Double(rows.delays[traffic]?[forecaster]?[row].rankedProbability ?? 0)
                }
            },
            delay: byTraffic { traffic in
                (rows.delays[traffic] ?? [:]).reduce(into: [:]) { scores, column in
                    scores[column.key.rawValue] = DelayScores(group.map { column.value[$0] })
                }
            })
    }
}

/// Scores the probabilities of the event of some rows.
struct EventScorer {
    private let rows: ScoredRows

    init(_ rows: ScoredRows) { self.rows = rows }

    func scores(of group: [Int]) -> EventGroupScores {
        let outcomes = group.map { rows.happened[$0] }
        let forecasters = Forecaster.allCases.filter { rows.probabilities[$0] != nil }
        func byForecaster<Value>(_ value: (Forecaster) -> Value) -> [String: Value] {
            Dictionary(uniqueKeysWithValues: forecasters.map { ($0.rawValue, value($0)) })
        }
        return EventGroupScores(
            rate: Double(outcomes.count { $0 }) / Double(group.count),
            skill: byForecaster { forecaster in logLossSkill(of: group, forecaster) },
            brierSkill: skill(of: group, .model) { row, forecaster in
                EventScores.squaredError(probability(forecaster, row), rows.happened[row])
            },
            scores: byForecaster { forecaster in
                EventScores(group.map { probability(forecaster, $0) }, outcomes)
            })
    }

    func logLossSkill(
        of group: [Int], _ forecaster: Forecaster = .model,
        over reference: Forecaster = .climatology
    ) -> Estimate {
        skill(of: group, forecaster, over: reference) { row, forecaster in
            EventScores.logLoss(probability(forecaster, row), rows.happened[row])
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

    func skill(
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

/// Calibration in a range of forecasts, such as 0.05 to 0.2.
package struct ChanceBand: Sendable, Equatable {
    /// The bounds of the ranges; a forecast on a bound belongs to the range above.
    package static let edges = [0, 0.01, 0.05, 0.2, 0.5, 1]

    /// Lower bound.
    package let from: Double
    /// Upper bound, excluded except in the last range.
    package let to: Double
    /// Rows with a forecast in the range.
    package let rows: Int
    /// Mean forecast; nil without rows.
    package let meanForecast: Double?
    /// Share of rows in which it happened, with its interval; nil without rows.
    package let frequency: Estimate?

    /// The ranges of some rows.
    ///
    /// - Parameter group: Indices of rows.
    static func bands(_ rows: ScoredRows, _ group: [Int]) -> [ChanceBand] {
        let model = rows.probabilities[.model] ?? []
        let groups = Dictionary(grouping: group) { row in
            edges.dropLast().lastIndex { $0 <= Double(model[row]) } ?? 0
        }
        return edges.indices.dropLast().map { band in
            let members = groups[band] ?? []
            let byDay = Dictionary(grouping: members) { rows.days[$0] }.sorted { $0.key < $1.key }
            return ChanceBand(
                from: edges[band], to: edges[band + 1], rows: members.count,
                meanForecast: members.isEmpty
                    ? nil : members.reduce(0) { $0 + Double(model[$1]) } / Double(members.count),
                frequency: members.isEmpty
                    ? nil
                    : DayBlockBootstrap.ratio(
                        byDay.map { Double($0.value.count { rows.happened[$0] }) },
                        over: byDay.map { Double($0.value.count) }))
        }
    }
}

/// Calibration and skill of the forecasts that carry one confidence, leads 2 to 60 minutes together.
package struct ConfidenceScores: Sendable, Codable, Equatable {
    /// What was known when the forecasts were made.
    package enum Knowledge: String, Sendable, Codable {
        /// What was known at the time.
        case asForecast = "as_forecast"
        /// The rows of HIGH, forecast as if nothing were known of any bridge now and in the hours before.
        case stateHidden = "state_hidden"
        /// The rows of bridges that the fit never saw.
        case bridgeLeftOut = "bridge_left_out"
    }

    /// What was known when the forecasts were made.
    package let knowledge: Knowledge
    package let confidence: Confidence
    package let rows: Int
    /// Share of rows in which the event happened, 0...1.
    package let rate: Double
    /// Mean of the model's probability of it, 0...1.
    package let meanForecast: Double
    /// Expected calibration error: mean |forecast - frequency| over ten bins of equally many rows, 0...1.
    package let calibrationError: Estimate
    /// The same as a share of the mean forecast, for comparing confidences, whose forecasts differ.
    package let relativeCalibrationError: Estimate
    /// Calibration slope, 1 is best; nil if the event always or never happened.
    package let calibrationSlope: Estimate?
    /// 1 - log loss / log loss of climatology.
    package let skill: Estimate

    /// Scores a group of rows; nil if it is empty.
    init?(_ rows: ScoredRows, _ group: [Int], knowledge: Knowledge, confidence: Confidence) {
        guard !group.isEmpty else { return nil }
        let forecasts = rows.probabilities[.model] ?? []
        let byDay = DayRows(rows, group)
        let count = Double(group.count)
        self.knowledge = knowledge
        self.confidence = confidence
        self.rows = group.count
        rate = Double(group.count { rows.happened[$0] }) / count
        meanForecast = group.reduce(0) { $0 + Double(forecasts[$1]) } / count
        calibrationError = byDay.calibrationError()
        relativeCalibrationError = byDay.relativeCalibrationError()
        calibrationSlope = byDay.calibrationSlope()
        skill = EventScorer(rows).logLossSkill(of: group)
    }

    /// The scores of each confidence that occurs, the highest first; then HIGH's rows again with the state hidden.
    ///
    /// - Parameters:
    ///   - rows: Rows as forecast.
    ///   - hidden: The same rows forecast with the state hidden, in the same order; nil leaves them out.
    package static func table(_ rows: ScoredRows, hidden: ScoredRows? = nil) -> [ConfidenceScores] {
        let counted = rows.rowsAhead
        func group(_ confidence: Confidence) -> [Int] {
            counted.filter { rows.confidences[$0] == confidence }
        }
        var table = [Confidence.high, .medium, .low].compactMap {
            ConfidenceScores(rows, group($0), knowledge: .asForecast, confidence: $0)
        }
        if let hidden, hidden.count == rows.count {
            // HIGH has days of records enough not to become LOW.
            let scores = ConfidenceScores(
                hidden, group(.high), knowledge: .stateHidden, confidence: .medium)
            if let scores { table.append(scores) }
        }
        return table
    }

    /// The scores of bridges that the fits never saw, all together; nil without rows of LOW, which alone are scored.
    package static func leftOut(_ rows: ScoredRows) -> ConfidenceScores? {
        ConfidenceScores(
            rows, rows.rowsAhead.filter { rows.confidences[$0] == .low },
            knowledge: .bridgeLeftOut, confidence: .low)
    }
}
