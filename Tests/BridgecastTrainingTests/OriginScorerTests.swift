// A model's sums at one origin against the evaluation of the same days.
import BridgecastCore
import BridgecastEngine
import BridgecastTestSupport
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
        #expect(found.calibrationError == report.total.blocked["model"]?.calibrationError)
        let loss = found.rows.reduce(0) { $0 + $1.loss }
        let usual = found.rows.reduce(0) { $0 + $1.climatologyLoss }
        #expect(abs(1 - loss / usual - report.total.modelSkill.value) < 1e-9)
        // The quick sum of P(blocked) alone is that of the whole evaluation.
        #expect(abs(try #require(found.fp32LogLoss) - loss) < 1e-3)
        let profile = (found.delays ?? []).filter { $0.traffic == "profile" }
        #expect(profile.count == 2)
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
            // One that is in a seam at that moment counts as down.
            #expect((up - 2...up).contains(cell.openings), "\(cell.elapsedMinutes) min")
            #expect(cell.below80 <= cell.below95 && cell.below95 <= cell.openings)
            #expect(cell.loss > 0)
        }
        #expect(cells.map(\.elapsedMinutes).starts(with: [0, 5, 10]))
    }

    @Test func whatIsNotCoveredIsNoOrigin() throws {
        let early = RollingOrigin(try #require(CivilDate(year: 2016, month: 1, day: 1)))
        #expect(OriginScorer(early, history: Self.history) == nil)
        let gap = RollingOrigin(try #require(CivilDate(year: 2019, month: 1, day: 1)))
        #expect(OriginScorer(gap, history: Self.history) == nil)
        for date in RollingOrigin.usualDates {
            #expect(OriginScorer(RollingOrigin(date), history: Self.history) != nil)
        }
    }
}
