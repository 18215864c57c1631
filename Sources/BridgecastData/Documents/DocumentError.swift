// What every reader of a document says when it refuses one; commands and hosts show it as it is.
// Belongs here: what all documents have in common, as text and JSON; not: what one kind says (the folders beside it).
public import BridgecastCore

/// A refusal of a whole document; nothing of it is used.
public struct DocumentError: Failure, Equatable {
    /// Whether it is missing, cannot be read, or holds what it should not.
    public let kind: FailureKind
    /// The file, or what else the document is called.
    public let path: String
    /// What is wrong, where in it and what to do.
    public let problem: DocumentProblem

    /// Creates a refusal.
    ///
    /// - Parameters:
    ///   - path: The file, or what else the document is called.
    ///   - kind: Content that is not what it should be, unless stated.
    public init(_ problem: DocumentProblem, in path: String, kind: FailureKind = .data) {
        (self.kind, self.path, self.problem) = (kind, path, problem)
    }

    /// The document, the place and the problem.
    public var description: String { "\(path): \(problem)" }
}
