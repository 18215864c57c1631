// The header's parser against Foundation's decoder, and what it refuses.
import BridgecastCore
@testable import BridgecastEngine
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct HeaderParserTests {
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
        var parser = HeaderParser(Array(escaped.utf8)[...])
        let texts = try parser.array { (parser) throws(HeaderSyntaxError) in try parser.string() }
        #expect(texts == ["😀éA/"])
    }

    @Test(arguments: [
        "", "{", "[}", "{\"a\" 1}", "{\"a\":1,}", "{,}", "{\"a\":01}", "{\"a\":1.}", "{\"a\":+1}",
        "{\"a\":.5}", "{\"a\":1e}", "{\"a\":-}", "{\"a\":NaN}", "{\"a\":tru}", "{\"a\":\"\u{1}\"}",
        "{\"a\":\"\\x\"}", "{\"a\":\"\\ud800\"}", "{\"a\":\"\\ud800\\u0041\"}", "{\"a\":\"\\u12\"}",
        "{\"a\":\"b}", "{\"a\":1}{}", "{\"a\":1,\"a\":2}", "{\"a\":[[[[[[[[1]]]]]]]]}", "{a:1}",
        "{'a':1}", "{\"a\":1 \"b\":2}", "nul", "{\"a\":\"\\",
    ]) func refusesWhatIsNotJSON(_ text: String) {
        #expect(throws: HeaderSyntaxError.self) {
            var parser = HeaderParser(Array(text.utf8)[...])
            try parser.object([]) { (_, parser) throws(HeaderSyntaxError) in try parser.skip() }
            try parser.finish()
        }
    }

    @Test func refusesTextThatIsNotUTF8AndSaysWhere() throws {
        let json: [UInt8] = Array("{\"a\":{\"b\":\"".utf8) + [0xc3, 0x28] + Array("\"}}".utf8)
        do {
            var parser = HeaderParser(json[...])
            try parser.object([]) { (_, parser) throws(HeaderSyntaxError) in try parser.skip() }
            Issue.record("bytes that are no UTF-8 must be refused")
        } catch {
            #expect(error.reason == "field a.b: a string is not UTF-8")
        }
    }
}
