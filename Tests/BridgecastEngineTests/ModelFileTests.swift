// Model files are written and read back, from disk and from pipes, and what is none or is damaged is refused.
@testable import BridgecastEngine
import BridgecastTestSupport
import BridgecastTraining
import Foundation
import Testing

@Suite struct ModelFileTests {
    @Test(arguments: WeightFormat.allCases) func writingIsDeterministicAndReadsBack(
        _ format: WeightFormat
    ) throws {
        let bytes = RandomModel.bytes(format)
        #expect(bytes == RandomModel.bytes(format))
        let model = try ModelFile.read(bytes)
        let draft = RandomModel.draft(hidden: [32, 16], seed: 7)
        #expect(model.header.weightFormat == format)
        #expect(model.header.provenance == draft.provenance)
        #expect(model.network.normalisation == draft.normalisation)
        #expect(model.climatology == draft.climatology)
        if case .float(let layers) = model.network.layers, format == .fp32 {
            #expect(layers == draft.layers)
        }
        for tensor in model.header.tensors { #expect(tensor.offset % 64 == 0) }
    }

    @Test func filesAreReadFromDiskAndMissingOnesNamed() throws {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent("m.bcm")
        try Data(RandomModel.bytes(.int8)).write(to: url)
        #expect(try ModelFile.read(url).header.name == "random")
        #expect(throws: ModelFileError.self) {
            try ModelFile.read(folder.appendingPathComponent("none.bcm"))
        }
    }

    @Test func aPipeIsReadAndOneThatNobodyWritesIsNotWaitedFor() throws {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let pipe = folder.appendingPathComponent("pipe")
        #expect(unsafe mkfifo(pipe.path, 0o600) == 0)
        let error = #expect(throws: ModelFileError.self) {
            try ModelFile.bytes(of: pipe, longestWaitSeconds: 0.05)
        }
        #expect("\(String(describing: error))".contains("no byte has come"))
        let model = RandomModel.bytes(.int8)
        Thread.detachNewThread { try? Data(model).write(to: pipe) }
        #expect(try ModelFile.bytes(of: pipe) == model)
    }

    @Test func refusesWhatIsNoModelFile() {
        let bytes = RandomModel.bytes(.int8)
        #expect(refusal([]) == .tooShort(bytes: 0, least: 56))
        #expect(refusal(Array(bytes.prefix(5))) == .tooShort(bytes: 5, least: 56))
        #expect(refusal(Array(bytes.prefix(40))) == .tooShort(bytes: 40, least: 56))
        #expect(refusal(Array("{\"json\": true}".utf8)) == .notAModelFile)
        #expect(
            refusal(
                RejectedFiles.edited(bytes) {
                    ($0[8], $0[11]) = ($0[11], $0[8])
                }) == .byteSwapped)
        #expect(
            refusal(RejectedFiles.edited(bytes) { $0[8] = 3 })
                == .unsupportedVersion(found: 3, supported: 2))
        #expect(refusal(RejectedFiles.edited(bytes) { $0[13] = 1 }) == .reservedBytesNotZero)
        #expect(
            refusal(RejectedFiles.edited(bytes) { $0[19] = 1 })
                == .headerTooLong(
                    bytes: bytes[16..<24].reversed().reduce(0) { $0 << 8 | UInt64($1) } | 1 << 24,
                    most: 1 << 20))
        if case .headerTruncated = refusal(
            RejectedFiles.edited(Array(bytes.prefix(2_000))) { _ in })
        {
        } else {
            Issue.record("a header that runs past the end must be refused as such")
        }
    }

    @Test func refusesDamage() {
        var bytes = RandomModel.bytes(.int8)
        bytes[bytes.count / 2] ^= 0x10
        if case .digestMismatch = refusal(bytes) {
        } else {
            Issue.record("a flipped bit must be refused by the digest")
        }
        let cut = Array(RandomModel.bytes(.int8).dropLast(100))
        if case .digestMismatch = refusal(cut) {
        } else {
            Issue.record("a cut file must be refused by the digest")
        }
    }

    @Test func everyErrorSaysSomething() {
        for error in [
            ModelFileError.notAModelFile, .tooShort(bytes: 1, least: 56), .missingTensor("a"),
            .sumsTooLarge(layer: 1), .binsMismatch(file: []), .paddingNotZero(offset: 3),
        ] {
            #expect(error.description.count > 10)
        }
    }
}
