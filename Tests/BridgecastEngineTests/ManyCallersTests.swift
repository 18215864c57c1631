// Many callers at once: each gets its own rows, whoever finds no room is told, and a reload mixes no models.
@testable import BridgecastCore
@testable import BridgecastEngine
import BridgecastRoads
import BridgecastTestSupport
import Foundation
import Synchronization
import Testing

@Suite struct ManyCallersTests {
    private let issueTime = Fixtures.moment("2026-02-20T18:05")
    private func rows(_ count: Int) -> FeatureBatch { RandomModel.rows(count) }

    @Test(arguments: InstructionSet.available)
    func concurrentCallersGetTheirOwnRows(_ set: InstructionSet) async throws {
        let model = try ModelFile.read(RandomModel.bytes(.int8)).packed(for: set)
        for window in [Duration.zero, .milliseconds(5)] {
            var options = ServiceOptions()
            options.coalescingWindow = window
            options.leastRowsAlone = 40
            let inference = TrafficInference(model, options: options)
            // Some join a batch, some are large enough to run alone.
            let batches = (1...60).map { rows($0) }
            let results = try await withThrowingTaskGroup(of: (Int, [Float]).self) { group in
                for (index, batch) in batches.enumerated() {
                    group.addTask { (index, try await inference.predict(batch)) }
                }
                return try await group.reduce(into: [Int: [Float]]()) { $0[$1.0] = $1.1 }
            }
            for (index, batch) in batches.enumerated() {
                var workspace = Workspace()
                var expected: [Float] = []
                model.predict(batch, into: &expected, workspace: &workspace)
                let found = try #require(results[index])
                let isSame = zip(found, expected).allSatisfy { abs($0 - $1) < 1e-6 }
                #expect(found.count == expected.count && isSame)
            }
        }
    }

    @Test func requestsThatComeTogetherShareABatch() async throws {
        var options = ServiceOptions()
        options.coalescingWindow = .milliseconds(50)
        let inference = TrafficInference(
            try ModelFile.read(RandomModel.bytes(.int8)), options: options)
        let batch = rows(2)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 { group.addTask { _ = try await inference.predict(batch) } }
            try await group.waitForAll()
        }
        #expect((1..<50).contains(inference.batchesRun))
        // A large one runs by itself.
        let before = inference.batchesRun
        _ = try await inference.predict(rows(options.leastRowsAlone))
        #expect(inference.batchesRun == before + 1)
    }

    @Test func requestsBeyondTheLimitAreRefused() async throws {
        var options = ServiceOptions()
        options.mostRowsInFlight = 10
        let inference = TrafficInference(
            try ModelFile.read(RandomModel.bytes(.int8)), options: options)
        await #expect(throws: InferenceError.tooLarge(rows: 11, limit: 10)) {
            try await inference.predict(rows(11))
        }
        // What was refused does not count.
        #expect(try await inference.predict(rows(10)).count == 120)
    }

    /// Rows that wait fill the limit; the next ones are refused, and taken again when these are gone.
    @Test func requestsThatFindNoRoomAreToldToComeAgain() async throws {
        var options = ServiceOptions()
        (options.mostRowsInFlight, options.coalescingWindow) = (130, .seconds(3600))
        options.leastRowsAlone = 130
        let inference = TrafficInference(
            try ModelFile.read(RandomModel.bytes(.int8)), options: options)
        let waiting = Task { try await inference.predict(rows(120)) }
        let full = InferenceError.overloaded(rowsInFlight: 120, limit: 130)
        while inference.rowsInFlight.load(ordering: .relaxed) < 120 { await Task.yield() }
        await #expect(throws: full) { try await inference.predict(rows(11)) }
        let situation = Situation.unknown(at: issueTime)
        await #expect(throws: full) {
            try await inference.forecast(
                Array(repeating: requests()[0], count: 11), in: situation)
        }
        await #expect(throws: full) {
            try await inference.table(in: situation, reaching: 60, modes: [.car])
        }
        await #expect(throws: RankingError.forecast(full)) {
            try await inference.rank(
                Fixtures.seattle.trip(from: "Ballard", to: "Downtown"),
                by: RoutePlanner(Fixtures.seattle), leaving: issueTime, in: situation)
        }
        waiting.cancel()
        await #expect(throws: InferenceError.cancelled) { try await waiting.value }
        #expect(try await inference.predict(rows(130)).count == 1_560)
    }

    @Test func aCancelledRequestLeavesTheOthersAlone() async throws {
        var options = ServiceOptions()
        options.coalescingWindow = .milliseconds(200)
        let inference = TrafficInference(
            try ModelFile.read(RandomModel.bytes(.int8)), options: options)
        let (first, second) = (rows(3), rows(5))
        let cancelled = Task { try await inference.predict(first) }
        let kept = Task { try await inference.predict(second) }
        cancelled.cancel()
        await #expect(throws: InferenceError.cancelled) { try await cancelled.value }
        #expect(try await kept.value.count == 60)
    }

    @Test func reloadingUnderLoadMixesNoModels() async throws {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = try [UInt64(1), 2].map { seed in
            let url = folder.appendingPathComponent("\(seed).bcm")
            try Data(RandomModel.bytes(.int8, seed: seed)).write(to: url)
            return url
        }
        let batch = rows(9)
        let answers = try files.map { url in
            var workspace = Workspace()
            var output: [Float] = []
            try ModelFile.read(url).predict(batch, into: &output, workspace: &workspace)
            return output
        }
        let inference = try TrafficInference(contentsOf: files[0])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<200 {
                        let found = try await inference.predict(batch)
                        let isOne = answers.contains { answer in
                            zip(found, answer).allSatisfy { abs($0 - $1) < 1e-6 }
                        }
                        #expect(isOne)
                    }
                }
            }
            for turn in 0..<30 { try inference.reload(contentsOf: files[turn % 2]) }
            try await group.waitForAll()
        }
    }
}
