// Forecasts are those of the model, alone or in a batch, and a bad file never replaces a good one.
import BridgecastRoads
import BridgecastTestSupport
import Foundation
import Synchronization
import Testing
@testable import BridgecastCore
@testable import BridgecastEngine
@testable import BridgecastRouting

@Suite struct TrafficInferenceTests {
    private let issueTime = Fixtures.timestamp("2026-02-20T18:05")
    private var situation: Situation {
        SituationReader(Fixtures.shippedHistory).situation(at: issueTime)
    }

    @Test(arguments: InstructionSet.available)
    func forecastsDoNotDependOnWhatElseIsInTheBatch(_ set: InstructionSet) async throws {
        let inference = TrafficInference(
            try ModelFile.read(RandomModel.bytes(.int8)).packed(for: set))
        let requests = requests()
        let together = try await inference.forecast(requests, in: situation)
        #expect(together.count == requests.count)
        for (request, expected) in zip(requests, together) {
            let alone = try await inference.forecast([request], in: situation)
            for bin in 0..<DelayBins.count { #expect(abs(alone[0][bin] - expected[bin]) < 1e-6) }
        }
        #expect(try await inference.forecast([], in: situation).isEmpty)
    }

    @Test(arguments: InstructionSet.available)
    func computeUnitsAgree(_ set: InstructionSet) async throws {
        let model = try ModelFile.read(RandomModel.bytes(.int8)).packed(for: set)
        let reference = try await TrafficInference(model, computeUnits: .reference)
            .forecast(requests(), in: situation)
        for units in ComputeUnits.allCases {
            let found = try await TrafficInference(model, computeUnits: units)
                .forecast(requests(), in: situation)
            #expect(found.count == reference.count && !found.isEmpty)
            for (a, b) in zip(found, reference) {
                for bin in 0..<DelayBins.count { #expect(abs(a[bin] - b[bin]) < 1e-6) }
            }
        }
    }

    @Test(arguments: InstructionSet.available)
    func aTableHoldsTheForecastsOfItsGrid(_ set: InstructionSet) async throws {
        let inference = TrafficInference(
            try ModelFile.read(RandomModel.bytes(.fp32)).packed(for: set))
        let traffic = TrafficDensity()
        let table = try await inference.table(in: situation, reaching: 100, traffic: traffic)
        #expect((table.leadsMinutes.last ?? 0) >= 100)
        let fremont = Fixtures.bridge("Fremont")
        for lead in [0.0, 2, 15, 60] {
            let density = traffic.density(of: fremont, at: issueTime.adding(minutes: lead))
            let requests = [
                ForecastRequest(bridge: fremont, leadMinutes: lead, density: Float(density)),
                ForecastRequest(bridge: fremont, leadMinutes: lead, density: 0),
            ]
            let expected = try await inference.forecast(requests, in: situation)
            for (mode, forecast) in zip([Route.Mode.car, .bike], expected) {
                let found = try table.delay(at: fremont, leadMinutes: lead, mode: mode)
                for bin in 0..<DelayBins.count {
                    #expect(abs(found[bin] - forecast[bin]) < 1e-6)
                }
            }
        }
    }

    @Test func aBadFileLeavesTheOldModelServing() async throws {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let good = folder.appendingPathComponent("good.bcm")
        let bad = folder.appendingPathComponent("bad.bcm")
        let bytes = RandomModel.bytes(.int8, seed: 1)
        try Data(bytes).write(to: good)
        try Data(bytes.dropLast(10)).write(to: bad)
        let inference = try TrafficInference(contentsOf: good)
        let before = try await inference.forecast(requests(), in: situation)
        await #expect {
            try await inference.reload(contentsOf: bad)
        } throws: { error in
            guard case ModelFileError.refused(let file, _) = error else { return false }
            return file == bad.path && "\(error)".hasPrefix(bad.path)
        }
        let pipe = folder.appendingPathComponent("pipe")
        try #require(mkfifo(pipe.path, 0o600) == 0)
        await #expect(throws: ModelFileError.self) { try await inference.reload(contentsOf: pipe) }
        #expect(try await inference.forecast(requests(), in: situation) == before)
        try Data(RandomModel.bytes(.int8, seed: 2)).write(to: good)
        try await inference.reload(contentsOf: good)
        #expect(try await inference.forecast(requests(), in: situation) != before)
    }
}

@Suite struct ManyCallersTests {
    private let issueTime = Fixtures.timestamp("2026-02-20T18:05")
    private func rows(_ count: Int) -> FeatureBatch { RandomModel.rows(count) }

    @Test(arguments: InstructionSet.available)
    func concurrentCallersGetTheirOwnRows(_ set: InstructionSet) async throws {
        let model = try ModelFile.read(RandomModel.bytes(.int8)).packed(for: set)
        for window in [Duration.zero, .milliseconds(5)] {
            var options = InferenceOptions()
            options.coalescingWindow = window
            options.minRowsAlone = 40
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
        var options = InferenceOptions()
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
        _ = try await inference.predict(rows(options.minRowsAlone))
        #expect(inference.batchesRun == before + 1)
    }

    @Test func requestsBeyondTheLimitAreRefused() async throws {
        var options = InferenceOptions()
        options.maxRowsInFlight = 10
        let inference = TrafficInference(
            try ModelFile.read(RandomModel.bytes(.int8)), options: options)
        await #expect(throws: InferenceError.tooLarge(rows: 11, limit: 10)) {
            try await inference.predict(rows(11))
        }
        // What was refused does not count.
        #expect(try await inference.predict(rows(10)).count == 120)
    }

    /// Rows that wait fill the limit; the next ones are refused, and taken again when these are gone.
    @Test func requestsWithoutRoomAreAskedToRetry() async throws {
        var options = InferenceOptions()
        options.maxRowsInFlight = 130
        options.coalescingWindow = .seconds(3600)
        options.minRowsAlone = 130
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
        var options = InferenceOptions()
        options.coalescingWindow = .milliseconds(200)
        let inference = TrafficInference(
            try ModelFile.read(RandomModel.bytes(.int8)), options: options)
        let first = rows(3)
        let second = rows(5)
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
            for turn in 0..<30 { try await inference.reload(contentsOf: files[turn % 2]) }
            try await group.waitForAll()
        }
    }
}

@Suite struct SingleRowTests {
    private let reader = SituationReader(Fixtures.shippedHistory)

    @Test func aSingleForecastIsThatOfABatch() async throws {
        let model = try ModelFile.read(Fixtures.model("bridgecast.int8.bcm"))
        let inference = TrafficInference(model)
        for minute in [0.0, 7, 400, 7] {
            let situation = reader.situation(
                at: Fixtures.timestamp("2026-02-20T17:58").adding(minutes: minute))
            for lead in [0.0, 10, 10.4, 59, 60, 61, 300] {
                let requests = BridgeIndex.all.flatMap { bridge in
                    [Float(0), 0.4].map {
                        ForecastRequest(bridge: bridge, leadMinutes: lead, density: $0)
                    }
                }
                let together = try await inference.forecast(requests, in: situation)
                for (request, expected) in zip(requests, together) {
                    let alone = try inference.forecastNow(request, in: situation, by: model)
                    #expect(alone == expected, "\(request)")
                }
                #expect(
                    try inference.forecastNow(requests, in: situation, by: model) == together)
            }
        }
    }

    @Test func cachedRowsStayFew() throws {
        let situation = reader.situation(at: Fixtures.timestamp("2026-02-20T18:02"))
        let model = try ModelFile.read(Fixtures.model("bridgecast.int8.bcm"))
        let builder = FeatureBuilder(climatology: model.climatology)
        var batch = FeatureBatch()
        var most = 0
        for row in 0..<20_000 {
            batch.removeRows()
            builder.append(
                BridgeIndex.all[row % 7], leadMinutes: Double(row % 7_001) / 10, density: 0.3,
                in: situation, to: &batch)
            #expect(batch.rowCount == 1 && batch.priorLogits.count == DelayBins.count)
            most = max(most, batch.rows.listCount)
        }
        #expect(most > 1_000 && most < 4_200)
    }

    @Test func aSingleForecastIsByTheModelThatIsNamed() throws {
        let situation = reader.situation(at: Fixtures.timestamp("2026-02-20T18:02"))
        let (old, new) = try (
            ModelFile.read(RandomModel.bytes(.int8, seed: 1)),
            ModelFile.read(RandomModel.bytes(.int8, seed: 2))
        )
        let inference = TrafficInference(new)
        let request = requests()[0]
        let byNew = try inference.forecastNow(request, in: situation, by: new)
        let byOld = try inference.forecastNow(request, in: situation, by: old)
        #expect(byOld != byNew)
        #expect(try TrafficInference(old).forecastNow([request], in: situation)[0] == byOld)
    }

    @Test func aSingleRequestIsCheckedAndCounted() throws {
        let situation = reader.situation(at: Fixtures.timestamp("2026-02-20T18:02"))
        let inference = TrafficInference(try ModelFile.read(RandomModel.bytes(.int8)))
        var request = requests()[0]
        _ = try inference.forecastNow(request, in: situation, by: inference.model)
        #expect(inference.batchesRun == 1)
        request.leadMinutes = -1
        #expect(throws: InferenceError.lead(minutes: -1, request: 0)) {
            try inference.forecastNow(request, in: situation, by: inference.model)
        }
        request.leadMinutes = 1
        request.density = 1
        #expect(throws: InferenceError.density(1, request: 0)) {
            try inference.forecastNow(request, in: situation, by: inference.model)
        }
        #expect(throws: Never.self) { try inference.refuseUnlessAdmissible(65_536) }
    }
}

/// Every bridge soon, later and much later.
func requests() -> [ForecastRequest] {
    BridgeIndex.all.flatMap { bridge in
        [2.0, 20, 45].map { ForecastRequest(bridge: bridge, leadMinutes: $0, density: 0.2) }
    }
}

extension LoadedModel {
    /// The same model, packed for an instruction set.
    func packed(for instructionSet: InstructionSet) -> LoadedModel {
        LoadedModel(
            header: header, climatology: climatology,
            network: CompiledNetwork(
                network.normalisation, network.layers, instructionSet: instructionSet))
    }
}

@Suite struct ClosedWindowTests {
    /// In closed windows a bridge hardly opens; the delay then must not be that of the boats which wait for its end.
    ///
    /// So it is at most twice and a half that of the bridge's openings at all hours. Where fewer than one arrival in a
    /// hundred is stopped, the length of a stop rests on few cases, and is not shown.
    @Test(arguments: ["2026-02-24", "2026-07-21"])
    func theDelayAtTheEndOfAClosedWindowIsThatOfAnOpening(_ day: String) async throws {
        let inference = TrafficInference(try ModelFile.read(Fixtures.model("bridgecast.int8.bcm")))
        let date = SeattleTime.civil(at: Fixtures.timestamp("\(day)T12:00")).date
        let climatology = inference.model.climatology
        var windows = 0
        for bridge in BridgeIndex.all {
            for window in BridgeCatalogue[bridge].rules.closedPeriods(on: date) {
                windows += 1
                for minutes in [15.0, 10, 5, 1] {
                    let time = window.upperBound.adding(minutes: -minutes)
                    let delays = try await inference.forecast(
                        [0, 0.3].map {
                            ForecastRequest(bridge: bridge, leadMinutes: 0, density: $0)
                        }, in: .unknown(at: time))
                    let usual = climatology.delay(bridge, openProbability: 0.05, density: 0)
                    for delay in delays where delay.probabilityDelayed >= 0.01 {
                        #expect(
                            delay.expectedSecondsIfDelayed < 2.5 * usual.expectedSecondsIfDelayed,
                            "\(bridge), \(minutes) min before \(TimeText.rfc3339(window.upperBound))"
                        )
                    }
                }
            }
        }
        // Four bridges of the canal, two of the Duwamish, morning and evening.
        #expect(windows == 12)
    }
}
