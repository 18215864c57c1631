// How a JSONWriter makes bytes of numbers, texts and moments.
internal import BridgecastCore

extension JSONWriter {
    private static let powers: InlineArray<10, Double> = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9,
    ]
    /// Beyond this doubles do not hold all decimals.
    private static let mostScaled = 9e15

    /// Appends a whole number.
    mutating func append(_ number: Int64) {
        append(digits: number.magnitude, places: 0, isNegative: number < 0)
    }

    /// Appends a number rounded to so many decimals, without zeros at the end; null if it is not finite.
    mutating func append(_ number: Double, _ decimals: Int) {
        let scaled = (number * Self.powers[decimals]).rounded()
        guard scaled.magnitude < Self.mostScaled else {
            // The shortest text that stands for it; null where there is none.
            bytes.append(contentsOf: (number.isFinite ? "\(number)" : "null").utf8)
            return
        }
        var (left, places) = (UInt64(scaled.magnitude), decimals)
        while places > 0 {
            let (shorter, last) = left.quotientAndRemainder(dividingBy: 10)
            guard last == 0 else { break }
            (left, places) = (shorter, places - 1)
        }
        append(digits: left, places: places, isNegative: scaled < 0)
    }

    /// Appends a number that is given without its point, which stands before the last `places` digits.
    private mutating func append(digits number: UInt64, places: Int, isNegative: Bool) {
        // Twenty digits, a point and a sign are the longest; filled from the end.
        var text = InlineArray<24, UInt8>(repeating: UInt8(ascii: "0"))
        var (left, start, written) = (number, 24, 0)
        repeat {
            if written == places, places > 0 {
                start -= 1
                text[start] = UInt8(ascii: ".")
            }
            let (shorter, last) = left.quotientAndRemainder(dividingBy: 10)
            start -= 1
            text[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: last)
            (left, written) = (shorter, written + 1)
        } while left > 0 || written <= places
        if isNegative {
            start -= 1
            text[start] = UInt8(ascii: "-")
        }
        // Safe: the bytes are copied while the array that holds them lives.
        unsafe text.span.withUnsafeBufferPointer {
            unsafe bytes.append(contentsOf: $0[start...])
        }
    }

    /// Appends a list of numbers, which stand on one line, in an indented text too.
    mutating func append(_ numbers: some Sequence<Double>, _ decimals: Int) {
        bytes.append(UInt8(ascii: "["))
        var separates = false
        for number in numbers {
            if separates { bytes.append(UInt8(ascii: ",")) }
            separates = true
            append(number, decimals)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    /// Appends a moment as RFC 3339 with Seattle's offset, with its quotes.
    mutating func append(_ moment: Timestamp) {
        let hour = Int64((Double(moment.secondsSinceEpoch) / 3600).rounded(.down))
        let second = moment.secondsSinceEpoch - hour * 3600
        if hour != hourText.hour { hourText = HourText(hour) }
        bytes.append(contentsOf: hourText.beginning)
        appendTwo(second / 60)
        bytes.append(UInt8(ascii: ":"))
        appendTwo(second % 60)
        bytes.append(contentsOf: hourText.end)
    }

    private mutating func appendTwo(_ number: Int64) {
        bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10))
        bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }

    /// Appends a text with its quotes; what a terminal would not show is escaped.
    mutating func append(quoted text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            let isPlain = unsafe utf8.allSatisfy {
                $0 >= 32 && $0 < 127 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
            }
            if isPlain {
                unsafe bytes.append(contentsOf: utf8)
            } else {
                unsafe appendEscaped(String(decoding: utf8, as: UTF8.self))
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func appendEscaped(_ text: String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": append("\\\"")
            case "\\": append("\\\\")
            case "\n": append("\\n")
            case "\r": append("\\r")
            case "\t": append("\\t")
            case " "..."~": bytes.append(UInt8(truncatingIfNeeded: scalar.value))
            case _ where scalar.isPrintable:
                bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            default:
                for unit in String(scalar).utf16 { append(escaped: unit) }
            }
        }
    }

    private mutating func append(escaped unit: UInt16) {
        append("\\u")
        for shift in [12, 8, 4, 0] {
            let digit = UInt8(truncatingIfNeeded: unit >> shift) & 15
            bytes.append(digit < 10 ? 48 + digit : 87 + digit)
        }
    }
}
