// Training: the same bytes from the same seed, nothing from after the cut, and what is reported on the way.
import BridgecastCore
import BridgecastEngine
import BridgecastTestSupport
@testable import BridgecastTraining
import Foundation
import Synchronization
import Testing

@Suite struct TrainerTests {
    /// A fortnight of real records, small enough to train on in a second.
    private static let history = Fixtures.shippedHistory.before(
        Fixtures.timestamp("2025-02-01T00:00"))

    private static func plan(seed: UInt64) -> TrainingPlan {
        var plan = TrainingPlan(
            history: history, validationFrom: Fixtures.timestamp("2025-01-28T00:00"),
            validationTo: Fixtures.timestamp("2025-01-30T00:00"))
        plan.teachers = 2
        plan.minutesBetweenIssueTimes = 60
        plan.boostingPasses = 1
        plan.boosting.trees = 8
        plan.boosting.minRowsInLeaf = 20
        plan.settings.epochs = 2
        plan.settings.hiddenSizes = [16, 8]
        plan.networkTeachers = 1
        plan.networkTeacherSettings.epochs = 1
        plan.seed = seed
        return plan
    }

    @Test func theSameSeedGivesTheSameBytesAndAnotherSeedOthers() async {
        let first = await ModelTraining(Self.plan(seed: 5)) { _ in }.run().validated
        let second = await ModelTraining(Self.plan(seed: 5)) { _ in }.run().validated
        let other = await ModelTraining(Self.plan(seed: 6)) { _ in }.run().validated
        #expect(first.layers == second.layers)
        #expect(first.normalisation == second.normalisation)
        #expect(first.calibration.scales == second.calibration.scales)
        #expect(first.layers != other.layers)
    }

    @Test func trainingBeatsThePriorOnLaterDays() async throws {
        var plan = Self.plan(seed: 1)
        plan.minutesBetweenIssueTimes = 8
        plan.boosting.trees = 40
        plan.settings.epochs = 6
        let trained = await ModelTraining(plan) { _ in }.run().validated
        let loss = try #require(trained.validationLoss)
        #expect(loss < 0.97 * (try #require(trained.priorValidationLoss)))
    }

    @Test func nothingFromTheValidationPeriodOnReachesTheFit() async {
        // A bridge is up when the validation begins: what is known then is that it went up.
        let cut = Self.plan(seed: 5).validationFrom
        let records =
            Self.history.openings.flatMap(\.self) + [
                Opening(
                    bridge: Fixtures.bridge("Ballard"), start: cut.adding(minutes: -10),
                    end: cut.adding(minutes: 7))
            ]
        func fit(_ records: [Opening], coveredUntil end: Timestamp) async -> TrainedModel {
            var plan = Self.plan(seed: 5)
            plan.history = OpeningHistory(records: records, coverage: Self.history.coverage)
                .before(end)
            return await ModelTraining(plan) { _ in }.run().validated
        }
        let end = Fixtures.timestamp("2025-02-01T00:00")
        let asItWas = await fit(records, coveredUntil: end)
        let otherwiseAfter = await fit(
            Self.changed(records, from: cut, to: end), coveredUntil: cut.adding(minutes: 2_160))
        #expect(Self.differences(asItWas, otherwiseAfter).isEmpty)
        // The change is one that the validation saw, and that the fit would have seen earlier.
        #expect(asItWas.validationLoss != otherwiseAfter.validationLoss)
        let otherwiseBefore = await fit(
            Self.changed(records, from: cut.adding(minutes: -2_880), to: cut), coveredUntil: end)
        #expect(
            Self.differences(asItWas, otherwiseBefore)
                == ["layers", "normalisation", "calibration", "climatology"])
    }

    /// Records that differ from one time to another.
    ///
    /// Half of them are gone, the rest are moved, there are new ones from a minute after the first
    /// time on, and what was under way at that time goes on longer.
    private static func changed(
        _ records: [Opening], from start: Timestamp, to end: Timestamp
    ) -> [Opening] {
        let kept = records.filter { $0.start < start || $0.start >= end }.map { record in
            guard record.start < start, let last = record.end, last > start else { return record }
            return Opening(
                bridge: record.bridge, start: record.start, end: last.adding(minutes: 25))
        }
        let within = records.filter { $0.start >= start && $0.start < end }
        let moved = within.indices.filter { $0 % 2 == 0 }.map { index in
            Opening(
                bridge: within[index].bridge, start: within[index].start.adding(minutes: 37),
                end: within[index].end?.adding(minutes: 41))
        }
        let added = BridgeIndex.all.flatMap { bridge in
            [1.0, 400, 1_000].map { minute in
                Opening(
                    bridge: bridge, start: start.adding(minutes: minute),
                    end: start.adding(minutes: minute + 9))
            }
        }
        return kept + moved + added
    }

    /// The parts of a fit in which two are not the same.
    private static func differences(_ one: TrainedModel, _ other: TrainedModel) -> Set<String> {
        let isSame: [String: Bool] = [
            "layers": one.layers == other.layers,
            "normalisation": one.normalisation == other.normalisation,
            "calibration": one.calibration.scales == other.calibration.scales
                && one.calibration.biasCorrections == other.calibration.biasCorrections,
            "climatology": one.climatology == other.climatology,
        ]
        return Set(isSame.filter { !$0.value }.keys)
    }

    @Test func theRefitUsesTheValidationDaysAndTheOtherModelDoesNot() async throws {
        var plan = Self.plan(seed: 5)
        plan.teachers = 1
        let alone = await ModelTraining(plan) { _ in }.run()
        #expect(alone.refitted == nil)
        plan.refitsOnAll = true
        let both = await ModelTraining(plan) { _ in }.run()
        let refitted = try #require(both.refitted)
        #expect(both.validated.layers == alone.validated.layers)
        #expect(both.validated.fittedBefore == plan.validationFrom)
        #expect(refitted.fittedBefore == plan.validationTo)
        #expect(refitted.layers != alone.validated.layers)
        #expect(refitted.climatology != alone.validated.climatology)
    }

    @Test func progressIsReportedForEveryTeacherAndEpoch() async {
        let steps = Mutex<[String]>([])
        _ = await ModelTraining(Self.plan(seed: 5)) { progress in
            steps.withLock { steps in
                switch progress {
                case .sampled(let rows, let validation):
                    steps.append(rows > 0 && validation > 0 ? "sampled" : "nothing sampled")
                case .fitted(let teacher, _): steps.append(teacher)
                case .epoch(let report): steps.append("epoch \(report.epoch)")
                }
            }
        }.run()
        #expect(
            steps.withLock { $0.sorted() }
                == [
                    "additive form", "all teachers together", "epoch 1", "epoch 2", "networks",
                    "sampled", "trees 1", "trees 2",
                ])
    }

    @Test func inputsThatNeverVariedHaveNoInfluence() async {
        // Without records of a bridge its flag is never set: it must not move a forecast later.
        var plan = Self.plan(seed: 5)
        plan.history = Self.history.hiding(Fixtures.bridge("Lower Spokane St"), before: nil)
        let trained = await ModelTraining(plan) { _ in }.run().validated
        let column = FeatureSchema.features.firstIndex { $0.name == "bridge.Lower Spokane St" }
        let seen = FeatureSchema.features.firstIndex { $0.name == "bridge.Fremont" }
        let layer = trained.layers[0]
        func weights(_ input: Int?) -> [Float] {
            (0..<layer.outputs).map { layer.weights[$0 * layer.inputs + (input ?? 0)] }
        }
        #expect(weights(column).allSatisfy { $0 == 0 })
        #expect(weights(seen).contains { $0 != 0 })
    }

    @Test func softTargetsReplaceTheChanceAndKeepMostOfTheLength() {
        let from = Fixtures.timestamp("2026-02-20T12:00")
        let samples = Sampler(
            validatingOn: Fixtures.shippedHistory, climatology: RandomModel.climatology
        ).protocolRows(in: from..<from.adding(minutes: 120))
        let bins = samples.bins
        #expect(bins.contains(0) && bins.contains { $0 > 0 })
        var prepared = PreparedSamples(samples, InputNormalisation(of: samples))
        prepared.soften(delayLogOdds: bins.map { _ in log(0.25 / 0.75) })
        for (row, bin) in bins.enumerated() {
            let targets = prepared.targets[row * DelayBins.count..<(row + 1) * DelayBins.count]
            let first = targets[targets.startIndex]
            #expect(abs(first - 0.75) < 1e-6)
            let delayed = targets.dropFirst().reduce(0, +)
            // Without a delay, the quarter is the probability of a delay of unknown length.
            #expect(abs(delayed - (bin == 0 ? 0 : 0.25)) < 1e-5)
            let own = bin == 0 ? 1 : targets[targets.startIndex + Int(bin)]
            #expect(own >= 0.6 * 0.25 - 1e-6)
        }
    }

    @Test func teachersLengthsAndAShareOfTheOutcomeAreTheTargets() {
        let from = Fixtures.timestamp("2026-02-20T12:00")
        let samples = Sampler(
            validatingOn: Fixtures.shippedHistory, climatology: RandomModel.climatology
        ).protocolRows(in: from..<from.adding(minutes: 120))
        // The teachers forecast bins 3 and 5, each for half of the delays.
        var forecast = [Float](repeating: 0, count: DelayBins.count)
        forecast[0] = 0.8
        forecast[3] = 0.1
        forecast[5] = 0.1
        var prepared = PreparedSamples(samples, InputNormalisation(of: samples))
        prepared.soften(
            delayLogOdds: samples.bins.map { _ in log(0.25 / 0.75) },
            lengths: samples.bins.flatMap { _ in forecast })
        for (row, bin) in samples.bins.enumerated() {
            let start = row * DelayBins.count
            let share: Float = bin == 0 ? 0 : 0.2
            for other in 1..<DelayBins.count {
                let expected =
                    (1 - share) * (other == 3 || other == 5 ? 0.5 : 0)
                    + (Int(bin) == other ? share : 0)
                #expect(abs(prepared.targets[start + other] - 0.25 * expected) < 1e-5)
            }
        }
    }
}
