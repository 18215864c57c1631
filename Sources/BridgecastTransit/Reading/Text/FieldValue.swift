// Times, dates, numbers and colours as GTFS writes them, from bytes; used by TableRow.
internal import BridgecastCore
internal import BridgecastData
private import Foundation

/// Reads values of fields.
enum FieldValue {
    /// Later times are none: no trip runs for ten days.
    private static let mostHours = 240

    /// `H:MM:SS`, `HH:MM:SS` or with three digits of hours, as seconds of the service day.
    @inline(__always)
    static func time(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int32? {
        let end = range.upperBound
        guard (7...9).contains(range.count), bytes[end - 3] == colon, bytes[end - 6] == colon,
            let hours = digits(bytes, range.lowerBound..<end - 6),
            let minutes = digits(bytes, end - 5..<end - 3),
            let seconds = digits(bytes, end - 2..<end),
            hours < mostHours, minutes < 60, seconds < 60
        else { return nil }
        return Int32(hours * 3600 + minutes * 60 + seconds)
    }

    /// `YYYYMMDD`.
    static func date(_ bytes: Span<UInt8>, _ range: Range<Int>) -> CivilDate? {
        let start = range.lowerBound
        guard range.count == 8, let year = digits(bytes, start..<start + 4),
            let month = digits(bytes, start + 4..<start + 6),
            let day = digits(bytes, start + 6..<start + 8)
        else { return nil }
        return CivilDate(year: year, month: month, day: day)
    }

    /// A whole number of at most 18 digits, with a minus if it is below zero.
    @inline(__always)
    static func whole(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        let isNegative = !range.isEmpty && bytes[range.lowerBound] == minus
        let start = range.lowerBound + (isNegative ? 1 : 0)
        guard let number = digits(bytes, start..<range.upperBound) else { return nil }
        return isNegative ? -number : number
    }

    /// A decimal number, correctly rounded; never infinite nor NaN.
    @inline(__always)
    static func decimal(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Double? {
        var index = range.lowerBound
        let isNegative = index < range.upperBound && bytes[index] == minus
        if isNegative { index += 1 }
        var (mantissa, digits, decimals, hasPoint) = (UInt64(0), 0, 0, false)
        while index < range.upperBound {
            let byte = bytes[index]
            index += 1
            if byte == point, !hasPoint {
                hasPoint = true
                continue
            }
            let digit = byte &- 48
            // Up to 2^53 and 10^22 a division of both is the nearest number.
            guard digit < 10, digits < 15 else { return longDecimal(bytes, range) }
            mantissa = mantissa * 10 + UInt64(digit)
            if mantissa > 0 { digits += 1 }
            if hasPoint { decimals += 1 }
        }
        guard decimals < powers.count else { return longDecimal(bytes, range) }
        guard range.count > (isNegative ? 1 : 0) + (hasPoint ? 1 : 0) else { return nil }
        let number = Double(mantissa) / powers[decimals]
        return isNegative ? -number : number
    }

    /// Six hexadecimal digits.
    static func colour(_ bytes: Span<UInt8>, _ range: Range<Int>) -> UInt32? {
        guard range.count == 6 else { return nil }
        return UInt32(String(copying: bytes.extracting(range)), radix: 16)
    }

    private static let (colon, minus, point) = (
        UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: ".")
    )
    private static let powers: [Double] = (0...22).map { Foundation.pow(10, Double($0)) }
    private static let mostNumberBytes = 64

    /// Numbers with exponents or many digits.
    private static func longDecimal(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Double? {
        guard range.count <= mostNumberBytes,
            let number = Double(String(copying: bytes.extracting(range))), number.isFinite
        else { return nil }
        return number
    }

    @inline(__always)
    private static func digits(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        guard !range.isEmpty, range.count <= 18 else { return nil }
        var number = 0
        for index in range {
            let digit = bytes[index] &- 48
            guard digit < 10 else { return nil }
            number = number &* 10 &+ Int(digit)
        }
        return number
    }
}
