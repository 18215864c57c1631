// Learning: gradients against finite differences, determinism, and what an untrained network says.
import BridgecastCore
import BridgecastEngine
import BridgecastTestSupport
@testable import BridgecastTraining
import Foundation
import Synchronization
import Testing

@Suite struct GradientTests {
    /// Targets that add up to 1, and targets that leave open which of the later bins it is.
    @Test(arguments: [1, 0.6] as [Float])
    func gradientsAgreeWithFiniteDifferences(sumOfTargets: Float) {
        var random = SeededRandom(seed: 11)
        let (rows, inputs, bins) = (6, 5, 4)
        var network = TrainableNetwork(
            sizes: [inputs, 7, 6, bins], dropout: 0, random: &random)
        // The last layer starts at zero, where most gradients vanish: move it.
        network.adopt(
            network.layers.map { layer in
                DenseLayer(
                    inputs: layer.inputs, outputs: layer.outputs,
                    weights: layer.weights.map { $0 + Float(random.normal()) * 0.3 },
                    bias: layer.bias.map { $0 + Float(random.normal()) * 0.3 },
                    hasReLU: layer.hasReLU)
            })
        let x = (0..<rows * inputs).map { _ in Float(random.normal()) }
        let prior = (0..<rows * bins).map { _ in Float(random.normal()) }
        let targets = (0..<rows).flatMap { _ -> [Float] in
            let raw = (0..<bins).map { _ in Float(random.uniform()) }
            return raw.map { sumOfTargets * $0 / raw.reduce(0, +) }
        }
        _ = network.lossAndGradients(inputs: x, prior: prior, targets: targets, rows: rows)
        let gradients = network.gradients
        func loss(_ edit: (inout [DenseLayer]) -> Void) -> Double {
            var copy = network
            var layers = network.layers
            edit(&layers)
            copy.adopt(layers)
            return copy.lossAndGradients(inputs: x, prior: prior, targets: targets, rows: rows)
        }
        let step: Float = 1e-3
        for (index, layer) in network.layers.enumerated() {
            for cell in stride(from: 0, to: layer.weights.count, by: 3) {
                let up = loss { $0[index].weights[cell] += step }
                let down = loss { $0[index].weights[cell] -= step }
                let numeric = (up - down) / Double(2 * step)
                #expect(abs(numeric - Double(gradients[index].weights[cell])) < 2e-3)
            }
            for cell in layer.bias.indices {
                let up = loss { $0[index].bias[cell] += step }
                let down = loss { $0[index].bias[cell] -= step }
                let numeric = (up - down) / Double(2 * step)
                #expect(abs(numeric - Double(gradients[index].bias[cell])) < 2e-3)
            }
        }
    }

    @Test func anUntrainedNetworkReturnsThePrior() {
        var random = SeededRandom(seed: 1)
        var network = TrainableNetwork(sizes: [3, 8, 4], dropout: 0.5, random: &random)
        let prior: [Float] = [0.1, 0.2, 0.3, 0.4].map { log($0) }
        let found = network.probabilities(inputs: [1, -2, 3], prior: prior, rows: 1)
        for (a, b) in zip(found, [Float(0.1), 0.2, 0.3, 0.4]) { #expect(abs(a - b) < 1e-6) }
    }
}

@Suite struct TrainerTests {
    /// A fortnight of real records, small enough to train on in a second.
    private static let history = Fixtures.shippedHistory.before(Fixtures.moment("2025-02-01T00:00"))

    private static func plan(seed: UInt64) -> TrainingPlan {
        var plan = TrainingPlan(
            history: history, validationFrom: Fixtures.moment("2025-01-28T00:00"),
            validationTo: Fixtures.moment("2025-01-30T00:00"))
        plan.teachers = 2
        plan.minutesBetweenIssueTimes = 60
        plan.boostingPasses = 1
        plan.boosting.trees = 8
        plan.boosting.leastRows = 20
        plan.settings.epochs = 2
        plan.settings.hiddenSizes = [16, 8]
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
        plan.minutesBetweenIssueTimes = 4
        plan.boosting.trees = 60
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
        let end = Fixtures.moment("2025-02-01T00:00")
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

    /// Records that are others from one moment to another.
    ///
    /// Half of them are gone, the rest are moved, there are new ones from a minute after the first
    /// moment on, and what was under way at that moment goes on longer.
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
                case .taught(let teacher, _): steps.append("teacher \(teacher)")
                case .epoch(let report): steps.append("epoch \(report.epoch)")
                }
            }
        }.run()
        #expect(
            steps.withLock { $0.sorted() }
                == ["epoch 1", "epoch 2", "sampled", "teacher 1", "teacher 2"])
    }

    @Test func inputsThatNeverVariedHaveNoSay() async {
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
        let from = Fixtures.moment("2026-02-20T12:00")
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
            // Without a delay, the quarter is left to some delay, whichever.
            #expect(abs(delayed - (bin == 0 ? 0 : 0.25)) < 1e-5)
            let own = bin == 0 ? 1 : targets[targets.startIndex + Int(bin)]
            #expect(own >= 0.6 * 0.25 - 1e-6)
        }
    }
}

@Suite struct RefitTests {
    private static let history = Fixtures.shippedHistory.before(Fixtures.moment("2025-02-01T00:00"))

    private static var recipe: TrainingPlan {
        let cut = Fixtures.moment("2025-01-28T00:00")
        var plan = TrainingPlan(history: history, validationFrom: cut, validationTo: cut)
        plan.teachers = 1
        plan.minutesBetweenIssueTimes = 30
        plan.boostingPasses = 1
        plan.boosting.trees = 20
        plan.boosting.leastRows = 50
        plan.settings.epochs = 2
        plan.settings.hiddenSizes = [16, 8]
        return plan
    }

    @Test func anOriginIsFittedToWhatCameBeforeItAndScoredOnWhatCameAfter() async throws {
        let cut = Fixtures.moment("2025-01-28T00:00")
        let evaluation = RefitEvaluation(history: Self.history, recipe: Self.recipe)
        let found = try #require(await evaluation.origin(at: cut, days: 2))
        #expect(found.origin.days == 2 && found.origin.skillByLead.count == 8)
        #expect(found.origin.skill.low <= found.origin.skill.value)
        // Other records after the cut change the scores but not one forecast of the first row.
        let emptied = OpeningHistory(
            records: Self.history.openings.flatMap(\.self).filter { $0.start < cut },
            coverage: Self.history.coverage)
        let quiet = try #require(
            await RefitEvaluation(history: emptied, recipe: Self.recipe).origin(at: cut, days: 2))
        let (a, b) = (found.rows.probabilities[.model], quiet.rows.probabilities[.model])
        #expect(a?.first == b?.first && a != b)
        #expect(
            try await evaluation.origin(at: Fixtures.moment("2016-01-01T00:00"), days: 2) == nil)
    }

    @Test func aBridgeWithoutHistoryGetsAPooledForecastOfLowConfidence() async throws {
        let cut = Fixtures.moment("2025-01-28T00:00")
        let evaluation = RefitEvaluation(history: Self.history, recipe: Self.recipe)
        let found = try #require(
            await evaluation.withoutHistory(
                of: Fixtures.bridge("Fremont"), scoring: cut..<cut.adding(minutes: 2880)))
        #expect(found.confidence == .low)
        #expect(found.rows == 2 * 288 * 8 && found.skillOverOwnRateByLead.count == 8)
        // Its own rate is not known, but that of other bridges is: the forecast is no nonsense.
        #expect(found.meanForecast > 0.003 && found.meanForecast < 0.1)
        // Its state is: two minutes ahead it beats the rate that it does not know.
        let soon = try #require(found.skillOverOwnRateByLead["2"])
        #expect(soon > 0.2)
    }
}

@Suite struct SamplerTests {
    private let history = Fixtures.shippedHistory

    @Test func rowsAreLabelledWithWhatHappened() {
        let climatology = RandomModel.climatology
        let sampler = Sampler(validatingOn: history, climatology: climatology)
        let from = Fixtures.moment("2026-02-20T00:00")
        let to = Fixtures.moment("2026-02-21T00:00")
        let samples = sampler.protocolRows(in: from..<to)
        // 288 issue times, 6 bridges with records, 8 leads, with and without queueing.
        #expect(samples.count == 288 * 6 * 8 * 2)
        let blocked = zip(samples.bins, samples.isUnqueued).count { $0.0 > 0 && $0.1 }
        let expected = BridgeIndex.all.reduce(0) { sum, bridge in
            guard history.coverage.contains(from, of: bridge) else { return sum }
            return sum
                + stride(from: 0, to: 1440, by: 5).reduce(0) { count, minute in
                    count
                        + Sampler.protocolLeadsMinutes.count { lead in
                            history.isBlocked(
                                at: from.adding(minutes: Double(minute) + lead), of: bridge)
                        }
                }
        }
        #expect(blocked == expected && blocked > 100)
    }

    @Test func trainingRowsCoverEveryBridgeWithRecordsAndIncompleteSituations() {
        var random = SeededRandom(seed: 2)
        let samples = Sampler(trainingOn: history).trainingRows(everyMinutes: 120, random: &random)
        let width = FeatureSchema.count
        for bridge in 0..<BridgeCatalogue.count {
            let count = (0..<samples.count).count {
                samples.batch.features[$0 * width + bridge] == 1
            }
            #expect(count > 200, "\(BridgeCatalogue.seattle[bridge].name)")
        }
        let known = FeatureSchema.features.firstIndex { $0.name == "own.stateKnown" } ?? 0
        let unknown = (0..<samples.count).count { samples.batch.features[$0 * width + known] == 0 }
        #expect(unknown > samples.count / 20 && unknown < samples.count / 4)
    }
}
