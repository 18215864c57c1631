// Reads fixed numbers of digits out of a text; used by TimeText.

/// Reads fixed-width ASCII numbers from the front of a text.
struct DigitScanner {
    private(set) var rest: Substring.UTF8View

    init(_ text: some StringProtocol) { rest = Substring(text).utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    mutating func skipDigits() -> Int {
        var count = 0
        while let byte = rest.first, (48...57).contains(byte) {
            rest.removeFirst()
            count += 1
        }
        return count
    }

    mutating func number(digits: Int) -> Int? {
        var value = 0
        for _ in 0..<digits {
            guard let byte = rest.first, (48...57).contains(byte) else { return nil }
            value = value * 10 + Int(byte) - 48
            rest.removeFirst()
        }
        return value
    }

    mutating func date() -> CivilDate? {
        guard let year = number(digits: 4), skip("-"), let month = number(digits: 2), skip("-"),
            let day = number(digits: 2)
        else { return nil }
        return CivilDate(year: year, month: month, day: day)
    }
}
