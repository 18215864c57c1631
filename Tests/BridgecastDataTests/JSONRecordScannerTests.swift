// The scanner of JSON records: what is text and what is absent, its bounds, and its grammar against Foundation's.
@testable import BridgecastSupport
@testable import BridgecastData
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct JSONRecordScannerTests {
    /// The wanted fields of each object; nil for an entry that is none; throws as the scanner does.
    private func entries(_ bytes: [UInt8]) throws -> [[String?]?] {
        var window = try TextWindow(bytes, path: "text")
        let names = ["a", "b"]
        var scanner = JSONRecordScanner(fieldCount: 2) { names.firstIndex(of: $0) }
        var found: [[String?]?] = []
        while true {
            switch try scanner.next(&window) {
            case .end: return found
            case .noObject: found.append(nil)
            case .record:
                found.append(
                    scanner.fields.map {
                        $0 == .absent ? nil : RawRecord.text($0, window.bytes.span)
                    })
            }
        }
    }

    @Test func scalarsAreTextAndEverythingElseIsAbsent() throws {
        let text = #"""
            [ {"a": "x\"\u00e9\ud83d\ude00\n", "b": -1.50e3, "c": {"a": [1, {"b": 2}]}},
              {"b": true, "a": null}, 7, [], {"b": "2", "b": "3"}, {} ]
            """#
        #expect(
            try entries(Array(text.utf8)) == [
                ["x\"é😀\n", "-1.50e3"], [nil, nil], nil, nil, [nil, "3"], [nil, nil],
            ])
    }

    @Test func entriesMaySpanBlocks() throws {
        let filler = String(repeating: " ", count: TextWindow.blockBytes - 40)
        let many = (0..<5_000).map { "{\"a\": \"\($0)\", \"b\": \($0), \"c\": \"ü\"}" }
        let text = "[" + filler + many.joined(separator: ",\n") + "]"
        let found = try entries(Array(text.utf8))
        #expect(found.count == 5_000 && found[4_321] == ["4321", "4321"])
    }

    @Test func depthAndLengthAreBounded() {
        for depth in [20, 100_000] {
            let nested =
                "[{\"a\":" + String(repeating: "[", count: depth)
                + String(repeating: "]", count: depth) + "}]"
            #expect((try? entries(Array(nested.utf8))) != nil ? depth == 20 : depth == 100_000)
        }
        let endless = "[{\"a\": \"" + String(repeating: "x", count: 3 << 20) + "\"}]"
        #expect(throws: DocumentError.self) { try entries(Array(endless.utf8)) }
    }

    /// Texts with random bytes changed are accepted exactly where Foundation accepts them.
    @Test func theGrammarIsThatOfFoundation() {
        var random = SeededGenerator(seed: 2)
        let original = Array(
            #"[{"a":"x\u00e9\"","b":-1.5e3,"c":[true,false,null,{"d":[]}]}, 12, "s", {"b":0}]"#.utf8
        )
        let alphabet = Array("[]{}\",:\\0123456789.eE+-truefalsn u".utf8)
        var (accepted, refused) = (0, 0)
        for _ in 0..<20_000 {
            var bytes = original
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = alphabet.randomElement(using: &random) ?? 32
                case 1: bytes.remove(at: place)
                default: bytes.insert(alphabet.randomElement(using: &random) ?? 32, at: place)
                }
            }
            let reference = try? JSONSerialization.jsonObject(
                with: Data(bytes), options: [.fragmentsAllowed])
            let isArray = reference is [Any]
            let ours = try? entries(bytes)
            // A name with a broken escape is not decoded by us; Foundation refuses it.
            let text = String(decoding: bytes, as: UTF8.self)
            if isArray { accepted += 1 } else { refused += 1 }
            // Foundation forgives a comma before a bracket; the grammar does not.
            if text.contains(/,\s*[\]}]/) { continue }
            if isArray {
                #expect(ours?.count == (reference as? [Any])?.count, "\(text)")
            } else if ours != nil {
                #expect(text.contains("\\"), "\(text)")
            }
        }
        #expect(accepted > 1_000 && refused > 1_000)
    }
}
