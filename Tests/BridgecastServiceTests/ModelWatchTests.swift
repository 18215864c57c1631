// The model's file changes while the service runs; answers stay consistent with one model.
import BridgecastAnswers
import BridgecastCore
import BridgecastEngine
import BridgecastLive
import BridgecastObservation
import BridgecastSupport
import BridgecastTestSupport
import Foundation
import HTTPTypes
import Testing
@testable import BridgecastService

@Suite struct ModelWatchTests {
    private let folder: URL
    private var file: URL { folder.appendingPathComponent("model.bcm") }
    private let int8 = Fixtures.model("bridgecast.int8.bcm")
    private let fp16 = Fixtures.model("bridgecast.fp16.bcm")

    init() throws { folder = try Fixtures.temporaryFolder() }

    /// A watch over a copy of the int8 model.
    private func watch() throws -> (ModelWatch, ServiceParts) {
        try put(Data(contentsOf: int8))
        var parts = try ServiceFixture.parts()
        parts.modelURL = file
        parts.modelDigest = try ModelFile.readNamed(file).digest
        return (ModelWatch(parts), parts)
    }

    /// In the file's place at once, as a careful copy does it; another inode makes it another file.
    private func put(_ bytes: Data) throws { try bytes.write(to: file, options: .atomic) }

    @Test func aNewFileIsLoadedAndReported() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (models, parts) = try watch()
        #expect(models.look() == .unchanged)
        let before = try #require(models.status.digest)
        try put(Data(contentsOf: fp16))
        guard case .loaded(let digest) = models.look() else {
            Issue.record("the new file was not taken over")
            return
        }
        #expect(digest != before && models.status.digest == digest)
        #expect(parts.inference.model.header.weightFormat == .fp16)
        #expect(models.status.reloads == 1 && models.status.refusal == nil)
        var changes = models.changes.makeAsyncIterator()
        #expect(await changes.next() != nil)
        #expect(models.look() == .unchanged)
        #expect(parts.metrics.text().contains("bridgecast_model_reloads_total 1.0"))
    }

    @Test func aFileReplacedBeforeTheFirstCheckIsLoaded() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var parts = try ServiceFixture.parts()
        parts.modelURL = file
        parts.modelDigest = try ModelFile.readNamed(int8).digest
        // Exchanged after the model was read, before it is watched.
        try put(Data(contentsOf: fp16))
        let models = ModelWatch(parts)
        #expect(models.named.digest == parts.modelDigest)
        let digest = try ModelFile.readNamed(fp16).digest
        #expect(models.look() == .loaded(digest: digest))
        #expect(models.named.digest == digest)
        #expect(models.named.model.header.weightFormat == .fp16)
    }

    @Test func aTruncatedFileKeepsTheOldModelInUse() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (models, parts) = try watch()
        let whole = try Data(contentsOf: int8)
        try put(whole.prefix(whole.count / 2))
        guard case .refused(let reason) = models.look() else {
            Issue.record("half a file was taken over")
            return
        }
        #expect(!reason.contains(folder.path))
        #expect(models.status.refusal?.reason == reason && models.status.refusals == 1)
        #expect(parts.inference.model.header.weightFormat == .int8)
        #expect(parts.metrics.text().contains("bridgecast_model_refused 1.0"))
        // The same bad file is refused once, not every second.
        #expect(models.look() == .unchanged && models.status.refusals == 1)
        try put(whole)
        #expect(models.look() == .unchanged && models.status.refusal == nil)
        #expect(parts.metrics.text().contains("bridgecast_model_refused 0.0"))
    }

    @Test func aMissingFileIsRefusedWithoutItsPath() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (models, _) = try watch()
        try FileManager.default.removeItem(at: file)
        #expect(models.look() == .refused("there is no model file"))
        #expect(models.reload() == .refused("there is no model file"))
        #expect(models.status.refusals == 2)
    }

    @Test func aForcedReloadReadsTheSameFileAgain() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (models, _) = try watch()
        let digest = try #require(models.status.digest)
        #expect(models.reload() == .loaded(digest: digest))
        #expect(models.status.reloads == 1)
    }

    @Test func concurrentReloadsLeaveAWorkingModel() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (models, parts) = try watch()
        let files = [try Data(contentsOf: int8), try Data(contentsOf: fp16)]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for round in 0..<8 {
                group.addTask {
                    try put(files[round % 2])
                    models.reload()
                }
            }
            try await group.waitForAll()
        }
        #expect(models.status.reloads == 8 && models.status.refusals == 0)
        models.reload()
        let inUse = parts.inference.model.header.weightFormat
        #expect(try ModelFile.read(file).header.weightFormat == inUse)
    }
}

@Suite struct OneModelTests {
    /// A question whose answer takes forecasts beyond the board's own.
    struct Question: Sendable, CustomTestStringConvertible {
        let path: String
        let query: String
        var pathValues: [String] = []
        var body = ""

        var testDescription: String { "\(path)?\(query)" }

        func bytes(from state: ServiceState) async throws -> [UInt8] {
            ServiceFixture.bytes(
                try await ServiceFixture.answer(
                    path, query, method: body.isEmpty ? .get : .post, pathValues: pathValues,
                    body: Array(body.utf8),
                    from: state))
        }
    }

    private static let candidate = """
        {"routes": [{"id": "a", "name": "A", "origin": "Home", "destination": "Work", \
        "steps": [{"minutes": 5}, {"bridge": "Ballard"}, {"minutes": 9}]}]}
        """
    private static let questions = [
        Question(
            path: "/api/v1/bridges/{id}", query: "hours=4&at=2026-02-20T18:30",
            pathValues: ["Ballard"]),
        Question(path: "/api/v1/routes", query: "from=Ballard&to=Downtown"),
        Question(
            path: "/api/v1/depart", query: "from=Ballard&to=Downtown&arrive_by=2026-02-20T19:00"),
        Question(
            path: "/api/v1/routes/rank", query: "detail=summary&depart=2026-02-20T21:00",
            body: candidate),
        Question(path: "/api/v1/routes/rank", query: "detail=full", body: candidate),
    ]

    private func otherModel() throws -> LoadedModel {
        try ModelFile.read(Fixtures.model("validation/bridgecast.int8.bcm"))
    }

    @Test(arguments: questions)
    func anAnswerUsesItsSnapshotsModel(_ question: Question) async throws {
        let state = try await ServiceFixture.state()
        let before = try await question.bytes(from: state)
        state.parts.inference.use(try otherModel())
        #expect(try await question.bytes(from: state) == before)
        // A board by the other model says something else, so the question does ask the model.
        let forecaster = try LiveForecaster(
            state.parts.inference, history: Fixtures.shippedHistory,
            reachMinutes: LivePipeline.reachMinutes)
        let update = try await forecaster.update(
            nil, traffic: LiveTraffic(), at: ServiceFixture.evening)
        state.show(
            BridgesSnapshot(
                madeAt: ServiceFixture.evening, update: update, feeds: [], phase: .ready)
        )
        #expect(try await question.bytes(from: state) != before)
    }

    @Test func aDayUsesOneModel() async throws {
        let now = ServiceFixture.evening
        let history = Fixtures.shippedHistory
        let date = try #require(CivilDate(year: 2026, month: 2, day: 18))
        func day(_ serving: LoadedModel, by model: LoadedModel) async throws -> [UInt8] {
            let day = try await DayDocument.make(
                date, at: now, history: history, reader: SituationReader(history),
                openings: OpeningList(history, at: now), inference: TrafficInference(serving),
                model: model)
            return try #require(day).jsonBytes()
        }
        let first = try ServiceFixture.parts().inference.model
        let second = try otherModel()
        let expected = try await day(first, by: first)
        #expect(try await day(second, by: first) == expected)
        #expect(try await day(second, by: second) != expected)
    }
}
