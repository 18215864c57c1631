// A model's file that changes while the service runs: whole ones are taken over, others keep the old one.
import BridgecastEngine
import BridgecastLive
import BridgecastTestSupport
import Foundation
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

    @Test func aNewFileIsTakenOverAndTold() async throws {
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

    @Test func aFileExchangedBeforeTheFirstLookIsNotTakenForTheOneInUse() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var parts = try ServiceFixture.parts()
        (parts.modelURL, parts.modelDigest) = (file, try ModelFile.readNamed(int8).digest)
        // Exchanged after the model was read, before anybody watches.
        try put(Data(contentsOf: fp16))
        let models = ModelWatch(parts)
        #expect(models.named.digest == parts.modelDigest)
        let digest = try ModelFile.readNamed(fp16).digest
        #expect(models.look() == .loaded(digest: digest))
        #expect(models.named.digest == digest)
        #expect(models.named.model.header.weightFormat == .fp16)
    }

    @Test func aTruncatedFileKeepsTheOldModelUntilAWholeOneComes() throws {
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

    @Test func aFileThatIsGoneIsARefusalWithoutItsPath() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (models, _) = try watch()
        try FileManager.default.removeItem(at: file)
        #expect(models.look() == .refused("there is no model file"))
        #expect(models.reload() == .refused("there is no model file"))
        #expect(models.status.refusals == 2)
    }

    @Test func aReloadThatIsAskedForTakesTheSameFileOnceMore() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (models, _) = try watch()
        let digest = try #require(models.status.digest)
        #expect(models.reload() == .loaded(digest: digest))
        #expect(models.status.reloads == 1)
    }

    @Test func manyReloadsAtOnceLeaveAModelThatServes() async throws {
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
