// Learning: gradients against finite differences, determinism, and what an untrained network says.
import BridgecastCore
import BridgecastEngine
import BridgecastTestSupport
import BridgecastTraining
import Foundation
import Synchronization
import Testing

@Suite struct GradientTests {
    @Test func gradientsAgreeWithFiniteDifferences() {
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
            return raw.map { $0 / raw.reduce(0, +) }
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

    @Test func trainingBeatsThePriorOnLaterDays() async {
        var plan = Self.plan(seed: 1)
        plan.minutesBetweenIssueTimes = 8
        plan.settings.epochs = 4
        let trained = await ModelTraining(plan) { _ in }.run().validated
        #expect(trained.validationLoss < 0.97 * trained.priorValidationLoss)
    }

    @Test func nothingFromTheValidationPeriodOnReachesTheFit() async {
        // The same records up to the validation period; after it, everything is different.
        let plan = Self.plan(seed: 5)
        var other = plan
        let later = plan.history.openings.flatMap(\.self).filter { $0.start >= plan.validationTo }
        #expect(!later.isEmpty)
        other.history = OpeningHistory(
            records: plan.history.openings.flatMap(\.self).filter {
                $0.start < plan.validationTo.adding(minutes: -60)
            }, coverage: plan.history.coverage)
        other.settings.patience = 100
        var same = plan
        same.settings.patience = 100
        same.settings.epochs = 1
        other.settings.epochs = 1
        let a = await ModelTraining(same) { _ in }.run().validated
        let b = await ModelTraining(other) { _ in }.run().validated
        #expect(a.layers == b.layers && a.climatology == b.climatology)
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

    @Test func progressIsReportedForEveryNetworkAndEpoch() async {
        let steps = Steps()
        _ = await ModelTraining(Self.plan(seed: 5)) { steps.add($0) }.run()
        #expect(steps.epochs == ["teacher 1": 2, "teacher 2": 2, "network": 2])
        #expect(steps.sampled == 1)
    }
}

/// Counts what a training reports.
private final class Steps: Sendable {
    private let state = Mutex((epochs: [String: Int](), sampled: 0))
    var epochs: [String: Int] { state.withLock { $0.epochs } }
    var sampled: Int { state.withLock { $0.sampled } }

    func add(_ progress: TrainingProgress) {
        state.withLock { state in
            switch progress {
            case .sampled: state.sampled += 1
            case .epoch(let network, _): state.epochs[network, default: 0] += 1
            case .finished: break
            }
        }
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
