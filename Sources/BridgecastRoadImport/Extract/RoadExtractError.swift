// Why an extract was refused, with its file and place; commands show it as it is.
public import BridgecastCore

/// A refusal of a whole extract; nothing of it is used.
public struct RoadExtractError: Failure, Equatable {
    /// Where in a file something is; what is not known is nil.
    public struct Place: Sendable, Equatable, CustomStringConvertible {
        /// The element that is read.
        public var element: RoadElement?
        /// The byte, from 0; in a packed file of what it unpacks to.
        public var byte: Int?
        /// The line, from 1.
        public var line: Int?

        /// Such as `line 7, node 53065012`; empty if nothing is known.
        public var description: String {
            let parts = [
                byte.map { "byte \($0)" }, line.map { "line \($0)" }, element?.description,
            ]
            return parts.compactMap(\.self).joined(separator: ", ")
        }
    }

    /// The file, or what else the extract is called.
    public let file: String
    /// Where in it.
    public let place: Place
    /// What is wrong, and what to do about it.
    public let problem: RoadExtractProblem

    /// Whether it is missing, cannot be read, or holds what it should not.
    public var kind: FailureKind {
        switch problem {
        case .noSuchFile: .missing
        case .notLocal, .folder, .notRegular, .unreadable: .io
        default: .data
        }
    }

    /// The file, the place and the problem.
    public var description: String {
        [file, place.description, problem.description].filter { !$0.isEmpty }
            .joined(separator: ": ")
    }
}
