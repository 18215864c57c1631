// What every error of Bridgecast says about itself beside its words: whose matter it is. A command's exit code and a
// service's status follow from that.
// Belongs here: what is common to all errors; each error itself stands beside what throws it.

/// Whose matter a failure is.
public enum FailureKind: Sendable, Hashable, CaseIterable {
    /// What was asked for is wrong: an argument, an option, a value.
    case usage
    /// The content of an input is not what it should be.
    case data
    /// An input is not there.
    case missing
    /// Something that has to be installed is not there.
    case unavailable
    /// Bridgecast itself is wrong.
    case software
    /// Too much is going on at this moment: the same may be served later.
    case busy
    /// Reading or writing failed.
    case io
    /// The caller gave up waiting.
    case interrupted
}

/// An error that says what is wrong, where and what to do, and knows its kind.
public protocol Failure: Error, Sendable, CustomStringConvertible {
    /// Whose matter it is.
    var kind: FailureKind { get }
}
