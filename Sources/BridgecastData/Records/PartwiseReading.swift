// Long texts of records read by several workers at a time, put together in order; used by RecordReader.

/// A text that is being read by parts: what is not taken yet, and what of the parts is finished in order.
struct PartwiseReading {
    private(set) var window: TextWindow
    private(set) var whole: RecordReader
    /// The line behind the last finished part.
    private(set) var line: Int
    private(set) var error: DocumentError?

    private var taken: [[UInt8]] = []
    private var results: [Int: (reader: RecordReader, lines: Int)?] = [:]
    private var finished = 0
    private var isOver = false

    init(_ window: TextWindow, _ whole: RecordReader, line: Int) {
        (self.window, self.whole, self.line) = (window, whole, line)
    }

    /// What was taken and is not part of `whole`.
    var unfinished: [UInt8] { taken[finished...].flatMap { $0 } }

    mutating func takePart(bytes: Int) -> (number: Int, bytes: [UInt8], path: String)? {
        guard !isOver else { return nil }
        do throws(DocumentError) {
            if let part = try window.takeLines(bytes: bytes) {
                taken.append(part)
                return (taken.count - 1, part, window.path)
            }
        } catch {
            self.error = error
        }
        isOver = true
        return nil
    }

    /// Takes over a part's result, in the order of the text; nil if the part cannot be read alone.
    mutating func finish(_ number: Int, _ result: (reader: RecordReader, lines: Int)?) {
        results[number] = .some(result)
        if result == nil { isOver = true }
        while case .some(.some(let next)) = results[finished] {
            whole.add(next.reader, linesBefore: line - 1)
            line += next.lines
            results[finished] = nil
            taken[finished] = []
            finished += 1
        }
    }
}
