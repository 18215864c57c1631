// What every error reports besides its description, and the errors of documents.

/// The kind of a failure, which decides a command's exit code and a service's status.
public enum FailureKind: Sendable, Hashable, CaseIterable {
    /// The request is wrong: an argument, an option, a value.
    case usage
    /// The content of an input is not what it should be.
    case data
    /// An input does not exist.
    case missing
    /// Something that has to be installed is not there.
    case unavailable
    /// Bridgecast itself is wrong.
    case software
    /// The service is overloaded: the same request may succeed later.
    case busy
    /// Reading or writing failed.
    case io
    /// The caller stopped waiting.
    case interrupted
}

/// An error that says what is wrong, where and what to do, and knows its kind.
public protocol Failure: Error, Sendable, CustomStringConvertible {
    /// Decides exit codes and statuses.
    var kind: FailureKind { get }
    /// What to do about it, as a sentence of its own; by default what helps with its kind.
    var recovery: String { get }
    /// Whether the same may succeed later without a change; by default a matter of the kind.
    var isTransient: Bool { get }
    /// The pause that the other side asked for, seconds; nil if it did not.
    var retryAfterSeconds: Double? { get }
    /// Whether something else took over, so that nothing is lost.
    var isMadeGood: Bool { get }
}

extension Failure {
    /// What helps with failures of its kind.
    public var recovery: String { kind.recovery }
    /// Whether failures of its kind are transient.
    public var isTransient: Bool { kind.isTransient }
    /// Nil: the other side did not ask for a pause.
    public var retryAfterSeconds: Double? { nil }
    /// False: nothing took over.
    public var isMadeGood: Bool { false }
}

extension FailureKind {
    /// Whether the same may succeed later without a change.
    public var isTransient: Bool {
        switch self {
        case .busy, .io, .interrupted: true
        case .usage, .data, .missing, .unavailable, .software: false
        }
    }

    /// What helps with failures of this kind, as a sentence.
    public var recovery: String {
        switch self {
        case .usage: "Correct what the message names."
        case .data: "Replace or correct the input that the message names."
        case .missing: "Create the file, or name another one."
        case .unavailable: "Install what the message names."
        case .software: "Report this with the output of `bridgecast doctor`."
        case .busy: "Wait; it is tried again."
        case .io: "Check the disk, the network and the permissions; then try again."
        case .interrupted: "Try again."
        }
    }
}

// MARK: - Documents

/// What is wrong with the content of a document, and where.
///
/// The name of the document is added by those that know it: a file's error, a feed's.
public struct DocumentProblem: Failure, Equatable {
    /// Where, such as `routes[3].steps[1].minutes` or `line 7`; empty where ``problem`` says it.
    public let location: String
    /// What is wrong, and what to do about it.
    public let problem: String

    package static let wholeFile = "the file"

    /// Creates a problem at a location.
    public init(_ location: String, _ problem: String) {
        self.location = location
        self.problem = problem
    }

    /// Always ``FailureKind/data``.
    public var kind: FailureKind { .data }

    /// Location and problem.
    public var description: String { location.isEmpty ? problem : "\(location): \(problem)" }
}

/// The refusal of a whole document; nothing of it is used.
public struct DocumentError: Failure, Equatable {
    /// Whether the document is missing, cannot be read, or has the wrong content.
    public let kind: FailureKind
    /// The file, or another name of the document.
    public let path: String
    /// What is wrong, where in the document and what to do.
    public let problem: DocumentProblem

    /// Creates a refusal.
    ///
    /// - Parameters:
    ///   - path: The file, or another name of the document.
    ///   - kind: Wrong content by default.
    public init(_ problem: DocumentProblem, in path: String, kind: FailureKind = .data) {
        self.kind = kind
        self.path = path
        self.problem = problem
    }

    /// Document, location and problem.
    public var description: String { "\(path): \(problem)" }
}

// MARK: - Problems of JSON

extension DocumentProblem {
    package init(at codingPath: [any CodingKey], _ problem: String) {
        self.init(Self.location(of: codingPath), problem)
    }

    /// What is wrong with a JSON document that was not decoded.
    ///
    /// - Parameters:
    ///   - error: What decoding threw; a problem stays the same.
    ///   - whole: Takes the place of problems with the outermost value.
    package init(decoding error: any Error, whole: DocumentProblem? = nil) {
        switch error {
        case let problem as DocumentProblem: self = problem
        case DecodingError.keyNotFound(let key, let context):
            self.init(at: context.codingPath + [key], "is missing")
        case DecodingError.typeMismatch(let type, let context)
        where whole == nil || !context.codingPath.isEmpty:
            self.init(at: context.codingPath, "should be \(Self.jsonName(of: type))")
        case DecodingError.valueNotFound(_, let context)
        where whole == nil || !context.codingPath.isEmpty:
            self.init(at: context.codingPath, "must not be null")
        case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
            self.init(at: context.codingPath, context.debugDescription)
        default: self = whole ?? DocumentProblem("", "not valid JSON, or cut short")
        }
    }

    /// A coding path as text, such as `routes[3].steps[1].minutes`.
    private static func location(of keys: [any CodingKey]) -> String {
        guard !keys.isEmpty else { return wholeFile }
        let path = keys.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }
            .joined()
        return path.hasPrefix(".") ? String(path.dropFirst()) : path
    }

    private static func jsonName(of type: Any.Type) -> String {
        switch type {
        case is any BinaryFloatingPoint.Type, is any BinaryInteger.Type: "a number"
        case is String.Type: "text"
        case is Bool.Type: "true or false"
        case is any RandomAccessCollection.Type: "a list"
        default: "an object"
        }
    }
}
