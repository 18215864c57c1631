// The header's reader against Foundation's decoder, and what it refuses.
import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing
@testable import BridgecastEngine

@Suite struct ModelHeaderReaderTests {
    private func header(of file: URL) throws -> [UInt8] {
        let bytes = [UInt8](try Data(contentsOf: file))
        let length = bytes[16..<24].reversed().reduce(0) { $0 << 8 | Int($1) }
        return Array(bytes[24..<24 + length])
    }

    @Test(arguments: [
        "bridgecast.int8.bcm", "bridgecast.fp16.bcm", "validation/bridgecast.fp32.bcm",
    ]) func readsShippedHeadersAsFoundationDoes(_ name: String) throws {
        let json = try header(of: Fixtures.model(name))
        let expected = try JSONDecoder().decode(ModelHeader.self, from: Data(json))
        #expect(try ModelHeader(json: json[...]) == expected)
        // A slice that does not begin at zero.
        #expect(try ModelHeader(json: ([0x7b] + json)[1...]) == expected)
    }

    @Test func readsEveryKindOfTextAndNumber() throws {
        var made = try ModelFile.read(RandomModel.bytes(.int8)).header
        made.name = "a\"b\\c/d\u{8}\u{c}\n\r\t é 日本 😀 \u{1}"
        made.inputLimit = 3.4e38
        made.layers[0].inputScale = 1e-38
        made.provenance.seed = .max
        made.provenance.scores = ["zero": 0, "small": 1e-300, "large": -1.797e308]
        for formatting in [JSONEncoder.OutputFormatting.prettyPrinted, .withoutEscapingSlashes] {
            let encoder = JSONEncoder()
            encoder.outputFormatting = formatting
            let json = [UInt8](try encoder.encode(made))
            #expect(try ModelHeader(json: json[...]) == made)
        }
        let escaped = #"["\ud83d\ude00\u00e9\u0041\/"]"#
        guard case .array(let values) = try HeaderReader.value(of: Array(escaped.utf8)[...]),
            case .string(let text)? = values.first
        else {
            Issue.record("a string in an array must be one")
            return
        }
        #expect(text == "😀éA/" && values.count == 1)
    }

    @Test(arguments: [
        "", "{", "[}", "{\"a\" 1}", "{\"a\":1,}", "{,}", "{\"a\":01}", "{\"a\":1.}", "{\"a\":+1}",
        "{\"a\":.5}", "{\"a\":1e}", "{\"a\":-}", "{\"a\":NaN}", "{\"a\":tru}", "{\"a\":\"\u{1}\"}",
        "{\"a\":\"\\x\"}", "{\"a\":\"\\ud800\"}", "{\"a\":\"\\ud800\\u0041\"}", "{\"a\":\"\\u12\"}",
        "{\"a\":\"b}", "{\"a\":1}{}", "{\"a\":1,\"a\":2}", "{\"a\":[[[[[[[[1]]]]]]]]}", "{a:1}",
        "{'a':1}", "{\"a\":1 \"b\":2}", "nul", "{\"a\":\"\\",
    ]) func refusesWhatIsNotJSON(_ text: String) {
        #expect(throws: HeaderSyntaxError.self) {
            _ = try HeaderReader.value(of: Array(text.utf8)[...])
        }
    }

    @Test func refusesTextThatIsNotUTF8AndSaysWhere() throws {
        let json: [UInt8] = Array("{\"a\":{\"b\":\"".utf8) + [0xc3, 0x28] + Array("\"}}".utf8)
        do {
            _ = try HeaderReader.value(of: json[...])
            Issue.record("bytes that are no UTF-8 must be refused")
        } catch {
            #expect(error.reason == "field a.b: a string is not UTF-8")
        }
    }
}

@Suite struct FeatureListTests {
    /// A header as files have it, and where its list of inputs is.
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
        var text = OwnFeatureText(position: list.lowerBound - 1)
        let isOwn = text.take(json.span)
        #expect(isOwn)
        #expect(text.position == list.upperBound + 1)
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

    /// Whatever is in the list, the reader gives the same result as the reader of any list: a blank before
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
            var text = OwnFeatureText(position: list.lowerBound - 1)
            let isOwn = text.take(changed.span)
            #expect(isOwn == (changed == json))
            if case .success = reading(changed) { accepted += 1 }
        }
        #expect(accepted > 20, "some changes must leave a list that can be read")
    }

    @Test func listsThatEndEarlyOrGoOnAreNotTheOwn() throws {
        let (json, list) = try ownHeader()
        for end in [list.lowerBound - 1, list.lowerBound, list.upperBound - 1, list.upperBound] {
            var text = OwnFeatureText(position: list.lowerBound - 1)
            let cut = Array(json[..<end])
            let isOwn = text.take(cut.span)
            #expect(!isOwn)
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
