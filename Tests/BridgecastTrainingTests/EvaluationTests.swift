// The protocol on real records, and the figures the shipped models must reach on unseen time.
@testable import BridgecastCore
import BridgecastEngine
import BridgecastTestSupport
@testable import BridgecastTraining
import Foundation
import Testing

@Suite struct EvaluationTests {
    private static let interval =
        Fixtures.timestamp("2026-02-15T00:00")..<Fixtures.timestamp("2026-03-01T00:00")

    @Test func theProtocolScoresEveryCoveredRowOnceAndLabelsItRight() throws {
        let day = Fixtures.timestamp("2026-02-20T00:00")..<Fixtures.timestamp("2026-02-21T00:00")
        let history = Fixtures.shippedHistory
        let evaluation = EvaluationProtocol(history: history, interval: day)
        let rows = evaluation.rows(of: try ModelFile.read(RandomModel.bytes(.int8)))
        // Six covered bridges; Lower Spokane St has history but no coverage in 2026.
        #expect(evaluation.bridges.count == 7)
        #expect(rows.count == 288 * 6 * 9)
        for lead in 0..<9 { #expect(rows.leads.count { $0 == lead } == 288 * 6) }
        let blocked = rows.happened.count { $0 }
        let minutes = history.openings.flatMap(\.self).filter { day.contains($0.start) }
            .reduce(0) { $0 + ($1.minutes ?? 0) }
        // Every blocked minute is met by nine leads once in five issue times.
        #expect(abs(Double(blocked) - minutes * 9 / 5) < 0.15 * minutes * 9 / 5)
        let delays = try #require(rows.delays[.profile]?[.model])
        for row in 0..<rows.count where rows.happened[row] {
            #expect(delays[row].probabilityLess > 0)
        }
    }

    @Test func arrivalsBeyondCoverageHaveNoRow() throws {
        let end = Fixtures.timestamp("2026-03-01T00:00")
        let evaluation = EvaluationProtocol(
            history: Fixtures.shippedHistory, interval: end.adding(minutes: -30)..<end)
        let rows = evaluation.rows(of: try ModelFile.read(RandomModel.bytes(.int8)))
        // Issue times 23:30 to 23:55; an arrival at 00:00 or later is not covered.
        let expected = (0..<6).reduce(0) { sum, step in
            sum + EvaluationProtocol.leadsMinutes.count { Double(step * 5) + $0 < 30 }
        }
        #expect(rows.count == 6 * expected)
    }

    @Test func baselinesKnowNothingOfThePeriod() throws {
        let history = Fixtures.shippedHistory
        let from = Self.interval.lowerBound
        let emptied = OpeningHistory(
            records: history.openings.flatMap(\.self).filter { $0.start < from },
            coverage: history.coverage)
        let model = try ModelFile.read(RandomModel.bytes(.int8))
        let day = from..<from.adding(minutes: 1440)
        let full = EvaluationProtocol(history: history, interval: day).rows(of: model)
        let none = EvaluationProtocol(history: emptied, interval: day).rows(of: model)
        for forecaster in [Forecaster.climatology, .baseRate, .poisson] {
            #expect(full.probabilities[forecaster] == none.probabilities[forecaster])
        }
        // These look at the state, which differs; but before anything happens they agree.
        for forecaster in [Forecaster.persistence, .bridgelocks] {
            #expect(full.probabilities[forecaster]?.first == none.probabilities[forecaster]?.first)
            #expect(full.probabilities[forecaster] != none.probabilities[forecaster])
        }
        #expect(full.happened != none.happened)
    }

    @Test func poissonRatesFollowTheirDefinition() {
        let fremont = Fixtures.bridge("Fremont")
        let week = Fixtures.timestamp("2026-02-02T00:00")..<Fixtures.timestamp("2026-02-16T00:00")
        let records = [
            Fixtures.opening("Fremont", "2026-02-03T10:10", "2026-02-03T10:16"),
            Fixtures.opening("Fremont", "2026-02-10T10:40", "2026-02-10T10:44"),
        ]
        let rates = PoissonRates(
            OpeningHistory(
                records: records, coverage: Coverage(week)))
        // Two openings of 5 minutes in two Tuesdays' hours from 10; shrunk by one mean hour.
        let mean = 2.5 / (14 * 24 + 1)
        let expected = 1 - exp(-(2 + mean) / 3 * 5 / 60)
        let found = rates.probabilityBlocked(
            BaselineQuery(
                bridge: fremont, leadMinutes: 10,
                validCivil: SeattleTime.civil(at: Fixtures.timestamp("2026-02-17T10:30")),
                situation: .unknown(at: Fixtures.timestamp("2026-02-17T10:20"))))
        #expect(abs(Double(found) - expected) < 1e-6)
    }

    /// The model that was fitted to nothing from the validation period on.
    @Test func theValidationModelReachesItsFigures() throws {
        let model = try ModelFile.read(Fixtures.model("validation/bridgecast.int8.bcm"))
        let fp32 = try ModelFile.read(Fixtures.model("validation/bridgecast.fp32.bcm"))
        #expect(model.header.provenance.fittedBefore == Self.interval.lowerBound)
        let evaluation = EvaluationProtocol(
            history: Fixtures.shippedHistory, interval: Self.interval)
        let rows = evaluation.rows(of: model)
        let report = try #require(EvaluationReport(rows, of: model, interval: Self.interval))
        let isInSample = report.isInSample
        #expect(!isInSample)
        #expect(report.total.raised.modelSkill.value >= 0.13)
        for lead in report.byLead {
            let minSkill = lead.leadMinutes == 2 ? 0.45 : 0
            #expect(lead.scores.raised.modelSkill.value >= minSkill, "\(lead.leadMinutes) min")
            #expect(lead.scores.stopped.modelSkill.value >= minSkill, "\(lead.leadMinutes) min")
            // A queue stops vehicles after the span is down again, never before.
            #expect(lead.scores.stopped.rate > lead.scores.raised.rate)
        }
        for traffic in DelayTraffic.allCases {
            #expect(try #require(report.total.delaySkill[traffic.rawValue]).low > 0)
            let delay = try #require(report.total.delay[traffic.rawValue]?["model"])
            let coverage = try #require(delay.coverage["0.8"])
            #expect(abs(coverage - 0.8) < 0.02, "rho \(traffic.rawValue): \(coverage)")
        }
        for (name, skill) in report.total.raised.skill where name != "model" {
            #expect(skill.value < report.total.raised.modelSkill.low, "\(name)")
        }
        #expect(report.byHour.count == 24 && report.byDayType.count == 2)
        #expect(report.byHour.reduce(0) { $0 + $1.scores.rows } == report.total.rows)
        #expect(report.sharpness.reduce(0) { $0 + $1.modelRows } == report.total.rows)
        // Nothing is ever certain: rules leak.
        #expect((rows.probabilities[.model] ?? []).allSatisfy { $0 > 1e-6 && $0 < 1 })
        let calibrationError = try #require(report.total.stopped.model).calibrationError
        #expect(calibrationError < 0.003)
        // Lead 0 stays out of the total.
        let counted = report.byLead.filter { $0.leadMinutes > 0 }.reduce(0) { $0 + $1.scores.rows }
        #expect(report.total.rows == counted)
        let comparison = ModelComparison(rows, evaluation.rows(of: fp32), name: "fp32")
        #expect(comparison.relativeLossPercent < 0.2)
        #expect(comparison.largestDifference < 0.1)
    }

    @Test func theShippedModelIsReportedToHaveSeenThePeriod() throws {
        for name in ["bridgecast.int8.bcm", "bridgecast.fp16.bcm"] {
            let model = try ModelFile.read(Fixtures.model(name))
            #expect(model.header.provenance.fittedBefore == Self.interval.upperBound)
            let day = Self.interval.lowerBound..<Self.interval.lowerBound.adding(minutes: 720)
            let rows = EvaluationProtocol(history: Fixtures.shippedHistory, interval: day)
                .rows(of: model)
            let report = try #require(EvaluationReport(rows, of: model, interval: day))
            let isInSample = report.isInSample
            #expect(isInSample)
        }
    }

    /// Nothing known is a situation of its own: the forecast must then be about climatology's.
    @Test func withoutLiveStateTheForecastIsNotWorseThanClimatology() throws {
        let model = try ModelFile.read(Fixtures.model("validation/bridgecast.int8.bcm"))
        let history = Fixtures.shippedHistory
        let blind = OpeningHistory(
            records: history.openings.flatMap(\.self), coverage: history.coverage)
        let builder = FeatureBuilder(climatology: model.climatology)
        let baseline = Climatology(
            ClimatologyCounts(blind.before(Self.interval.lowerBound)), slotsPerDay: 1440)
        var loss = 0.0
        var climatologyLoss = 0.0
        var batch = FeatureBatch()
        var workspace = Workspace()
        var output: [Float] = []
        for issueTime in ProtocolClock.issueTimes(in: Self.interval) {
            batch.removeAll()
            let bridges = BridgeIndex.all.filter { history.coverage.contains(issueTime, of: $0) }
            for bridge in bridges {
                builder.append(
                    bridge, leadMinutes: 0, density: 0, in: .unknown(at: issueTime), to: &batch)
            }
            model.predict(batch, into: &output, workspace: &workspace)
            for (row, bridge) in bridges.enumerated() {
                let happened = history.isBlocked(at: issueTime, of: bridge)
                loss += EventScores.logLoss(1 - output[row * DelayBins.count], happened)
                let civil = SeattleTime.civil(at: issueTime)
                climatologyLoss += EventScores.logLoss(
                    baseline.openProbability(of: bridge, at: civil), happened)
            }
        }
        #expect(loss < 1.03 * climatologyLoss)
    }
}
