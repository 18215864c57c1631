// Numbers and times read many digits at once are what the plain readers make of them.
import BridgecastCore
@testable import BridgecastData
import BridgecastTestSupport
import Testing

@Suite struct DigitTests {
    @Test func clockTimesAreThoseOfThePlainReader() {
        var random = SeededGenerator(seed: 3)
        var read = 0
        for _ in 0..<40_000 {
            var text = Array("T09:35:59.000\"".utf8)
            for place in [1, 2, 4, 5, 7, 8] where Bool.random(using: &random) {
                text[place] = UInt8(ascii: "0") + UInt8.random(in: 0...9, using: &random)
            }
            if Bool.random(using: &random) {
                text[Int.random(in: 1...12, using: &random)] = .random(in: 0...255, using: &random)
            }
            let second = SeattleClock.secondOfDay(text.span, 1)
            #expect(second == TimeText.secondOfDay(text.span, 1), "\(text)")
            read += second == nil ? 0 : 1
        }
        #expect(read > 2_000)
    }

    @Test(arguments: ["", "x", "12345678", "é,\"123456"])
    func numbersOfUpToSixDigits(before: String) {
        let texts = [
            "0", "7", "12", "007", "999999", "90210", "", "1234567", "1x", "x1", "-1", "1 ", "é",
        ]
        for text in texts {
            let bytes = Array((before + text).utf8)
            let isNumber =
                (1...6).contains(text.count) && text.utf8.allSatisfy { (48...57).contains($0) }
            let number = bytes.span.wholeNumber(before.utf8.count..<bytes.count)
            #expect(number == (isNumber ? Int(text) : nil), "\(before)\(text)")
        }
    }

    @Test func everyOtherByteIsNoDigit() {
        for byte in UInt8.min...UInt8.max {
            let number = [UInt8](repeating: byte, count: 9).span.wholeNumber(7..<9)
            #expect(number == ((48...57).contains(byte) ? (Int(byte) - 48) * 11 : nil))
        }
    }
}
