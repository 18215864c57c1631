// Long texts of records read by several workers at a time, put together in order; used by RecordReader.

/// What the parts of a text came to, and which of them wait for something.
struct PartwiseReading {
    private(set) var whole: RecordResults
    /// The line behind the last finished part.
    private(set) var line: Int

    /// Parts that are not both digested and finished.
    private var parts: [Int: TextPart] = [:]
    /// Results that wait for those before them; nil if a part cannot be read alone.
    private var results: [Int: (results: RecordResults, lines: Int)?] = [:]
    private var taken = 0
    private var digested = 0
    private var finished = 0

    init(_ whole: RecordResults, line: Int) { (self.whole, self.line) = (whole, line) }

    /// The text of the parts that are not in `whole`.
    var unfinished: [UInt8] {
        (finished..<taken).flatMap { number in
            parts[number].map { $0.bytes[$0.start...] } ?? []
        }
    }

    /// How many parts wait for their digest.
    var undigestedCount: Int { taken - digested }

    /// Keeps a part until it has been digested and finished.
    mutating func keep(_ part: NumberedPart) {
        parts[part.number] = part.text
        taken += 1
    }

    /// The next part to digest, in the order of the text.
    mutating func takeUndigested() -> TextPart? {
        guard let part = parts[digested] else { return nil }
        digested += 1
        forget(digested - 1)
        return part
    }

    /// Takes over a part's result, in the order of the text; nil if the part cannot be read alone.
    mutating func finish(_ number: Int, _ result: (results: RecordResults, lines: Int)?) {
        results[number] = .some(result)
        while case .some(.some(let next)) = results[finished] {
            whole.add(next.results, linesBefore: line - 1)
            line += next.lines
            results[finished] = nil
            finished += 1
            forget(finished - 1)
        }
    }

    private mutating func forget(_ number: Int) {
        if number < min(digested, finished) { parts[number] = nil }
    }
}
