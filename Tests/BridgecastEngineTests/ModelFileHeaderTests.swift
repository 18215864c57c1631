// What a model file says of itself: headers that cannot be read, do not fit or cannot be are refused by name.
@testable import BridgecastCore
@testable import BridgecastEngine
import BridgecastTestSupport
import BridgecastTraining
import Foundation
import Testing

@Suite struct ModelFileHeaderTests {
    @Test func refusesHeadersThatAreNot() {
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

    @Test func refusesAZeroPointBehindReLU() {
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
