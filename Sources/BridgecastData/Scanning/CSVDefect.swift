// What CSVScanner finds wrong with a record.

/// What can be wrong with the form of a record.
enum CSVDefect: Equatable {
    /// A quote was opened and the file ended: it has been cut.
    case unterminatedQuote
    /// Text between a closing quote and the next comma.
    case textAfterQuote
    /// No line end in a mebibyte.
    case lineTooLong

    /// For people.
    var words: String {
        switch self {
        case .unterminatedQuote: "a quote that never closes"
        case .textAfterQuote: "text after a quote"
        case .lineTooLong: "a line over a mebibyte"
        }
    }
}
