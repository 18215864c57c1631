// The list of inputs in a header: this program's own is recognised by its bytes, all else is read as any list is.
import BridgecastCore
@testable import BridgecastEngine
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct FeatureListTests {
    /// A header as files have it, and where its list of inputs lies.
    private func ownHeader() throws -> (json: [UInt8], list: Range<Int>) {
        let bytes = [UInt8](try Data(contentsOf: Fixtures.model("bridgecast.int8.bcm")))
        let length = bytes[16..<24].reversed().reduce(0) { $0 << 8 | Int($1) }
        let json = Array(bytes[24..<24 + length])
        let text = String(decoding: json, as: UTF8.self)
        let start = try #require(text.range(of: "\"features\":[")).upperBound
        let end = try #require(text.range(of: "],\"inputLimit\"")).lowerBound
        let offsets = [start, end].map { text.utf8.distance(from: text.startIndex, to: $0) }
        return (json, offsets[0]..<offsets[1])
    }

    /// What a header says, or why it cannot be read.
    private func reading(_ json: [UInt8]) -> Result<ModelHeader, HeaderSyntaxError> {
        Result { () throws(HeaderSyntaxError) in try ModelHeader(json: json[...]) }
    }

    private func isSame(_ json: [UInt8], asWith other: [UInt8]) -> Bool {
        switch (reading(json), reading(other)) {
        case (.success(let one), .success(let two)): one == two
        case (.failure(let one), .failure(let two)): one.reason == two.reason
        default: false
        }
    }

    @Test func theOwnListIsRecognisedAsTheWriterWritesItAndHasItsNames() throws {
        let (json, list) = try ownHeader()
        var parser = HeaderParser(json[(list.lowerBound - 1)...])
        let isOwn = parser.takeOwnFeatures()
        #expect(isOwn)
        #expect(parser.position == list.upperBound + 1)
        let header = try ModelHeader(json: json[...])
        #expect(header.features == ModelHeader.currentFeatures)
        #expect(header.features[0].name == "bridge.Ballard" && header.list == .own)
        #expect(header.list.hash == header.schemaHash && header.list.count == FeatureSchema.count)
        // Held with its names or without them, it is the same list.
        #expect(FeatureList(ModelHeader.currentFeatures) == .own)
        #expect(FeatureList(ModelHeader.currentFeatures.reversed()) != .own)
        #expect(FeatureList([]) != .own)
    }

    @Test func theOwnListInOtherSpacingIsReadAsAnyListAndTaken() {
        let spaced = withHeader {
            $0 = $0.replacingOccurrences(of: "\"name\":\"random\"", with: "\"name\":\"rand\"")
                .replacingOccurrences(of: "\"features\":[{", with: "\"features\":[ {")
        }
        #expect(refusal(spaced) == nil)
    }

    /// Whatever stands in the list, the reader says of it what the reader of any list says: a blank before
    /// the first input makes that one read it.
    @Test func aListWithAnyByteChangedIsReadAsAnyListIs() throws {
        let (json, list) = try ownHeader()
        var random = SeededGenerator(seed: 44)
        let bytes = Array("\"\\{}[],:|.-+/019eE\u{1}\u{7f}\n aé".utf8)
        var accepted = 0
        for _ in 0..<600 {
            var changed = json
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                let place = Int.random(in: list, using: &random)
                let byte = bytes.randomElement(using: &random) ?? 0
                switch Int.random(in: 0..<3, using: &random) {
                case 0: changed[place] = byte
                case 1: changed.insert(byte, at: place)
                default: changed.remove(at: place)
                }
            }
            var slow = changed
            slow.insert(UInt8(ascii: " "), at: list.lowerBound)
            #expect(isSame(changed, asWith: slow), "\(changed)")
            var parser = HeaderParser(changed[(list.lowerBound - 1)...])
            let isOwn = parser.takeOwnFeatures()
            #expect(isOwn == (changed == json))
            if case .success = reading(changed) { accepted += 1 }
        }
        #expect(accepted > 20, "some changes must leave a list that can be read")
    }

    @Test func listsThatEndEarlyOrGoOnAreNotTheOwn() throws {
        let (json, list) = try ownHeader()
        for end in [list.lowerBound - 1, list.lowerBound, list.upperBound - 1, list.upperBound] {
            var parser = HeaderParser(json[(list.lowerBound - 1)..<end])
            let isOwn = parser.takeOwnFeatures()
            #expect(!isOwn && parser.position == list.lowerBound - 1)
        }
        var doubled = json
        doubled.insert(contentsOf: [UInt8(ascii: ",")] + json[list], at: list.upperBound)
        let header = try ModelHeader(json: doubled[...])
        #expect(header.list.count == 2 * FeatureSchema.count && header.list != .own)
    }

    @Test func aHeaderIsEncodedWithItsListAndDecodedFromIt() throws {
        let header = try ModelHeader(json: try ownHeader().json[...])
        let decoded = try JSONDecoder().decode(
            ModelHeader.self, from: try JSONEncoder().encode(header))
        #expect(decoded == header && decoded.features.count == FeatureSchema.count)
        var other = header
        other.features.removeLast()
        #expect(other.features.count == FeatureSchema.count - 1 && other != header)
    }

    @Test func hashesAreWrittenWithSixteenDigits() {
        #expect(ModelHeader.text(ofHash: 0) == "0000000000000000")
        #expect(ModelHeader.text(ofHash: 0x0123_4567_89ab_cdef) == "0123456789abcdef")
        #expect(ModelHeader.text(ofHash: .max) == "ffffffffffffffff")
    }
}
