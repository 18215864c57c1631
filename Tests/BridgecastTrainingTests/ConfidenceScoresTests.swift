// Calibration by confidence: its figures against ones worked out by hand, and the confidence of every scored row.
@testable import BridgecastCore
import BridgecastEngine
import BridgecastTestSupport
@testable import BridgecastTraining
import Foundation
import Testing

@Suite struct ConfidenceScoresTests {
    /// Rows of one confidence, one on each of the days in turn; climatology says 0.3 of each.
    private func add(
        _ forecasts: [(chance: Float, isBlocked: Bool)], _ confidence: Confidence, lead: Int = 1,
        to rows: inout ScoredRows
    ) {
        let noon = SeattleTime.civil(at: Fixtures.moment("2026-02-20T12:00"))
        for (index, forecast) in forecasts.enumerated() {
            rows.append(
                bridge: .fremont, lead: lead, day: index % 5, valid: noon, confidence: confidence,
                isBlocked: forecast.isBlocked)
            rows.append(.model, probability: forecast.chance)
            rows.append(.climatology, probability: 0.3)
        }
    }

    /// Ten times 0.1, of which two were blocked, and ten times 0.5, of which four were.
    private let mixed: [(chance: Float, isBlocked: Bool)] =
        (0..<10).map { (0.1, $0 < 2) } + (0..<10).map { (0.5, $0 < 4) }

    @Test func theFiguresAreThoseWorkedOutByHand() throws {
        var rows = ScoredRows()
        add(mixed, .high, to: &rows)
        // At a lead of 0 nothing counts.
        add([(0.9, false), (0.9, false)], .high, lead: 0, to: &rows)
        let scores = try #require(ConfidenceScores.table(rows).first)
        #expect(scores.confidence == .high && scores.knowledge == .asForecast && scores.rows == 20)
        #expect(abs(scores.blockedRate - 0.3) < 1e-9 && abs(scores.meanForecast - 0.3) < 1e-6)
        // Ten bins of two rows: 0.9 once and 0.1 four times; 0.5 five times.
        #expect(abs(scores.calibrationError.value - 0.38) < 1e-6)
        #expect(abs(scores.relativeCalibrationError.value - 0.38 / 0.3) < 1e-6)
        // Two chances, two frequencies: the line goes through both.
        func logOdds(_ chance: Double) -> Double { log(chance / (1 - chance)) }
        let slope = (logOdds(0.4) - logOdds(0.2)) / (logOdds(0.5) - logOdds(0.1))
        let found = try #require(scores.calibrationSlope)
        #expect(abs(found.value - slope) < 1e-5)
        #expect(found.low < found.value && found.value < found.high)
        let loss = 2 * log(0.1) + 8 * log(0.9) + 10 * log(0.5)
        let usual = 6 * log(0.3) + 14 * log(0.7)
        #expect(abs(scores.skill.value - (1 - loss / usual)) < 1e-5)
    }

    @Test func everyConfidenceHasItsLineAndHighOnceMoreWithTheStateHidden() throws {
        var (rows, hidden) = (ScoredRows(), ScoredRows())
        add(mixed, .high, to: &rows)
        add([(0.2, true), (0.2, false)], .low, to: &rows)
        add([(0.3, false), (0.3, false)], .medium, to: &rows)
        add(mixed.map { (0.3, $0.isBlocked) }, .medium, to: &hidden)
        add([(0.2, true), (0.2, false), (0.3, false), (0.3, false)], .medium, to: &hidden)
        let table = ConfidenceScores.table(rows, hidden: hidden)
        #expect(table.map(\.confidence) == [.high, .medium, .low, .medium])
        #expect(table.map(\.rows) == [20, 2, 2, 20])
        #expect(table.map(\.knowledge).last == .stateHidden)
        // It always says 0.3, as climatology does: no skill, and no slope to speak of.
        let last = try #require(table.last)
        #expect(abs(last.blockedRate - 0.3) < 1e-9 && abs(last.skill.value) < 1e-9)
        #expect(last.calibrationSlope == nil)
        // Nothing was blocked: there is no slope either.
        #expect(table[1].calibrationSlope == nil)
        #expect(ConfidenceScores.table(rows).count == 3)
        #expect(ConfidenceScores.leftOut(rows)?.rows == 2)
        #expect(ConfidenceScores.leftOut(hidden) == nil)
    }

    @Test func rowsCarryTheConfidenceOfTheirForecastsAndHidingTheStateTakesHighAway() throws {
        let day = Fixtures.moment("2026-02-20T00:00")..<Fixtures.moment("2026-02-20T06:00")
        let evaluation = EvaluationProtocol(history: Fixtures.shippedHistory, interval: day)
        let model = try ModelFile.read(RandomModel.bytes(.int8))
        let rows = evaluation.rows(of: model)
        for row in 0..<rows.count {
            let isSoon = EvaluationProtocol.leadsMinutes[Int(rows.leads[row])] <= 20
            #expect(rows.confidences[row] == (isSoon ? .high : .medium))
        }
        let hidden = evaluation.rows(of: model, isStateHidden: true)
        #expect(hidden.confidences.allSatisfy { $0 == .medium })
        #expect(hidden.blocked == rows.blocked)
        #expect(hidden.probabilities[.climatology] == rows.probabilities[.climatology])
        #expect(hidden.probabilities[.model] != rows.probabilities[.model])
        let joined = ScoredRows.joined([rows, hidden])
        #expect(joined.confidences == rows.confidences + hidden.confidences)
        let fremont = rows.of(.fremont)
        #expect(fremont.count == rows.count / 6 && fremont.bridges.allSatisfy { $0 == .fremont })
        #expect(fremont.confidences.count == fremont.count)
        #expect(fremont.delays[.rho0]?[.model]?.count == fremont.count)
    }
}
