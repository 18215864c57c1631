// The one way to say what is wrong with a document and where; thrown by all that read content from outside.

/// What is wrong with the content of a document, and where.
///
/// Who knows the document's name says it in front: a file's error, a feed's.
public struct DocumentProblem: Failure, Equatable {
    /// Where, such as `routes[3].steps[1].minutes` or `line 7`; empty where the problem's own words say it.
    public let place: String
    /// What is wrong, and what to do about it.
    public let problem: String

    /// The place of what is wrong with a document's outermost value.
    package static let wholeFile = "the file"

    /// Creates a problem.
    public init(_ place: String, _ problem: String) {
        (self.place, self.problem) = (place, problem)
    }

    /// The content is not what it should be.
    public var kind: FailureKind { .data }

    /// Place and problem.
    public var description: String { place.isEmpty ? problem : "\(place): \(problem)" }
}

// MARK: JSON

extension DocumentProblem {
    /// A problem with the value that a decoder was at.
    package init(at codingPath: [any CodingKey], _ problem: String) {
        self.init(Self.place(of: codingPath), problem)
    }

    /// What is wrong with a JSON document that was not decoded.
    ///
    /// - Parameters:
    ///   - error: What decoding threw: a problem is told as it is.
    ///   - whole: What to say instead where the document as a whole is not what it should be.
    package init(decoding error: any Error, whole: DocumentProblem? = nil) {
        switch error {
        case let problem as DocumentProblem: self = problem
        case DecodingError.keyNotFound(let key, let context):
            self.init(at: context.codingPath + [key], "is missing")
        case DecodingError.typeMismatch(let type, let context)
        where whole == nil || !context.codingPath.isEmpty:
            self.init(at: context.codingPath, "should be \(Self.word(for: type))")
        case DecodingError.valueNotFound(_, let context)
        where whole == nil || !context.codingPath.isEmpty:
            self.init(at: context.codingPath, "must not be null")
        case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
            self.init(at: context.codingPath, context.debugDescription)
        default: self = whole ?? DocumentProblem("", "not valid JSON, or cut short")
        }
    }

    /// Where in a document a decoder was, such as `routes[3].steps[1].minutes`.
    private static func place(of keys: [any CodingKey]) -> String {
        guard !keys.isEmpty else { return wholeFile }
        let path = keys.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }
            .joined()
        return path.hasPrefix(".") ? String(path.dropFirst()) : path
    }

    /// What JSON calls a type.
    private static func word(for type: Any.Type) -> String {
        switch type {
        case is any BinaryFloatingPoint.Type, is any BinaryInteger.Type: "a number"
        case is String.Type: "text"
        case is Bool.Type: "true or false"
        case is any RandomAccessCollection.Type: "a list"
        default: "an object"
        }
    }
}
