// What follows a failure, the condition of a network, and when a favourite is refreshed: rules, and the shared vectors.
import BridgecastTestSupport
import Foundation
import Testing

@testable import BridgecastSupport

/// A failure of each property that the policy looks at.
private struct Sample: Failure {
    var kind: FailureKind
    var isMadeGood = false
    var retryAfterSeconds: Double?
    let description = "it broke"
}

@Suite struct RecoveryPolicyTests {
    private let policy = RecoveryPolicy(
        Backoff(firstSeconds: 2, maxSeconds: 10), maxFailures: 4, maxRestSeconds: 60)

    @Test func `each of the four results has its cause`() {
        let good = Sample(kind: .unavailable, isMadeGood: true)
        #expect(policy.result(after: good, failures: 1) == .recovered)
        #expect(
            policy.result(after: Sample(kind: .software), failures: 1)
                == .criticalFailure(message: "it broke"))
        for kind in [FailureKind.usage, .data, .missing, .unavailable] {
            #expect(
                policy.result(after: Sample(kind: kind), failures: 1)
                    == .userActionRequired(message: "it broke"))
        }
        for kind in [FailureKind.busy, .io, .interrupted] {
            #expect(
                (1...4).map { policy.result(after: Sample(kind: kind), failures: $0) } == [
                    .retryScheduled(after: 2), .retryScheduled(after: 4),
                    .retryScheduled(after: 8), .userActionRequired(message: "it broke"),
                ])
        }
    }

    @Test func `the pause that the other side asks for is observed, up to a limit`() {
        let busy = Sample(kind: .io, retryAfterSeconds: 30)
        let rude = Sample(kind: .io, retryAfterSeconds: 600)
        #expect(policy.result(after: busy, failures: 1).retrySeconds == 30)
        #expect(policy.result(after: rude, failures: 1).retrySeconds == 60)
        var strict = policy
        strict.endsAtLongRest = true
        #expect(
            strict.result(after: rude, failures: 1) == .userActionRequired(message: "it broke"))
    }

    @Test(arguments: 0..<200) func `waits grow with failures and stay within their bounds`(
        seed: UInt64
    ) {
        var generator = SeededGenerator(seed: seed)
        let backoff = Backoff(
            firstSeconds: .random(in: 0.1...30, using: &generator),
            maxSeconds: .random(in: 30...900, using: &generator),
            randomShare: .random(in: 0...1, using: &generator))
        let random = Double.random(in: 0..<1, using: &generator)
        let waits = (0...70).map { backoff.seconds(failures: $0, random: random) }
        #expect(waits[0] == 0 && waits == waits.sorted())
        #expect(waits.allSatisfy { $0 <= backoff.maxSeconds })
        #expect(waits[1] >= backoff.firstSeconds * (1 - backoff.randomShare) - 1e-9)
    }

    @Test(arguments: FailureKind.allCases)
    func `every kind of failure has a recovery that is a sentence`(kind: FailureKind) {
        let recovery = Sample(kind: kind).recovery
        #expect(recovery.first?.isUppercase == true && recovery.hasSuffix("."))
    }
}

/// The vectors that the page is tested with as well.
private struct Vectors: Decodable {
    struct Refresh: Decodable {
        let interval: Double?
        let departure: Double?
        let condition: String
        let seconds: Double?
    }

    struct Network: Decodable {
        let requests: [Double?]
        let conditions: [String]
    }

    let adaptive: [Refresh]
    let network: [Network]

    static func read() throws -> Vectors {
        let url = Fixtures.checkout.appendingPathComponent("Tests/Samples/refresh/vectors.json")
        return try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: url))
    }
}

@Suite struct AdaptiveRefreshTests {
    @Test func `a favourite is refreshed as the shared vectors say`() throws {
        for vector in try Vectors.read().adaptive {
            let condition = try #require(NetworkCondition(rawValue: vector.condition))
            let seconds = AdaptiveRefresh.seconds(
                interval: vector.interval, departure: vector.departure, condition: condition)
            #expect(seconds == vector.seconds, "\(vector)")
        }
    }

    @Test(arguments: 0..<500)
    func `it is sooner before a departure, later on a worse network, and never while manual`(
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        let interval = Double.random(in: 60...900, using: &generator)
        let departure = Double.random(in: -300...7_200, using: &generator)
        let conditions = NetworkCondition.allCases
        func seconds(_ departure: Double?, _ condition: NetworkCondition) throws -> Double {
            try #require(
                AdaptiveRefresh.seconds(
                    interval: interval, departure: departure, condition: condition))
        }
        for condition in conditions {
            let regular = try seconds(nil, condition)
            let near = try seconds(departure, condition)
            #expect(near <= regular && near >= AdaptiveRefresh.minSeconds)
            #expect(near <= AdaptiveRefresh.maxSeconds)
            let nearer = try seconds(max(0, departure - 60), condition)
            #expect(departure < 0 || nearer <= near)
            #expect(
                AdaptiveRefresh.seconds(
                    interval: nil, departure: departure, condition: condition) == nil)
        }
        let byCondition = try conditions.map { try seconds(departure, $0) }
        #expect(byCondition == byCondition.sorted())
        #expect(try seconds(nil, .good) == interval)
    }
}

@Suite struct NetworkMeterTests {
    @Test func `the condition is as the shared vectors say`() throws {
        for vector in try Vectors.read().network {
            var meter = NetworkMeter()
            let found = vector.requests.map { seconds in
                meter.record(seconds: seconds)
                return meter.condition.rawValue
            }
            #expect(found == vector.conditions)
        }
    }

    @Test func `a condition does not flap at its limit`() {
        var meter = NetworkMeter()
        for seconds in [1.1, 0.9, 1.1, 0.9, 1.1, 0.9, 0.9, 0.9, 0.9] {
            meter.record(seconds: seconds)
            #expect(meter.condition == .slow, "\(seconds)")
        }
        for _ in 0..<NetworkMeter.window { meter.record(seconds: 0.2) }
        #expect(meter.condition == .good)
        for _ in 0..<NetworkMeter.offlineFailures { meter.record(seconds: nil) }
        #expect(meter.condition == .offline)
        meter.record(seconds: 0.2)
        #expect(meter.condition == .poor, "an answer ends it, at once")
    }
}
