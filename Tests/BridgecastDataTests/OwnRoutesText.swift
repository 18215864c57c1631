// Documents of our own form as tests of its readers write them: good ones, many, and ones that something was done to.
import BridgecastTestSupport

enum OwnRoutesText {
    /// Documents in which nothing is unusual.
    static let good = [
        """
        {"about": "two ways", "routes": [
          {"id": "a", "name": "By Fremont", "origin": "Ballard", "destination": "Downtown",
           "mode": "car", "steps": [{"minutes": 6.5, "spread": 1.25}, {"bridge": "Fremont"},
           {"minutes": 8, "to": "Westlake"}]},
          {"steps": [{"minutes": 0.30000000000000004}, {"to": "x", "bridge": "2"}],
           "destination": "Downtown", "origin": "Ballard", "name": "Caf\\u00e9 \\ud83d\\ude00 \\"B\\"", "id": "b"}
        ]}
        """,
        """
        {"routes":[{"id":"Straße","name":"","origin":"a corner with a long name","destination":"日本",
        "mode":null,"steps":[{"minutes":4,"spread":null,"to":null,"bridge":null},{"bridge":"1st Ave S"}]},
        {"id":"2","name":"","origin":"a corner with a long name","destination":"日本",
        "mode":"walk","steps":[{"minutes":1e1,"spread":1.5E-1},{"minutes":-0,"spread":0}]}],"about":"\\t"}
        """,
    ]

    /// A document of so many candidates of three steps.
    static func many(_ count: Int) -> String {
        let bridges = ["Ballard", "Fremont", "University", "Montlake", "1st Ave South"]
        let routes = (0..<count).map { number in
            """
            {"id":"route-\(number)","name":"Candidate \(number) by \(bridges[number % 5])",\
            "origin":"Ballard","destination":"Pike Place Market","mode":"car","steps":[\
            {"minutes":\(4 + Double(number % 97) / 8),"spread":1.2},{"bridge":"\(bridges[number % 5])"},\
            {"minutes":\(7 + Double(number % 89) / 16),"spread":1.75}]}
            """
        }
        return "{\"routes\":[\(routes.joined(separator: ","))]}"
    }

    /// A good document to which a few things were done.
    static func mutated(_ random: inout SeededGenerator) -> [UInt8] {
        mutated(Array((good.randomElement(using: &random) ?? "").utf8), &random)
    }

    /// A document to which a few things were done.
    static func mutated(_ original: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = original
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            let place = Int.random(in: 0...bytes.count, using: &random)
            let end = min(bytes.count, place + Int.random(in: 0...40, using: &random))
            switch Int.random(in: 0..<9, using: &random) {
            case 0 where place < bytes.count:
                bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
            case 1: bytes.removeSubrange(place..<end)
            case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
            case 3:
                bytes.insert(
                    contentsOf: (words.randomElement(using: &random) ?? "").utf8, at: place)
            case 4: bytes = Array(bytes.prefix(place))
            case 5, 6: exchangeDigits(&bytes, from: place, &random)
            default: exchangeWord(&bytes, from: place, &random)
            }
        }
        return bytes
    }

    /// The next digits become another number.
    private static func exchangeDigits(
        _ bytes: inout [UInt8], from place: Int, _ random: inout SeededGenerator
    ) {
        guard let start = bytes[place...].firstIndex(where: { (48...57).contains($0) }) else {
            return
        }
        let end = bytes[start...].firstIndex { !(48...57).contains($0) } ?? bytes.endIndex
        bytes.replaceSubrange(start..<end, with: Array(number(&random).utf8))
    }

    /// The next text or name becomes another one.
    private static func exchangeWord(
        _ bytes: inout [UInt8], from place: Int, _ random: inout SeededGenerator
    ) {
        let quote = UInt8(ascii: "\"")
        guard let start = bytes[place...].firstIndex(of: quote),
            let end = bytes[(start + 1)...].firstIndex(of: quote)
        else { return }
        bytes.replaceSubrange(
            start...end, with: Array((texts.randomElement(using: &random) ?? "").utf8))
    }

    /// A number, or nearly one.
    static func number(_ random: inout SeededGenerator) -> String {
        if Int.random(in: 0..<4, using: &random) == 0 {
            return numbers.randomElement(using: &random) ?? ""
        }
        func digits(_ most: Int) -> String {
            (0..<Int.random(in: 0...most, using: &random)).map { _ in
                String(Int.random(in: 0...9, using: &random))
            }.joined()
        }
        let whole = String(Int.random(in: -20...2_000, using: &random))
        let fraction = Bool.random(using: &random) ? ".\(digits(20))" : ""
        let exponent = Int.random(in: 0..<6, using: &random) == 0 ? "e\(digits(2))" : ""
        return whole + fraction + exponent
    }

    private static let numbers = [
        "0", "-0", "00", "01", "-", "+1", "1.", ".5", "1e5", "1E+2", "1e-2", "1e999", "-1e999",
        "1e-400",
        "0e0", "0e999", "0.0e-5", "5e-324", "4.9e-325", "2.2250738585072011e-308",
        "9007199254740993",
        "9007199254740993.0", "123456789012345678901234567890", "1440", "1440.0000000001", "0.1e1",
        "1e",
        "1e+", "NaN", "Infinity", "0x10", "1_000", "999999999999999", "99999999999999.9", "1e22",
        "1e23",
        "8.41e21", "9.5367431640625e-7", "0.000000000000001", "1440.0",
        "100000000000000000000000e-22",
    ]

    private static let words = [
        "\"", "\\", "{", "}", "[", "]", ",", ":", "null", "true", "\n", "\t", "\u{0}", "\u{1f}",
        "\u{7f}",
        "\u{FEFF}", "\\u0000", "\\ud800", "\\udc00", "\\ud83d\\ude00", "\\x", "\\/", "\\u12", "é",
        "e\u{301}",
        ",\"id\":\"a\"", "\"code\":\"Ok\",", "\"trip\":1,", "\"paths\":[],",
        "\"type\":\"Feature\",",
        "\"about\":7,", "\"legs\":[],", "{\"minutes\":1},", "{\"bridge\":\"Fremont\"},", "/**/",
        "NaN", " ",
    ]

    private static let texts = [
        "\"id\"", "\"name\"", "\"origin\"", "\"mode\"", "\"to\"", "\"bridge\"", "\"minutes\"",
        "\"steps\"",
        "\"routes\"", "\"about\"", "\"\"", "\"a\"", "\"b\"", "\"bike\"", "\"boat\"", "\"Ballard\"",
        "\"3\"",
        "\"Aurora\"", "\"\\u0041\"", "\"caf\\u00e9\"", "\"café\"", "\"\\n\"", "null", "1", "true",
        "{}", "[]",
        "\"plan\"", "\"error\"", "\"message\"", "\"status\"", "\"legs\"",
    ]
}
