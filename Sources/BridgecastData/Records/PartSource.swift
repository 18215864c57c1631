// The parts of a long text of records, handed out in order; shared by the workers of RecordReader.

/// A text that is read by parts.
struct PartSource {
    private(set) var window: TextWindow
    /// Why there are no more parts, if the text is at fault.
    private(set) var error: DocumentError?

    private var count = 0
    private var isOver = false

    init(_ window: TextWindow) { self.window = window }

    /// The next part of about so many bytes; nil if the rest is shorter or no more are wanted.
    mutating func takePart(bytes: Int) -> NumberedPart? {
        guard !isOver else { return nil }
        do throws(DocumentError) {
            if let part = try window.takeLines(bytes: bytes) {
                count += 1
                return NumberedPart(number: count - 1, text: part, path: window.path)
            }
        } catch {
            self.error = error
        }
        isOver = true
        return nil
    }

    /// Hands out no more.
    mutating func stop() { isOver = true }
}
