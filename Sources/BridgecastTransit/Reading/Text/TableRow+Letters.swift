// Finds characters in names and identifiers that do not show, such as escape sequences; used by readers of tables.
internal import BridgecastCore

extension TableRow {
    /// Says once a field if it has characters that do not show as themselves; such are replaced wherever they are shown.
    func checkLetters(
        of columns: Column..., in bytes: Span<UInt8>, _ notices: inout FeedNotices
    ) {
        for column in columns { checkLetters(column, bytes, &notices) }
    }

    private func checkLetters(
        _ column: Column, _ bytes: Span<UInt8>, _ notices: inout FeedNotices
    ) {
        let range = range(column, bytes)
        guard !Self.isPlain(bytes, range) else { return }
        let text = String(copying: bytes.extracting(range))
        guard let hidden = text.unicodeScalars.first(where: { !$0.isPrintable }) else { return }
        // The validator of publishers has this name for it.
        note(
            .warning, "non_ascii_or_non_printable_char", column,
            "'\(printable(text, most: 40))' has U+\(Self.digits(hidden)), which does not show; it is replaced where the text is shown",
            &notices)
    }

    /// Whether all bytes are printable ASCII, as nearly all are.
    @inline(__always)
    private static func isPlain(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        for index in range where bytes[index] < 32 || bytes[index] > 126 { return false }
        return true
    }

    /// Four hexadecimal digits or more.
    private static func digits(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
