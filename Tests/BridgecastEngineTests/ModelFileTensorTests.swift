// The tensors of a model file: their places, sizes, names and formats, and values that cannot be.
@testable import BridgecastCore
@testable import BridgecastEngine
import BridgecastTestSupport
import Foundation
import Testing

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
