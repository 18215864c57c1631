// Text from outside made printable, and measured in columns of a terminal.
import BridgecastSupport
import Testing

@Suite struct TextTests {
    @Test func onlyInvisibleCharactersOfLinesAreReplaced() {
        #expect(printableLines("a\tb\nc") == "a\tb\nc")
        #expect(printableLines("é█ →\n") == "é█ →\n")
        #expect(
            printableLines("\u{1B}[2J\r\u{7F}\u{200B}x") == "\u{FFFD}[2J\u{FFFD}\u{FFFD}\u{FFFD}x")
    }

    @Test func lettersOfEastAsiaAndPicturesTakeTwoColumns() {
        for (text, columns) in [
            ("Ballard", 7), ("süd", 3), ("东京駅", 6), ("서울역", 6), ("ﾄｳｷｮｳ", 5), ("🚌 542", 6),
            ("u\u{308}", 1), ("✈\u{FE0F}", 2), ("✈", 1), ("שלום", 4), ("", 0),
        ] {
            #expect(text.terminalColumns == columns, "\(text)")
        }
        #expect("东京駅".prefix(terminalColumns: 5) == "东京")
        #expect("Ballard".prefix(terminalColumns: 3) == "Bal")
        #expect("駅".prefix(terminalColumns: 1).isEmpty)
    }

    @Test func escapeSequencesAreReplaced() {
        let text = printable("\u{1B}[2J\u{1B}]0;evil\u{07}Robert'); DROP\u{202E}\u{0}\n\r\u{9B}31m")
        #expect(
            !text.unicodeScalars.contains { $0.value < 32 || $0 == "\u{9B}" || $0 == "\u{202E}" })
        #expect(text.contains("Robert'); DROP"))
        #expect(printable("Brücke, 1st Ave é 橋") == "Brücke, 1st Ave é 橋")
        #expect(printable(String(repeating: "x", count: 500), maxLength: 20).count == 20)
    }
}
