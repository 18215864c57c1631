// A part of a long text of records on its way through a worker; handed out by PartwiseReading.

/// Lines of a text, and which part of it they are.
struct NumberedPart {
    /// From 0, in the order of the text.
    let number: Int
    let text: TextPart
    /// What errors call the text.
    let path: String
}
