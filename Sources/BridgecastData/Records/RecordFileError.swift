// Why a file as a whole is refused: it is not what it claims to be.

/// A refusal of a whole file; nothing of it is used.
public struct RecordFileError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of refusal; a command's exit code follows from them.
    public enum Kind: Sendable, Equatable {
        /// There is no such file (exit code 66).
        case missing
        /// The file could not be read (exit code 74).
        case unreadable
        /// The content is not what it should be (exit code 65).
        case content
    }

    /// The kind.
    public let kind: Kind
    /// The file.
    public let path: String
    /// What is wrong and what to do.
    public let reason: String

    /// Creates a refusal.
    public init(_ kind: Kind, path: String, reason: String) {
        self.kind = kind
        self.path = path
        self.reason = reason
    }

    /// The refusal of a file whose rows were all rejected.
    package static func noUsableRow(of file: RecordFile) -> RecordFileError {
        RecordFileError(
            .content, path: file.input.path,
            reason: "none of its \(file.rowsRead) rows is usable; nothing was stored")
    }

    /// File and reason.
    public var description: String { "\(path): \(reason)" }
}
