// Model files are written and read back, from disk and from pipes, and what is none or is damaged is refused.
import BridgecastSupport
import BridgecastTestSupport
import BridgecastTraining
import Foundation
import Testing
@testable import BridgecastCore
@testable import BridgecastEngine

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

    @Test func aPipeIsReadAndOneWithoutAWriterIsNotAwaited() throws {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let pipe = folder.appendingPathComponent("pipe")
        #expect(unsafe mkfifo(pipe.path, 0o600) == 0)
        let error = #expect(throws: ModelFileError.self) {
            try ModelFile.bytes(of: pipe, pipes: .awaitedAtMost(seconds: 0.05))
        }
        #expect("\(String(describing: error))".contains("nothing was written"))
        let model = RandomModel.bytes(.int8)
        Thread.detachNewThread { try? Data(model).write(to: pipe) }
        #expect(try ModelFile.bytes(of: pipe) == model)
    }

    @Test func refusesWhatIsNoModelFile() {
        let bytes = RandomModel.bytes(.int8)
        #expect(refusal([]) == .tooShort(bytes: 0, min: 56))
        #expect(refusal(Array(bytes.prefix(5))) == .tooShort(bytes: 5, min: 56))
        #expect(refusal(Array(bytes.prefix(40))) == .tooShort(bytes: 40, min: 56))
        #expect(refusal(Array("{\"json\": true}".utf8)) == .notAModelFile)
        #expect(
            refusal(
                RejectedFiles.edited(bytes) { $0.swapAt(8, 11) }) == .byteSwapped)
        #expect(
            refusal(RejectedFiles.edited(bytes) { $0[8] = 4 })
                == .unsupportedVersion(found: 4, supported: 3))
        #expect(refusal(RejectedFiles.edited(bytes) { $0[13] = 1 }) == .reservedBytesNotZero)
        #expect(
            refusal(RejectedFiles.edited(bytes) { $0[19] = 1 })
                == .headerTooLong(
                    bytes: bytes[16..<24].reversed().reduce(0) { $0 << 8 | UInt64($1) } | 1 << 24,
                    max: 1 << 20))
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

    @Test func everyErrorHasADescription() {
        for error in [
            ModelFileError.notAModelFile, .tooShort(bytes: 1, min: 56), .missingTensor("a"),
            .sumsTooLarge(layer: 1), .binsMismatch(file: []), .paddingNotZero(offset: 3),
        ] {
            #expect(error.description.count > 10)
        }
    }
}

@Suite struct ModelFileHeaderTests {
    @Test func refusesTextsThatAreNoHeader() {
        #expect(refusal(withHeader { $0 = "{" }) == .headerUnreadable(reason: "it is not JSON"))
        #expect(
            refusal(
                withHeader { $0 = $0.replacingOccurrences(of: "\"layers\":", with: "\"leyers\":") })
                == .headerUnreadable(reason: "field layers is missing"))
        #expect(
            refusal(
                withHeader {
                    $0 = $0.replacingOccurrences(of: "\"name\":\"random\"", with: "\"name\":12")
                })
                == .headerUnreadable(reason: "field name has the wrong type: a string is needed"))
    }

    @Test func refusesAnotherSchemaWithBothHashes() throws {
        let own = ModelHeader.text(ofHash: FeatureSchema.hash)
        let other = "0123456789abcdef"
        #expect(
            refusal(withHeader { $0 = $0.replacingOccurrences(of: own, with: other) })
                == .schemaHashWrong(stored: other, listed: own))
        let renamed = refusal(
            withHeader {
                $0 = $0.replacingOccurrences(of: "\"unit\":\"flag\"", with: "\"unit\":\"flaw\"")
            })
        if case .schemaHashWrong(own, _) = renamed {
        } else {
            Issue.record("other units must change the hash, not \(String(describing: renamed))")
        }
        // A network of other inputs is one, but no forecast of bridges.
        let layers = RandomNetwork.layers([5, 4, 3], seed: 1)
        var draft = RandomModel.draft(hidden: [4], seed: 1)
        draft.layers = layers
        draft.climatology = nil
        draft.normalisation = RandomNetwork.normalisation(5, seed: 2)
        let bytes = ModelFile.bytes(of: draft, as: .fp32)
        let (header, network) = try ModelFile.readNetwork(bytes)
        #expect(network.inputs == 5 && network.outputs == 3 && header.bridges.isEmpty)
        #expect(refusal(bytes) == .schemaMismatch(file: header.schemaHash, builder: own))
    }

    @Test func refusesOtherBinsBridgesAndLayers() {
        #expect(
            refusal(withHeader { $0 = $0.replacingOccurrences(of: "[0,1,2,3,", with: "[0,1,2,4,") })
                == .binsMismatch(file: [0, 1, 2, 4, 4, 5, 6, 8, 10, 15, 30]))
        #expect(
            refusal(
                withHeader { $0 = $0.replacingOccurrences(of: "{\"id\":21,", with: "{\"id\":22,") })
                == .bridgesMismatch(file: ["2", "3", "22", "4", "6", "1", "29"]))
        let layers = refusal(
            withHeader {
                $0 = $0.replacingOccurrences(of: "\"outputs\":16", with: "\"outputs\":17")
            })
        #expect(layers == .badLayers(reason: "layer 2 takes 16, but gets 17"))
        let relu = refusal(
            withHeader { $0 = $0.replacingOccurrences(of: "\"relu\":false", with: "\"relu\":true") }
        )
        #expect(relu == .badLayers(reason: "ReLU belongs after every layer but the last"))
    }

    @Test func refusesImpossibleFields() {
        #expect(
            refusal(
                withHeader {
                    $0 = $0.replacingOccurrences(of: "\"inputLimit\":6", with: "\"inputLimit\":0")
                })
                == .valueOutOfRange(field: "inputLimit", reason: "must be above zero"))
        #expect(
            refusal(
                withHeader {
                    $0 = $0.replacingOccurrences(
                        of: "\"inputZeroPoint\":128", with: "\"inputZeroPoint\":256")
                })
                == .valueOutOfRange(field: "layers[0]", reason: "inputZeroPoint must be 0 to 255"))
        #expect(
            refusal(
                withHeader {
                    $0 = $0.replacingOccurrences(of: "SlotsPerDay\":288", with: "SlotsPerDay\":287")
                })
                == .valueOutOfRange(field: "climatologySlotsPerDay", reason: "must divide 1440"))
        #expect(
            refusal(
                withHeader(.fp32) {
                    $0 = $0.replacingOccurrences(
                        of: "\"weightFormat\":\"fp32\"", with: "\"weightFormat\":\"int8\"")
                })
                == .valueOutOfRange(field: "layers[0]", reason: "inputScale must be above zero"))
    }

    @Test func aHeaderOfTheGreatestLengthIsNotTooLong() {
        for (more, isTooLong) in [(UInt64(0), false), (1, true)] {
            let length = UInt64(ModelFileFormat.largestHeaderBytes) + more
            let bytes = RejectedFiles.edited(RandomModel.bytes(.int8)) { content in
                for index in 0..<8 {
                    content[16 + index] = UInt8(truncatingIfNeeded: length >> (8 * UInt64(index)))
                }
            }
            #expect(refusal(bytes)?.rule == (isTooLong ? "headerTooLong" : "headerTruncated"))
        }
    }

    @Test func takesAnyInputLimitAboveZero() {
        for limit in ["1", "9"] {
            let bytes = withHeader {
                $0 = $0.replacingOccurrences(
                    of: "\"inputLimit\":6", with: "\"inputLimit\":\(limit)")
            }
            #expect(refusal(bytes) == nil, "\(limit)")
        }
    }

    @Test func refusesAZeroPointAfterReLU() {
        let text = "\"inputZeroPoint\":0"
        let found = refusal(
            withHeader {
                $0 = $0.replacingOccurrences(of: text, with: "\"inputZeroPoint\":7")
            })
        #expect(
            found
                == .valueOutOfRange(
                    field: "layers[1]",
                    reason: "inputZeroPoint must be 0: ReLU leaves nothing below"))
    }
}

@Suite struct ModelFileTensorTests {
    @Test func refusesTensorsThatDoNotFillTheFile() throws {
        let mean = try offset(of: "input.mean")
        #expect(
            refusal(
                withHeader {
                    $0 = $0.replacingOccurrences(
                        of: "\"offset\":\(mean)", with: "\"offset\":\(mean + 64)")
                })
                == .misplacedTensor(
                    tensor: "input.mean", expectedOffset: mean, foundOffset: mean + 64))
        let count = FeatureSchema.count
        #expect(
            refusal(
                withHeader {
                    $0 = $0.replacingOccurrences(
                        of: "\"byteCount\":\(4 * count)", with: "\"byteCount\":\(4 * count - 1)")
                })
                == .sizeMismatch(
                    tensor: "input.mean", expectedBytes: 4 * count, foundBytes: 4 * count - 1))
        #expect(
            refusal(RejectedFiles.edited(RandomModel.bytes(.int8)) { $0 += [0, 0, 0, 0, 0] })
                == .bytesLeftOver(count: 5))
        let padded = try ModelFile.read(RandomModel.bytes(.int8)).header.tensors[0]
        #expect(
            refusal(
                RejectedFiles.edited(RandomModel.bytes(.int8)) {
                    $0[padded.offset + padded.byteCount] = 1
                })
                == .paddingNotZero(offset: padded.offset + padded.byteCount))
        if case .beyondEnd = refusal(
            RejectedFiles.edited(RandomModel.bytes(.int8)) { $0.removeLast(64) })
        {
        } else {
            Issue.record("a tensor beyond the end must be refused")
        }
    }

    @Test(arguments: ["0", "-1", "99999999999999999999", "9223372036854775807", "70000000"])
    func refusesSizesThatCannotBe(_ dimension: String) {
        let found = refusal(
            withHeader {
                $0 = $0.replacingOccurrences(
                    of: "\"shape\":[\(FeatureSchema.count)]", with: "\"shape\":[\(dimension)]")
                // Make room for longer numbers.
                $0 = $0.replacingOccurrences(of: "\"name\":\"random\"", with: "\"name\":\"r\"")
                $0 = $0.replacingOccurrences(of: "\"commit\":\"test\"", with: "\"commit\":\"\"")
                $0 = $0.replacingOccurrences(of: "calendar.", with: "c.")
            })
        switch found {
        case .sizeOverflow, .headerUnreadable: break
        default:
            Issue.record("dimension \(dimension) must be refused, not \(String(describing: found))")
        }
    }

    @Test func refusesNamesAndFormatsThatAreNone() {
        #expect(
            refusal(
                withHeader {
                    $0 = $0.replacingOccurrences(of: "\"input.mean\"", with: "\"input/mean\"")
                })
                == .badTensorName("input/mean"))
        #expect(
            refusal(
                withHeader {
                    $0 = $0.replacingOccurrences(of: "\"layers.1.bias\"", with: "\"layers.0.bias\"")
                })
                == .duplicateTensor("layers.0.bias"))
        #expect(
            refusal(
                withHeader {
                    $0 = $0.replacingOccurrences(of: "\"dtype\":\"i8\"", with: "\"dtype\":\"u8\"")
                })
                == .unknownNumberFormat(tensor: "layers.0.weight", format: "u8"))
        #expect(
            refusal(
                withHeader {
                    $0 = $0.replacingOccurrences(of: "\"layers.2.bias\"", with: "\"layers.2.bios\"")
                })
                == .unexpectedTensor("layers.2.bios"))
    }

    @Test func refusesValuesThatCannotBe() throws {
        let scale = try offset(of: "layers.1.scale")
        let notANumber: [UInt8] = [0, 0, 0xc0, 0x7f]
        func changed(_ at: Int, _ bytes: [UInt8]) -> [UInt8] {
            RejectedFiles.edited(RandomModel.bytes(.int8)) {
                $0.replaceSubrange(at..<at + 4, with: bytes)
            }
        }
        #expect(
            refusal(changed(scale + 8, notANumber))
                == .notFinite(tensor: "layers.1.scale", index: 2))
        #expect(
            refusal(changed(scale + 4, [0, 0, 0, 0]))
                == .notPositive(tensor: "layers.1.scale", index: 1))
        let probability = try offset(of: "climatology.openProbability")
        if case .valueOutOfRange = refusal(changed(probability, [0, 0, 0, 0x40])) {
        } else {
            Issue.record("an open probability of 2 must be refused")
        }
        #expect(
            refusal(changed(scale, [0xff, 0xff, 0x7f, 0x7f])) == .valuesTooLarge(layer: 1))
        let weight = try offset(of: "layers.0.weight", .fp32)
        let huge = RejectedFiles.edited(RandomModel.bytes(.fp32)) {
            $0.replaceSubrange(weight..<weight + 4, with: [0xff, 0xff, 0x7f, 0x7f])
        }
        #expect(refusal(huge) == .valuesTooLarge(layer: 0))
        // A scale so small that the bias leaves the exact range.
        #expect(refusal(changed(scale, [1, 0, 0, 0])) == .sumsTooLarge(layer: 1))
    }
}

/// Reads bytes that must be refused.
func refusal(_ bytes: [UInt8]) -> ModelFileError? {
    do {
        _ = try ModelFile.read(bytes)
        return nil
    } catch {
        return error
    }
}

/// The file with its header replaced by an edited one of the same length (blanks fill up).
func withHeader(
    _ format: WeightFormat = .int8, _ edit: (inout String) -> Void
) -> [UInt8] {
    RejectedFiles.edited(RandomModel.bytes(format)) { content in
        let length = content[16..<24].reversed().reduce(0) { $0 << 8 | Int($1) }
        var text = String(decoding: content[24..<24 + length], as: UTF8.self)
        edit(&text)
        var header = Array(text.utf8)
        precondition(header.count <= length, "the edited header must not grow")
        header += Array(repeating: UInt8(ascii: " "), count: length - header.count)
        content.replaceSubrange(24..<24 + length, with: header)
    }
}

func offset(of tensor: String, _ format: WeightFormat = .int8) throws -> Int {
    let header = try ModelFile.read(RandomModel.bytes(format)).header
    return try #require(header.tensors.first { $0.name == tensor }).offset
}
