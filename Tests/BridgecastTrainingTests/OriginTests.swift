// Scores at an origin against the evaluation of the same days, and recipes side by side over rolling origins.
import BridgecastCore
import BridgecastEngine
import BridgecastTestSupport
import Foundation
import Testing
@testable import BridgecastTraining

@Suite struct OriginScorerTests {
    private static let history = Fixtures.shippedHistory
    private static let date = CivilDate(year: 2026, month: 2, day: 15)

    @Test func theSumsAreThoseOfTheEvaluation() async throws {
        let origin = RollingOrigin(try #require(Self.date), days: 2)
        let model = try ModelFile.read(RandomModel.bytes(.int8))
        let scorer = try #require(OriginScorer(origin, history: Self.history))
        let found = try #require(
            await scorer.scores(of: model, recipe: "random", making: nil, fp32: model))
        let rows = EvaluationProtocol(history: Self.history, interval: origin.interval)
            .rows(of: model)
        let report = try #require(
            EvaluationReport(rows, of: model, interval: origin.interval))
        #expect(found.rows.reduce(0) { $0 + $1.rows } == report.total.rows)
        #expect(found.calibrationError == report.total.raised.model?.calibrationError)
        let loss = found.rows.reduce(0) { $0 + $1.loss }
        let reference = found.rows.reduce(0) { $0 + $1.climatologyLoss }
        #expect(abs(1 - loss / reference - report.total.raised.modelSkill.value) < 1e-9)
        // The quick sum of P(blocked) alone is that of the whole evaluation.
        #expect(abs(try #require(found.fp32LogLoss) - loss) < 1e-3)
        let profile = (found.delays ?? []).filter { $0.traffic == "profile" }
        #expect(profile.count == 2)
        let stopped = report.total.stopped
        let stopLoss = profile.reduce(0) { $0 + $1.loss }
        let stopReference = profile.reduce(0) { $0 + $1.climatologyLoss }
        #expect(abs(1 - stopLoss / stopReference - stopped.modelSkill.value) < 1e-9)
        let stops = profile.reduce(0) { $0 + $1.stopped }
        #expect(Double(stops) / Double(report.total.rows) == stopped.rate)
        let scores = try #require(report.total.delay["profile"]?["model"])
        let ranked = profile.reduce(0) { $0 + $1.rankedProbability }
        #expect(abs(ranked / Double(report.total.rows) - scores.rankedProbabilityScore) < 1e-6)
        let (delayed, below) = profile.reduce((0, 0)) { ($0.0 + $1.delayed, $0.1 + $1.below80) }
        #expect(scores.coverageIfDelayed?["0.8"] == Double(below) / Double(delayed))
        #expect(found.confidence?.reduce(0) { $0 + $1.rows } == report.total.rows)
    }

    @Test func raisedSpansAreAskedAboutAsLongAsTheyAreUp() async throws {
        let origin = RollingOrigin(try #require(Self.date), days: 3)
        let model = try ModelFile.read(RandomModel.bytes(.int8))
        let cells = RaisedSpanScorer(Self.history).cells(of: model, in: origin.interval)
        let openings = Self.history.openings.flatMap(\.self).filter {
            origin.interval.contains($0.start)
        }
        for cell in cells {
            let up = openings.count { ($0.minutes ?? 0) > Double(cell.elapsedMinutes) }
            // One that is in a seam at that time counts as down.
            #expect((up - 2...up).contains(cell.openings), "\(cell.elapsedMinutes) min")
            #expect(cell.below80 <= cell.below95 && cell.below95 <= cell.openings)
            #expect(cell.loss > 0)
        }
        #expect(cells.map(\.elapsedMinutes).starts(with: [0, 5, 10]))
    }

    @Test func uncoveredDaysAreNoOrigins() throws {
        let early = RollingOrigin(try #require(CivilDate(year: 2015, month: 6, day: 1)))
        #expect(OriginScorer(early, history: Self.history) == nil)
        let gap = RollingOrigin(try #require(CivilDate(year: 2019, month: 1, day: 1)))
        #expect(OriginScorer(gap, history: Self.history) == nil)
        for date in RollingOrigin.defaultDates {
            #expect(OriginScorer(RollingOrigin(date), history: Self.history) != nil)
        }
    }
}

@Suite struct OriginTableTests {
    private static let climatology = [[12.0, 14, 11], [8, 8, 9, 8]]
    private static let better = scores("better", [[10, 12, 9], [5, 7, 6, 8]])
    private static let other = scores("other", [[11, 11, 10], [6, 7, 7, 7.5]])

    /// Two origins of three and four days, one row of sums a day.
    private static func scores(_ recipe: String, _ losses: [[Double]]) -> [OriginScores] {
        losses.indices.map { origin in
            OriginScores(
                recipe: recipe, origin: "2025-0\(origin + 1)-01", days: losses[origin].count,
                making: nil,
                rows: losses[origin].indices.map { day in
                    OriginScores.Cell(
                        day: "2025-0\(origin + 1)-0\(day + 1)", bridge: "Fremont", leadMinutes: 2,
                        rows: 288, blocked: 9, loss: losses[origin][day],
                        climatologyLoss: climatology[origin][day], brier: 1, climatologyBrier: 2)
                }, calibrationError: 0.01 * Double(origin + 1), fp32LogLoss: nil,
                confidence: nil, delays: nil, raised: nil)
        }
    }

    /// The numbers come from numpy, with the same generator and Lemire's way to a number below a bound.
    @Test func meansAndPairedIntervalsAreThoseOfNumpy() throws {
        let table = try OriginTable(Self.other + Self.better, against: "other")
        #expect(table.recipes.map(\.recipe) == ["better", "other"])
        func expect(
            _ found: OriginEstimate, _ value: Double, low: Double, high: Double
        ) throws {
            let foundLow = try #require(found.low)
            let foundHigh = try #require(found.high)
            #expect(abs(found.value - value) < 1e-12)
            #expect(abs(foundLow - low) < 1e-12 && abs(foundHigh - high) < 1e-12)
        }
        try expect(
            table.recipes[0].skill, 0.18714168714168716, low: 0.11233108108108109,
            high: 0.2598039215686274)
        let comparison = try #require(table.comparisons.first)
        try expect(
            comparison.total.difference, 0.036240786240786305, low: -0.02031250000000001,
            high: 0.08957219251336895)
        try expect(
            comparison.total.ratio, 1.240162822252375, low: 0.8571428571428571,
            high: 1.5999999999999996)
        #expect(comparison.byLead.map(\.rows) == ["2 min"])
        #expect(comparison.byBridge.map(\.rows) == ["Fremont"])
        #expect(abs(table.recipes[0].calibrationError - 0.015) < 1e-12)
        let lowest = try #require(table.recipes[0].lowestLead)
        #expect(lowest.origin == "2025-01-01" && abs(lowest.skill - (1 - 31.0 / 37)) < 1e-12)
    }

    @Test func aSingleDayGivesNoInterval() throws {
        func oneDay(_ scores: [OriginScores]) -> [OriginScores] {
            var scores = scores
            scores[0].rows.removeLast(scores[0].rows.count - 1)
            return scores
        }
        let table = try OriginTable(oneDay(Self.better) + oneDay(Self.other), against: "other")
        let comparison = try #require(table.comparisons.first)
        let skills = table.recipes[0].origins.map(\.skill)
        #expect(abs(skills[0].value - (1 - 10.0 / 12)) < 1e-12 && skills[0].low == nil)
        #expect(skills[1].low != nil && skills[1].high != nil)
        // Its figure would count as certain in the mean.
        let figures = [comparison.total] + comparison.byLead + comparison.byBridge
        let means = [table.recipes[0].skill] + figures.flatMap { [$0.difference, $0.ratio] }
        #expect(means.allSatisfy { $0.low == nil && $0.high == nil && $0.value > 0 })
        let json = String(decoding: try JSONEncoder().encode(comparison.total), as: UTF8.self)
        #expect(!json.contains("low") && !json.contains("null"), "\(json)")
    }

    @Test func aComparisonIsOfTheOriginsThatBothHave() throws {
        let table = try OriginTable(Self.better + [Self.other[1]], against: "other")
        #expect(table.comparisons.first?.origins == ["2025-02-01"])
        #expect(throws: OriginScoresError.nothingInCommon("better", "other")) {
            try OriginTable([Self.better[0], Self.other[1]], against: "other")
        }
    }

    @Test func scoresOfOtherRowsOrOfNothingAreRefused() throws {
        var moved = Self.other
        moved[0].rows[1].climatologyLoss += 0.001
        #expect(
            throws: OriginScoresError.otherRows(
                origin: "2025-01-01", recipe: "better", other: "other")
        ) {
            try OriginTable(Self.better + moved, against: "other")
        }
        #expect(throws: OriginScoresError.noRecipe("third")) {
            try OriginTable(Self.better, against: "third")
        }
        var twice = Self.better
        twice[0].rows.append(twice[0].rows[0])
        #expect(throws: OriginScoresError.self) { try OriginTable(twice, against: nil) }
        var negative = Self.better
        negative[1].rows[0].loss = -1
        #expect(throws: OriginScoresError.self) { try OriginTable(negative, against: nil) }
    }
}
